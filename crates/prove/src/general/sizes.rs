//! Whether a program is one text for all sizes: only heap, threads and lengths of queues name the parameters that say how many objects and
//! copies of threads there are, no `each` goes through them outside a step, and copies of threads are only compared.

use base::source::Sources;
use program::Program;
use program::indices::{Holder, Home, Indices};
use program::typed::{Body, StmtKind};
use program::types::{Range, Type};
use program::walk::all_stmts;

/// Why a program is not the same text for all sizes; none if it is.
pub(crate) fn objection(program: &Program, sources: &Sources, indices: &Indices) -> Option<String> {
    for (id, thread) in program.threads.iter().filter(|(_, thread)| thread.count.is_some()) {
        if thread.count.is_some_and(|count| count < 2) {
            return Some(format!("one copy of `{}` does not stand for several", thread.name));
        }
        if indices.of(Holder::Copies(id)).is_none() {
            return Some(format!("the copies of `{}` are computed with", thread.name));
        }
    }
    let texts: Vec<Vec<&str>> = sources.iter().map(|(_, source)| words(&source.text)).collect();
    for name in texts.iter().flat_map(|text| sizes(text)) {
        if texts.iter().any(|text| is_used(text, name)) {
            return Some(format!("`{name}`, a number of objects or threads, is used as a number"));
        }
        if texts.iter().any(|text| is_computed(text, name)) {
            return Some(format!("`{name}`, a number of objects or threads, is computed"));
        }
    }
    let is_variable = |name: &str| program.shared.values().any(|shared| shared.name == name);
    if texts.iter().any(|text| (0..text.len()).any(|i| text[i] == "every" && !is_state(text, i, &is_variable))) {
        return Some("a set that is the same in all states (`every`) is another one at another scope".into());
    }
    goes_through(program, indices).or_else(|| looks_like_a_thread(program, indices))
}

/// An `each` over objects or threads makes another thread for another size.
fn goes_through(program: &Program, indices: &Indices) -> Option<String> {
    let threads = program.threads.iter().map(|(id, thread)| (Home::Thread(id), &thread.body));
    let procs = program.procs.iter().map(|(id, proc)| (Home::Proc(id), &proc.body));
    let is_each = |(home, body): (Home, &Body)| {
        all_stmts(&body.block).into_iter().any(|stmt| match stmt.kind {
            StmtKind::Each(local, _) => match body.locals[local].ty {
                Type::Ref { .. } => true,
                Type::Int(_) => indices.of(Holder::Local(home, local)).is_some(),
                _ => false,
            },
            _ => false,
        })
    };
    threads.chain(procs).any(is_each).then(|| "`each` goes through objects or threads".into())
}

/// A number whose range is that of a thread's copies, and that is not known to be one of them, may have another range at another scope.
fn looks_like_a_thread(program: &Program, indices: &Indices) -> Option<String> {
    let of_threads = program.threads.values().filter_map(|thread| thread.count).map(|n| Range::new(0, n as i32 - 1));
    let ranges: Vec<Range> = of_threads.collect();
    let types = &program.types;
    let element = |ty: Type| types.element(ty).or_else(|| types.queue(ty).map(|queue| queue.element)).unwrap_or(ty);
    let is_unclear = |ty: Type, holder: Holder| {
        matches!(element(ty), Type::Int(range) if ranges.contains(&range)) && indices.of(holder).is_none()
    };
    let mut found = Vec::new();
    for (id, shared) in program.shared.iter() {
        found.push((shared.ty, Holder::Shared(id), &shared.name));
        found.extend(shared.index.map(|index| (index, Holder::SharedIndex(id), &shared.name)));
    }
    for (id, object) in types.objects.iter() {
        for (i, field) in object.fields.iter().enumerate() {
            found.push((field.ty, Holder::Field(id, i), &field.name));
            found.extend(field.index.map(|index| (index, Holder::FieldIndex(id, i), &field.name)));
        }
    }
    found.extend(program.registers.iter().map(|(id, register)| (register.ty, Holder::Item(id), &register.name)));
    let threads = program.threads.iter().map(|(id, thread)| (Home::Thread(id), &thread.body.locals));
    let procs = program.procs.iter().map(|(id, proc)| (Home::Proc(id), &proc.body.locals));
    let properties = program.properties.iter().map(|(id, property)| (Home::Property(id), &property.locals));
    for (home, locals) in threads.chain(procs).chain(properties) {
        found.extend(locals.iter().map(|(id, local)| (local.ty, Holder::Local(home, id), &local.name)));
    }
    let unclear = found.into_iter().find(|(ty, holder, _)| is_unclear(*ty, *holder));
    unclear.map(|(_, _, name)| format!("`{name}` has the range of a thread's copies and may be none of them"))
}

/// The words and symbols of a text, without comments.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next().filter(|_| !rest.starts_with("//")) {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let end = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false if first == '"' => rest[1..].find('"').map_or(rest.len(), |length| length + 2),
                false if rest.starts_with("==") => 2,
                false => first.len_utf8(),
            };
            found.push(&rest[..end]);
            rest = rest[end..].trim_start();
        }
    }
    found
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether the word at `i` says how many there are: `thread mutator[N]`, `node: Node[N]`.
fn is_size(text: &[&str], i: usize) -> bool {
    i.checked_sub(1).is_some_and(|bracket| opens_size(text, bracket)) && text.get(i + 1) == Some(&"]")
}

/// Whether the word at `i` is the bracket before what says how many there are.
fn opens_size(text: &[&str], i: usize) -> bool {
    let before = |n: usize| i.checked_sub(n).and_then(|at| text.get(at)).copied().unwrap_or_default();
    let is_thread = before(2) == "thread" && is_name(before(1));
    let is_heap = before(2) == ":" && is_name(before(1)) && is_name(before(3)) && is_in_heap(&text[..i]);
    text[i] == "[" && (is_thread || is_heap)
}

/// Whether the innermost open brace is that of a heap.
fn is_in_heap(text: &[&str]) -> bool {
    let mut depth = 0;
    for i in (0..text.len()).rev() {
        match text[i] {
            "}" => depth += 1,
            "{" if depth == 0 => return i > 0 && text[i - 1] == "heap",
            "{" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// The names in what says how many there are.
fn sizes<'t>(text: &[&'t str]) -> Vec<&'t str> {
    let brackets = (0..text.len()).filter(|i| opens_size(text, *i));
    let inside = brackets.flat_map(|i| text[i..].iter().take_while(|word| **word != "]"));
    inside.filter(|word| is_name(word)).copied().collect()
}

/// Whether a constant of this name is computed, perhaps from another number that the text uses.
fn is_computed(text: &[&str], name: &str) -> bool {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_operator = |word: &&str| "+-*/%&|^<>=!".contains(*word);
    let is_literal = |rest: &[&str]| rest.first().is_some_and(is_number) && !rest.get(1).is_some_and(is_operator);
    let is_it = |i: &usize| text[*i..].starts_with(&["const", name, "="]);
    (0..text.len()).filter(is_it).any(|i| !is_literal(&text[i + 3..]))
}

/// Whether the `every` at `i` is the value of a variable, or one is taken from it. Anything else may be a constant: then what it decides is
/// decided before a step is looked at.
fn is_state(text: &[&str], i: usize, is_variable: &dyn Fn(&str) -> bool) -> bool {
    let before = |n: usize| i.checked_sub(n).map_or("", |at| text[at]);
    let after = |n: usize| text.get(i + n).copied().unwrap_or_default();
    let goes_on = ["==", "!", "in", "with", "without", "union", "minus"].contains(&after(2));
    let is_assignment = before(1) == "=" && is_name(before(2)) && !["let", "const", ":", "set"].contains(&before(3));
    let is_difference = after(2) == "minus" && is_variable(after(3));
    is_difference || is_first_value(text, i) || is_assignment && !goes_on
}

/// Whether the word at `i` begins the first value of a variable: `abstract free: set Node = every Node`.
fn is_first_value(text: &[&str], i: usize) -> bool {
    let is_of_type = |word: &&&str| is_name(word) && **word != "const" || [":", "[", "]", "?", "="].contains(*word);
    let mut declaration = text[..i].iter().rev().take_while(is_of_type);
    declaration.any(|word| ["abstract", "ghost", "register"].contains(word))
}

/// Whether `name` occurs anywhere but where it is declared or set, says how many there are, or how long a queue is.
fn is_used(text: &[&str], name: &str) -> bool {
    (0..text.len()).filter(|i| text[*i] == name).any(|i| {
        let before = if i > 0 { text[i - 1] } else { "" };
        let is_set = text.get(i + 1) == Some(&"=");
        let is_said = ["param", "const", "of"].contains(&before) || is_set || is_size(text, i);
        !is_said
    })
}
