//! A file in herd's format, taken apart.

use crate::herd::Wrong;
use crate::herd::held;
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a file.
pub(crate) struct Frame {
    /// `AArch64`.
    pub(crate) architecture: String,
    pub(crate) name: String,
    /// The cells with what they hold at the start.
    pub(crate) cells: BTreeMap<String, i32>,
    /// What registers hold at the start: thread, register, a number or the name of a cell; and the line.
    pub(crate) registers: Vec<(usize, String, String, usize)>,
    /// The lines of code, with their numbers.
    pub(crate) code: Vec<(usize, String)>,
    /// The lines after the code.
    end: Vec<(usize, String)>,
}

/// What is asked of final states.
#[derive(Default)]
pub(crate) struct Question {
    /// A conjunction: line, variable, value.
    pub(crate) atoms: Vec<(usize, String, i32)>,
    /// What else is to be listed.
    pub(crate) locations: Vec<String>,
}

/// Words that a line after the code begins with.
const ENDS: [&str; 6] = ["exists", "~exists", "forall", "locations", "filter", "observed"];

impl Frame {
    pub(crate) fn of(text: &str) -> Result<Frame, Wrong> {
        let text = without_comments(text)?;
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line.to_string())).collect::<Vec<_>>();
        let first =
            lines.iter().position(|(_, line)| !line.trim().is_empty()).ok_or((1, "the file is empty".into()))?;
        let (number, head) = lines[first].clone();
        let (architecture, name) =
            head.trim().split_once(char::is_whitespace).ok_or((number, "expected `ARCHITECTURE NAME`".to_string()))?;
        let open = lines.iter().position(|(_, line)| line.trim_start().starts_with('{'));
        let open = open.ok_or((number, "the initial values `{ .. }` are missing".to_string()))?;
        let close = lines[open..].iter().position(|(_, line)| line.contains('}')).map(|n| open + n);
        let close = close.ok_or((lines[open].0, "`{` is not closed".to_string()))?;
        let mut frame = Frame {
            architecture: architecture.into(),
            name: name.trim().into(),
            cells: BTreeMap::new(),
            registers: Vec::new(),
            code: Vec::new(),
            end: Vec::new(),
        };
        let mut given = BTreeSet::new();
        for (number, line) in &lines[open..=close] {
            let inside = line.trim().trim_start_matches('{').split('}').next().unwrap_or("");
            inside.split(';').try_for_each(|entry| frame.initial(entry.trim(), *number, &mut given))?;
        }
        let rest = lines.split_off(close + 1);
        let is_end = |line: &str| ENDS.iter().any(|word| line.trim_start().starts_with(word));
        let end = rest.iter().position(|(_, line)| is_end(line)).unwrap_or(rest.len());
        frame.end = rest[end..].to_vec();
        frame.code = rest[..end].iter().filter(|(_, line)| !line.trim().is_empty()).cloned().collect();
        Ok(frame)
    }

    /// `x=0`, `int x = 0`, `0:X1=x`, `int 0:r0`; what has been given a value is not given another.
    fn initial(&mut self, entry: &str, line: usize, given: &mut BTreeSet<String>) -> Result<(), Wrong> {
        if entry.is_empty() {
            return Ok(());
        }
        let (left, right) = entry.split_once('=').unwrap_or((entry, "0"));
        let (right, wrong) = (right.trim(), |what: String| (line, what));
        let name = left.split_whitespace().last().unwrap_or("").trim_matches(['[', ']', '*']);
        let whole =
            name.split_once(':').map_or(name.into(), |(thread, name)| format!("{thread}:{}", held::register(name)));
        if entry.contains('=') && !given.insert(whole) {
            return Err(wrong(format!("`{name}` is given twice")));
        }
        match name.split_once(':') {
            Some((thread, register)) => {
                let thread = thread.parse().map_err(|_| wrong(format!("`{name}` names no thread")))?;
                let value = right.trim_start_matches('&').to_string();
                if value.parse::<i32>().is_err() {
                    self.cells.entry(value.clone()).or_insert(0);
                }
                self.registers.push((thread, held::register(register), value, line));
            }
            None => {
                let value = right.parse().map_err(|_| wrong(format!("`{right}` is no number")))?;
                self.cells.insert(name.into(), value);
            }
        }
        Ok(())
    }

    /// The question at the end of the file.
    pub(crate) fn question(&self) -> Result<Question, Wrong> {
        let mut question = Question::default();
        let mut text = String::new();
        let mut question_line = self.end.first().map_or(1, |(line, _)| *line);
        for (line, content) in &self.end {
            let content = content.trim();
            if let Some(list) = content.strip_prefix("locations") {
                let names = list.trim().trim_matches(['[', ']']).split(';').map(|name| name.trim().to_string());
                question.locations.extend(names.filter(|name| !name.is_empty() && !name.contains(':')));
            } else if content.starts_with("filter") || content.starts_with("observed") || content.starts_with("forall")
            {
                let word = content.split_whitespace().next().unwrap_or("");
                return Err((*line, format!("`{word}` is not read: ask `exists (a=1 /\\ b=2)`")));
            } else {
                question_line = if text.is_empty() { *line } else { question_line };
                text += content;
                text.push(' ');
            }
        }
        if text.trim().is_empty() {
            return Err((question_line, "there is no question: end with `exists (a=1 /\\ b=2)`".into()));
        }
        let asked = text.trim().trim_start_matches('~').trim_start();
        let Some(condition) = asked.strip_prefix("exists") else {
            return Err((question_line, format!("`{}` is not read: ask `exists (a=1 /\\ b=2)`", text.trim())));
        };
        if !is_balanced(condition) {
            return Err((question_line, "the question's parentheses do not match".into()));
        }
        if condition.contains("\\/") || condition.contains('~') || condition.contains("not ") {
            return Err((question_line, "only a conjunction is read: `exists (a=1 /\\ b=2)`".into()));
        }
        for atom in condition.replace(['(', ')'], " ").split("/\\").map(str::trim) {
            let wrong = || (question_line, format!("`{atom}` is not `variable=number`"));
            let (name, value) = atom.split_once('=').ok_or_else(wrong)?;
            let value = value.trim().parse().map_err(|_| wrong())?;
            question.atoms.push((question_line, name.trim().trim_matches(['[', ']']).into(), value));
        }
        Ok(question)
    }
}

/// Whether each parenthesis has its other.
fn is_balanced(text: &str) -> bool {
    let depth = text.chars().try_fold(0u32, |depth, c| match c {
        '(' => Some(depth + 1),
        ')' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}

/// The text with comments `(* .. *)` and strings taken out; lines stay.
fn without_comments(text: &str) -> Result<String, Wrong> {
    let (mut out, mut depth, mut in_string) = (String::new(), 0, false);
    // The line that what is still open begins in.
    let (mut line, mut opened) = (1, 1);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('"', _) if depth == 0 => (in_string, opened) = (!in_string, line),
            ('(', Some('*')) if !in_string => {
                opened = if depth == 0 { line } else { opened };
                depth += 1;
                characters.next();
            }
            ('*', Some(')')) if depth > 0 => {
                depth -= 1;
                characters.next();
            }
            ('\n', _) => {
                line += 1;
                out.push('\n');
            }
            _ if depth == 0 && !in_string => out.push(c),
            _ => {}
        }
    }
    match (depth, in_string) {
        (0, false) => Ok(out),
        (0, true) => Err((opened, "a string is not closed".into())),
        _ => Err((opened, "a comment `(*` is not closed".into())),
    }
}
