//! Every sentence of an explanation is true of its trace: what threads are said to have read, written or changed, where and in which step, is what
//! the operations of the run are; steps exist; values that cells are said to have at the end are those of the last state; what is said to repeat does, and
//! who is said to write or look at a cell in it does so. `true_claims` looks at the rest.

use crate::true_claims::{Claims, number};
use automata::Automata;
use base::Sources;
use explain::{Explained, Explanation, Operation};
use machine::Interpreter;
use memory::MemoryModel;

/// What is wrong with the sentences of an explanation.
pub(crate) fn untrue(
    explained: &Explained,
    automata: &Automata,
    sources: &Sources,
    memory: &MemoryModel,
) -> Vec<String> {
    let Explained { explanation, trace } = explained;
    let options = machine::Options::default();
    let interpreter = &Interpreter::new(automata, memory, &options);
    let claims = Claims { automata, sources, interpreter, trace };
    let Explanation { sentences, story, waits, failed, .. } = explanation;
    let sayings: Vec<&String> = sentences.iter().chain(story).chain(waits).chain(failed).collect();
    let wrong = |(n, sentence): (usize, &&String)| {
        let twice = sayings[..n].contains(sentence).then(|| "is said twice".to_string());
        let wrong =
            wrong_deeds(explanation, sentence).into_iter().chain(wrong_steps(explanation, sentence)).chain(twice);
        let wrong = wrong.chain(wrong_rounds(explanation, sentence)).chain(wrong_then(explanation, sentence));
        let wrong = wrong.chain(claims.wrong(sentence));
        wrong.map(|what| format!("`{sentence}`: {what}")).collect::<Vec<_>>()
    };
    let values = waits.iter().chain(failed).flat_map(|sentence| wrong_values(explanation, sentence));
    sayings.iter().enumerate().flat_map(wrong).chain(values).collect()
}

/// `line 12`, or with the name of another file.
fn lines(operation: &Operation) -> Vec<String> {
    let Some(line) = operation.line else { return vec!["no source".into()] };
    let file = operation.file.as_deref().and_then(|file| file.rsplit('/').next()).unwrap_or("");
    vec![format!("(line {line})"), format!("(line {line} of {file})")]
}

/// How an operation may be said: `mutator wrote 1 to x (line 3)`.
fn deeds(explanation: &Explanation, operation: &Operation) -> Vec<String> {
    let thread = &explanation.threads[operation.thread];
    let cell = operation.cell.as_deref().unwrap_or("");
    let what = match (&operation.read, &operation.wrote) {
        (Some(read), Some(wrote)) => format!("changed {cell} from {read} to {wrote}"),
        (Some(read), None) => format!("read {read} from {cell}"),
        (None, Some(wrote)) => format!("wrote {wrote} to {cell}"),
        (None, None) => format!("failed to store to {cell}"),
    };
    lines(operation).into_iter().map(|line| format!("{thread} {what} {line}")).collect()
}

/// Deeds that no operation of the run is; a sentence that begins with a step tells of that step.
fn wrong_deeds(explanation: &Explanation, sentence: &str) -> Vec<String> {
    let step = sentence.trim().strip_prefix("step ").and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
    let mut wrong = Vec::new();
    for verb in [" read ", " wrote ", " changed "] {
        for (at, _) in sentence.match_indices(verb) {
            // `collector had written`, `passes over` and the like have no operation of their own.
            let start = sentence[..at].rfind([' ', '(']).map_or(0, |space| space + 1);
            let rest = &sentence[start..];
            // `polite[0] wrote .., after it had read ..`.
            let its = rest
                .strip_prefix("had ")
                .and_then(|rest| Some(format!("{} {rest}", doer(explanation, &sentence[..start])?)));
            let said = its.as_deref().unwrap_or(rest);
            let is_meant =
                |operation: &&Operation| deeds(explanation, operation).iter().any(|deed| said.starts_with(deed));
            let matching: Vec<&Operation> = explanation.operations.iter().filter(is_meant).collect();
            let is_first = sentence[..start].trim().split(' ').count() == 2;
            // `.. (line 6) in step 4`.
            let later = said.split_once(") in step ").filter(|(deed, _)| !deed.contains(')'));
            let later = later.and_then(|(_, rest)| number(rest));
            let step = later.or(step.filter(|_| is_first)).or_else(|| announced(&sentence[..start]));
            let in_step = |operation: &&Operation| step.is_none() || operation.performed == step;
            if !matching.iter().any(in_step) {
                wrong.push(format!("no operation is `{said}`"));
            }
        }
    }
    wrong
}

/// The thread whose deed is said last.
fn doer<'a>(explanation: &'a Explanation, before: &str) -> Option<&'a String> {
    let last =
        |thread: &&String| before.rfind(&format!("{thread} wrote ")).max(before.rfind(&format!("{thread} changed ")));
    explanation.threads.iter().filter(|thread| last(thread).is_some()).max_by_key(last)
}

/// The step that `.. since step 4: ` or `.. from step 4 on, forever: ` announces.
fn announced(before: &str) -> Option<usize> {
    let (rest, what) = before.strip_suffix(": ")?.rsplit_once("step ")?;
    let is_it = rest.ends_with(" since ") || rest.ends_with(" from ") && what.ends_with(" on, forever");
    is_it.then(|| number(what)).flatten()
}

/// Steps that the run does not have.
fn wrong_steps(explanation: &Explanation, sentence: &str) -> Vec<String> {
    let numbers = sentence.match_indices("step ").filter_map(|(at, word)| {
        let digits: String = sentence[at + word.len()..].chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<usize>().ok()
    });
    numbers.filter(|step| *step > explanation.n_steps).map(|step| format!("there is no step {step}")).collect()
}

/// What is wrong with a sentence about what repeats.
fn wrong_rounds(explanation: &Explanation, sentence: &str) -> Option<String> {
    let (n_steps, start) = (explanation.n_steps, explanation.loop_start);
    if let Some(rest) = sentence.strip_prefix("nothing happens") {
        let after = rest.strip_prefix(" after step ").map_or(Some(0), number);
        return (after != Some(n_steps) || start != Some(n_steps)).then(|| "something happens".into());
    }
    let (steps, deeds) = sentence.split_once(" forever: ").filter(|(steps, _)| steps.contains("repeat"))?;
    let first = number(steps.split_once(' ')?.1)?;
    let last = steps.split_once(" to ").map_or(Some(first), |(_, rest)| number(rest))?;
    if (Some(first), last) != (start.map(|start| start + 1), n_steps) {
        return Some(format!("steps {first} to {last} do not repeat"));
    }
    let is_done = |thread: &String, verb: &str, writes: bool| {
        explanation.operations.iter().any(|operation| {
            let cell = operation.cell.as_deref().unwrap_or("no cell");
            let is_its = explanation.threads[operation.thread] == *thread && operation.wrote.is_some() == writes;
            is_its && operation.performed > start && deeds.contains(&format!("{thread} {verb} {cell} ("))
        })
    };
    let is_wrong = |thread: &&String| {
        let said = |verb: &str| deeds.contains(&format!("{thread} {verb} "));
        said("writes") && !is_done(thread, "writes", true) || said("looks at") && !is_done(thread, "looks at", false)
    };
    let wrong = explanation.threads.iter().find(is_wrong);
    wrong.map(|thread| format!("{thread} does not do that in each round"))
}

/// Values that cells do not have after a step, where a sentence says `after step 4 NAME is VALUE`.
fn wrong_then(explanation: &Explanation, sentence: &str) -> Option<String> {
    let (_, rest) = sentence.split_once(": after step ")?;
    let step = number(rest)?;
    let (name, said) = rest.split_once(' ')?.1.split_once(" is ")?;
    let writes = explanation.operations.iter().filter(|operation| operation.cell.as_deref() == Some(name));
    let before =
        writes.filter(|operation| operation.wrote.is_some() && operation.performed.is_some_and(|at| at <= step));
    let value = before.max_by_key(|operation| operation.performed)?.wrote.clone()?;
    (!said.starts_with(&value)).then(|| format!("{name} is {value} after step {step}"))
}

/// Whether a thread that is said to see a value each time does.
fn is_seen_each_time(explanation: &Explanation, sentence: &str, name: &str, said: &str) -> bool {
    let Some((value, _)) = said.split_once(" each time") else { return false };
    let thread = sentence.trim().split(" looks ").next();
    let is_look = |operation: &&Operation| {
        let who = &explanation.threads[operation.thread];
        Some(who.as_str()) == thread
            && operation.cell.as_deref() == Some(name)
            && operation.performed > explanation.loop_start
    };
    let mut looks = explanation.operations.iter().filter(is_look).peekable();
    looks.peek().is_some() && looks.all(|operation| operation.read.as_deref() == Some(value))
}

/// Values that cells do not have at the end, where a sentence says `NAME is VALUE`.
fn wrong_values(explanation: &Explanation, sentence: &str) -> Vec<String> {
    let heap = &explanation.after;
    let fields = heap.objects.iter().flat_map(|object| {
        object.fields.iter().map(move |field| (format!("{}.{}", object.name, field.name), field.value.clone()))
    });
    let cells = heap.cells.iter().map(|cell| (cell.name.clone(), cell.value.clone()));
    let mut wrong = Vec::new();
    for (name, value) in fields.chain(cells) {
        for (at, found) in sentence.match_indices(&format!("{name} is ")) {
            let is_whole = at == 0 || sentence[..at].ends_with([' ', ':']) && !sentence[..at].ends_with("its ");
            let said = &sentence[at + found.len()..];
            let is_value = said.starts_with(&value) || said.starts_with(&format!("`{value}`"));
            // `worker looks ..: taken is 1 each time`: then, and perhaps not at the end.
            let is_value = is_value || is_seen_each_time(explanation, sentence, &name, said);
            let is_value_said = said.starts_with(|c: char| c.is_ascii_digit() || c == '`' || c == '{');
            if is_whole && is_value_said && !is_value {
                wrong.push(format!("`{sentence}`: {name} is {value}"));
            }
        }
    }
    wrong
}
