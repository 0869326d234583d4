//! What explanations say: for each failing cell of the copying study, the reordering that the paper describes where it
//! describes one, and the whole text. `BLESS=1` rewrites the texts; `must` lines are written by hand.

use crate::command::root;
use crate::preempted::wrong_preemptions;
use crate::true_stories::untrue;
use explain::{Cause, Explained, Explanation, Steps, full};
use lacuna::session::{self, Protocol, System, memory_model, open};
use machine::{Interpreter, Options};
use report::LaneOptions;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use workbench::{Question, RunOptions, Verdict, replay_run};

/// The memory models of the paper's Table 1.
const MEMORIES: [&str; 6] = ["sc", "tso", "pso-full", "pso-no", "rmo-full", "rmo-no"];

/// A file of `tests/explain`: one row of the paper's table.
struct Story {
    path: PathBuf,
    /// Everything before the first cell.
    head: String,
    protocol: PathBuf,
    variant: String,
    cells: Vec<Cell>,
}

/// `cell SCENARIO MEMORY [NAME=VALUE ..]`, `must` lines, and the text.
struct Cell {
    title: String,
    must: Vec<String>,
    text: String,
}

fn stories() -> Vec<Story> {
    let folder = root().join("tests/explain");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("there").map(|entry| entry.expect("there").path()).collect();
    paths.sort();
    paths.into_iter().filter(|path| path.extension().is_some_and(|e| e == "story")).map(read).collect()
}

fn read(path: PathBuf) -> Story {
    let text = std::fs::read_to_string(&path).expect("readable");
    let (head, _) = text.split_once("\ncell ").unwrap_or((&text, ""));
    let word = |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).expect(key).trim().to_string();
    let (protocol, variant) = (root().join(word("protocol ")), word("variant "));
    let mut cells: Vec<Cell> = Vec::new();
    for line in text.lines().skip(head.lines().count()) {
        match (line.split_once(' '), cells.last_mut()) {
            (Some(("cell", title)), _) => {
                cells.push(Cell { title: title.into(), must: Vec::new(), text: String::new() });
            }
            (Some(("must", words)), Some(cell)) => cell.must.push(words.into()),
            (_, Some(cell)) if !line.trim().is_empty() || !cell.text.is_empty() => {
                let _ = writeln!(cell.text, "{}", line.strip_prefix("    ").unwrap_or(line));
            }
            _ => {}
        }
    }
    cells.iter_mut().for_each(|cell| cell.text = format!("{}\n", cell.text.trim_end()));
    Story { head: head.into(), path, protocol, variant, cells }
}

fn system(story: &Story, title: &str) -> (Protocol, System, String) {
    let words: Vec<&str> = title.split_whitespace().collect();
    let set = words[2..].iter().map(|s| s.split_once('=').expect("NAME=VALUE"));
    let set: Vec<(String, String)> = set.map(|(name, value)| (name.into(), value.into())).collect();
    let protocol = open(&story.protocol).expect("loads");
    let system = session::system(&protocol, &story.variant, words[0], &set).expect("checked");
    (protocol, system, words[1].into())
}

/// What is wrong with the sentences of an explanation.
fn untrue_of(found: &Explained, protocol: &Protocol, system: &System) -> Vec<String> {
    let memory = memory_model(&found.explanation.memory).expect("built in");
    untrue(found, &system.automata, &protocol.loaded.sources, &memory)
}

fn explained(protocol: &Protocol, system: &System, memory: &str) -> Option<Explained> {
    let memory = memory_model(memory).expect("built in");
    let options = RunOptions::default();
    let question = Question::new(&system.automata, &memory, &options);
    let answer = question.answer();
    let Verdict::Violated(trace) = answer.verdict else { return None };
    let sources = &protocol.loaded.sources;
    let explained = explain::explain_found(question, sources, &trace, Some(answer.statistics.states));
    // What is said of a run does not depend on who asks; nor does it change when what was shown is explained again.
    for shown in [&*trace, &explained.trace] {
        let again = explain::explain(question, sources, shown);
        assert_eq!(said(&again.explanation), said(&explained.explanation), "{}", explained.explanation.property);
    }
    let machine = Options::default();
    let interpreter = Interpreter::new(&system.automata, &memory, &machine);
    let Explained { trace, .. } = &explained;
    let again = replay_run(&interpreter, trace.initial, &trace.steps, trace.loop_start, trace.property);
    assert_eq!(again.as_ref(), Ok(trace));
    assert_eq!(wrong_preemptions(question, &explained), None, "{}", explained.explanation.property);
    Some(explained)
}

/// Whether one sentence has all parts of `must`, which ` .. ` separates, in that order.
fn mentions(sentences: &[String], must: &str) -> bool {
    let has = |sentence: &String| {
        let rest = |rest: Option<usize>, part: &str| {
            let from = rest?;
            sentence[from..].find(part).map(|at| from + at + part.len())
        };
        must.split(" .. ").fold(Some(0), rest).is_some()
    };
    sentences.iter().any(has)
}

/// All sentences.
fn said(explanation: &Explanation) -> Vec<String> {
    let Explanation { failed, waits, sentences, story, .. } = explanation;
    [&failed[..], waits, sentences, story].concat()
}

#[test]
fn every_explanation_names_the_reordering_that_the_paper_describes() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for story in stories() {
        let mut out = story.head.trim_end().to_string();
        for cell in &story.cells {
            let place = format!("{}: cell {}", story.path.file_name().expect("a file").to_string_lossy(), cell.title);
            let (protocol, system, memory) = system(&story, &cell.title);
            let found = explained(&protocol, &system, &memory).unwrap_or_else(|| panic!("{place} is violated"));
            let explanation = &found.explanation;
            assert_ne!(explanation.cause, Cause::Undecided, "{place}");
            let said = said(explanation);
            wrong.extend(untrue_of(&found, &protocol, &system).into_iter().map(|what| format!("{place}: {what}")));
            let missing = cell.must.iter().filter(|must| !mentions(&said, must));
            wrong.extend(missing.map(|must| format!("{place}: no `{must}` in {said:#?}")));
            let options = LaneOptions::default();
            let text = full(&system.automata, &protocol.loaded.sources, &found, Steps::Slice, options);
            if !bless && text != cell.text {
                wrong.push(format!("{place}: the text is now\n{text}"));
            }
            let must: String = cell.must.iter().map(|must| format!("must {must}\n")).collect();
            let indented: String =
                text.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n").collect();
            let _ = write!(out, "\n\ncell {}\n{must}\n{}", cell.title, indented.trim_end());
        }
        if bless {
            std::fs::write(&story.path, format!("{out}\n")).expect("writable");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_failing_cell_of_the_rows_is_explained() {
    let rows: Vec<Story> = stories().into_iter().filter(|story| story.head.contains("protocols/copying")).collect();
    assert_eq!(rows.len(), 9, "rows of the table with a failing cell");
    for story in rows {
        for scenario in ["WR", "RW"] {
            for memory in MEMORIES {
                let title = format!("{scenario} {memory}");
                let (_, system, _) = system(&story, &title);
                let model = memory_model(memory).expect("built in");
                let verdict = Question::new(&system.automata, &model, &RunOptions::default()).answer().verdict;
                let is_violated = matches!(verdict, Verdict::Violated(_));
                let is_there = story.cells.iter().any(|cell| cell.title == title);
                assert_eq!(is_there, is_violated, "{}: cell {title}", story.path.display());
            }
        }
    }
}

/// The violation of an incident under the first of these memory models that shows it, what is not true of it, and whether its fix holds there.
fn incident(path: &Path) -> Option<(Explained, Vec<String>, bool)> {
    let protocol = open(path).expect("loads");
    let is_fixed = protocol.outline.variants.iter().any(|variant| variant.name == "fixed");
    for memory in ["sc", "tso", "pso-no"] {
        let system = session::system(&protocol, "original", "main", &[]).expect("checked");
        let Some(found) = explained(&protocol, &system, memory) else { continue };
        let holds = !is_fixed || {
            let fixed = session::system(&protocol, "fixed", "main", &[]).expect("checked");
            explained(&protocol, &fixed, memory).is_none()
        };
        let wrong = untrue_of(&found, &protocol, &system);
        return Some((found, wrong, holds));
    }
    None
}

#[test]
fn incidents_are_explained_by_their_mechanism() {
    let folder = root().join("tests/explain/incidents");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("there").map(|entry| entry.expect("there").path()).collect();
    paths.sort();
    assert!(paths.len() >= 12, "incidents");
    let mut wrong = Vec::new();
    for path in paths {
        let place = path.file_name().expect("a file").to_string_lossy();
        let Some((Explained { explanation, .. }, not_true, is_fixed)) = incident(&path) else {
            wrong.push(format!("{place}: is not violated"));
            continue;
        };
        let text = std::fs::read_to_string(&path).expect("readable");
        let says: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//! says: ")).collect();
        assert!(!says.is_empty(), "{place}");
        let said = said(&explanation);
        let missing = says.iter().filter(|says| !mentions(&said, says));
        wrong.extend(missing.map(|says| format!("{place}: no `{says}` in {said:#?}")));
        wrong.extend(not_true.into_iter().map(|what| format!("{place}: {what}")));
        wrong.extend((!is_fixed).then(|| format!("{place}: the fix does not hold")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// True words, and others in their place.
type Replaced = &'static [(&'static str, &'static str)];

/// Sentences of explanations under `sc`, each with one that is not true in its place: of deeds and steps, of what can be reached and since when, of
/// who could write a cell and what keeps them from it, of what failed.
const UNTRUE: [(&str, &str, Replaced); 4] = [
    (
        "tests/explain/count-reset.lac",
        "original",
        &[
            ("step 5: collector wrote 0 to live", "step 4: collector wrote 0 to live"),
            ("collector wrote 0 to seen", "collector wrote 1 to seen"),
            ("mutator had written in step 4", "mutator had written in step 9"),
        ],
    ),
    (
        "tests/explain/lost-wakeup.lac",
        "original",
        &[
            ("only mutator writes woken (line 17)", "only worker writes woken (line 17)"),
            ("writes woken (line 17)", "writes woken (line 16)"),
            ("(line 17), and has ended", "(line 17), and is at line 17"),
            ("(line 17), and has ended", "(line 17), and is past that, at line 17"),
            ("only mutator writes woken (line 17), and has ended", "no other thread writes woken"),
        ],
    ),
    (
        "tests/explain/shade-first.lac",
        "original",
        &[
            ("a is in freed since step 42", "a is in freed since step 41"),
            ("a.colour is `White` since step 22", "a.colour is `Black` since step 22"),
            ("r0.edge refers to a since step 29", "r1.edge refers to a since step 29"),
            ("from r0 one comes to r0 and a", "from r0 one comes to r0 and r1"),
            ("r0.edge refers to a since step 29", "a is not reachable since step 29"),
        ],
    ),
    (
        "protocols/marking/active/deletion.lac",
        "satb_off",
        &[
            ("b is not reachable since step 8", "b is not reachable since step 7"),
            ("b is not reachable since step 8", "a is not reachable since step 8"),
        ],
    ),
];

/// The explanation with some words replaced wherever they are.
fn rewritten(found: &Explained, right: &str, wrong: &str) -> Explained {
    let mut changed = found.clone();
    let Explanation { failed, waits, sentences, story, .. } = &mut changed.explanation;
    let all = [failed, waits, sentences, story].into_iter().flatten();
    all.for_each(|sentence| *sentence = sentence.replace(right, wrong));
    changed
}

#[test]
fn a_sentence_that_is_not_true_is_noticed() {
    for (file, variant, replaced) in UNTRUE {
        let protocol = open(&root().join(file)).expect("loads");
        let system = session::system(&protocol, variant, "main", &[]).expect("checked");
        let found = explained(&protocol, &system, "sc").expect("violated");
        assert_eq!(untrue_of(&found, &protocol, &system), Vec::<String>::new());
        for (right, wrong) in replaced {
            let changed = rewritten(&found, right, wrong);
            assert_ne!(said(&changed.explanation), said(&found.explanation), "{file}: {right}");
            assert_ne!(untrue_of(&changed, &protocol, &system), Vec::<String>::new(), "{file}: {wrong}");
        }
    }
}
