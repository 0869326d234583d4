//! A memory model read from text: one `key: value` per line, `#` comments.
//!
//! ```text
//! # Total store ordering, as on x86.
//! memory: tso
//! reorder: store->load
//! rmw: full
//! failed-cas: full
//! ```
//! Keys may be left out; `Defaults` says what they then are.

use crate::model::{
    Acquire, AddressSpeculation, Conflicts, FailedCas, HistoryModel, Isolation, Locks, MemoryModel, ReleaseFence,
    ReleaseSequence, Reorder, RmwFence, SameCellLoads, StoreConditional, Transactions,
};
use base::{Code, Diagnostic, FileId, Span};

/// A line that is not `key: value`.
pub const BAD_LINE: Code = Code { number: 301, name: "bad-memory-line" };
/// A key that does not exist, or stands twice.
pub const BAD_KEY: Code = Code { number: 302, name: "bad-memory-key" };
/// A value that the key does not take.
pub const BAD_VALUE: Code = Code { number: 303, name: "bad-memory-value" };
/// The line `memory: NAME` is missing.
pub const NO_NAME: Code = Code { number: 304, name: "unnamed-memory" };

/// The codes of this file with their explanations.
pub const CODES: &[(Code, &str)] = &[
    (BAD_LINE, "a line of a memory model is neither a comment nor `key: value`"),
    (BAD_KEY, "a memory model has no such key, or it stands twice"),
    (BAD_VALUE, "the key of a memory model does not take this value"),
    (NO_NAME, "a memory model has no line `memory: NAME`"),
];

const KEYS: &str = "memory, reorder, rmw, acquire, release-fence, failed-cas, same-cell-loads, store-conditional, \
     transactions, isolation, conflicts, locks, address-speculation, speculate, machine, history, release-sequence";

/// Reads a memory model. With any diagnostic, the model is not to be used.
pub fn read(file: FileId, text: &str) -> (MemoryModel, Vec<Diagnostic>) {
    let mut reader = Reader {
        model: defaults(),
        diagnostics: Vec::new(),
        keys: Vec::new(),
        histories: HISTORIES,
        of_histories: None,
        file,
    };
    // A byte order mark is no part of the text.
    let marked = text.len();
    let text = text.trim_start_matches('\u{feff}');
    let mut start = marked - text.len();
    for line in text.split_inclusive('\n') {
        reader.line(line, start);
        start += line.len();
    }
    if reader.model.name.is_empty() && reader.diagnostics.is_empty() {
        let message = "this memory model has no name";
        let hint = "add a line `memory: NAME`";
        reader.diagnostics.push(Diagnostic::error(NO_NAME, Span::new(file, 0, 0), message).hint(hint));
    }
    reader.settle_histories();
    let Reader { model, diagnostics, .. } = reader;
    match model.histories {
        None => (model, diagnostics),
        // What is said of reordering means nothing there.
        Some(_) => {
            let MemoryModel { name, doc, histories, .. } = model;
            (MemoryModel { name, doc, histories, ..defaults() }, diagnostics)
        }
    }
}

/// What a model is if its text says nothing: nothing is reordered.
fn defaults() -> MemoryModel {
    MemoryModel {
        name: String::new(),
        doc: String::new(),
        reorder: Reorder::default(),
        rmw: RmwFence::None,
        acquire: Acquire::OneSided,
        release_fence: ReleaseFence::Exact,
        failed_cas: FailedCas::Load,
        same_cell_loads: SameCellLoads::Ordered,
        store_conditional: StoreConditional::Exact,
        transactions: Transactions::Exact,
        isolation: Isolation::Strong,
        conflicts: Conflicts::Eager,
        locks: Locks::Taken,
        address_speculation: AddressSpeculation::Allowed,
        speculate: 0,
        histories: None,
    }
}

/// How histories are kept if the text says no more than that there are any.
const HISTORIES: HistoryModel = HistoryModel { bound: 8, release_sequence: ReleaseSequence::SameThread };

struct Reader {
    model: MemoryModel,
    diagnostics: Vec<Diagnostic>,
    keys: Vec<String>,
    /// How histories are kept, if the machine has any.
    histories: HistoryModel,
    /// The first key that only histories have.
    of_histories: Option<Span>,
    file: FileId,
}

impl Reader {
    fn line(&mut self, line: &str, start: usize) {
        if let Some(comment) = line.trim().strip_prefix('#') {
            if self.keys.is_empty() {
                self.model.doc = format!("{} {}", self.model.doc, comment.trim()).trim().to_string();
            }
            return;
        }
        let content = line.split('#').next().unwrap_or("");
        if content.trim().is_empty() {
            return;
        }
        let span = |part: &str| {
            let at = start + (part.as_ptr() as usize - line.as_ptr() as usize);
            Span::new(self.file, at, at + part.len())
        };
        let Some((key, value)) = content.split_once(':') else {
            let diagnostic = Diagnostic::error(BAD_LINE, span(content.trim()), "expected `key: value`");
            self.diagnostics.push(diagnostic.hint(format!("the keys are {KEYS}")));
            return;
        };
        let (key, value) = (key.trim(), value.trim());
        let (key_span, value_span) = (span(key), span(value));
        if self.keys.iter().any(|k| k == key) {
            let message = format!("`{key}` stands twice");
            self.diagnostics.push(Diagnostic::error(BAD_KEY, key_span, message).hint("keep one of the lines"));
            return;
        }
        self.keys.push(key.to_string());
        if matches!(key, "history" | "release-sequence") {
            self.of_histories.get_or_insert(key_span);
        }
        match self.set(key, value) {
            Ok(()) => {}
            Err(Problem::Key) => {
                let message = format!("a memory model has no key `{key}`");
                let hint = format!("the keys are {KEYS}");
                self.diagnostics.push(Diagnostic::error(BAD_KEY, key_span, message).hint(hint));
            }
            Err(Problem::Value(allowed)) => {
                let message = format!("`{key}` cannot be `{value}`");
                let hint = format!("it takes {allowed}");
                self.diagnostics.push(Diagnostic::error(BAD_VALUE, value_span, message).hint(hint));
            }
        }
    }

    /// What is said of histories goes to them; a machine without any cannot have it.
    fn settle_histories(&mut self) {
        match (&mut self.model.histories, self.of_histories) {
            (Some(histories), _) => *histories = self.histories,
            // A line about the machine that is wrong is said already.
            (None, Some(span)) if self.diagnostics.is_empty() => {
                let message = "only a machine of histories has this key";
                let hint = "add the line `machine: histories`, or leave this one out";
                self.diagnostics.push(Diagnostic::error(BAD_KEY, span, message).hint(hint));
            }
            (None, _) => {}
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        let model = &mut self.model;
        match key {
            "memory" => model.name = name(value)?,
            "reorder" => model.reorder = reorder(value)?,
            "rmw" => {
                let choices = [
                    ("none", RmwFence::None),
                    ("full", RmwFence::Full),
                    ("lse", RmwFence::Lse),
                    ("exclusives", RmwFence::Exclusives),
                ];
                model.rmw = choice(value, &choices)?;
            }
            "acquire" => {
                let choices = [("one-sided", Acquire::OneSided), ("rcpc", Acquire::Rcpc), ("rcsc", Acquire::Rcsc)];
                model.acquire = choice(value, &choices)?;
            }
            "release-fence" => {
                let choices = [("exact", ReleaseFence::Exact), ("full", ReleaseFence::Full)];
                model.release_fence = choice(value, &choices)?;
            }
            "failed-cas" => {
                model.failed_cas = choice(value, &[("load", FailedCas::Load), ("full", FailedCas::Full)])?;
            }
            "same-cell-loads" => {
                let choices = [
                    ("ordered", SameCellLoads::Ordered),
                    ("coherent", SameCellLoads::Coherent),
                    ("free", SameCellLoads::Free),
                ];
                model.same_cell_loads = choice(value, &choices)?;
            }
            "store-conditional" => {
                let choices = [("may-fail", StoreConditional::MayFail), ("exact", StoreConditional::Exact)];
                model.store_conditional = choice(value, &choices)?;
            }
            "transactions" => {
                let choices = [("may-abort", Transactions::MayAbort), ("exact", Transactions::Exact)];
                model.transactions = choice(value, &choices)?;
            }
            "isolation" => {
                let choices = [("strong", Isolation::Strong), ("weak", Isolation::Weak)];
                model.isolation = choice(value, &choices)?;
            }
            "conflicts" => {
                let choices = [("eager", Conflicts::Eager), ("lazy", Conflicts::Lazy)];
                model.conflicts = choice(value, &choices)?;
            }
            "locks" => model.locks = choice(value, &[("taken", Locks::Taken), ("elided", Locks::Elided)])?,
            "address-speculation" => {
                let choices = [
                    ("allowed", AddressSpeculation::Allowed),
                    ("loads", AddressSpeculation::Loads),
                    ("forbidden", AddressSpeculation::Forbidden),
                ];
                model.address_speculation = choice(value, &choices)?;
            }
            "speculate" => {
                let guesses = value.parse().ok().filter(|n| *n <= 8);
                model.speculate = guesses.ok_or_else(|| Problem::Value("a number from 0 to 8".into()))?;
            }
            "machine" => {
                model.histories = choice(value, &[("queues", None), ("histories", Some(HISTORIES))])?;
            }
            "history" => {
                let bound = value.parse().ok().filter(|n| (1..=64).contains(n));
                let bound = bound.ok_or_else(|| Problem::Value("a number from 1 to 64".into()))?;
                self.histories.bound = bound;
            }
            "release-sequence" => {
                let choices = [("same-thread", ReleaseSequence::SameThread), ("rmw", ReleaseSequence::Rmw)];
                self.histories.release_sequence = choice(value, &choices)?;
            }
            _ => return Err(Problem::Key),
        }
        Ok(())
    }
}

enum Problem {
    Key,
    /// The value is wrong; what is allowed.
    Value(String),
}

fn name(value: &str) -> Result<String, Problem> {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let fits = !value.is_empty() && !["all", "real"].contains(&value) && value.chars().all(letters);
    if fits {
        Ok(value.to_string())
    } else {
        Err(Problem::Value("letters, digits and `-` (but not `all` or `real`)".into()))
    }
}

fn choice<T: Copy>(value: &str, choices: &[(&str, T)]) -> Result<T, Problem> {
    let allowed = || choices.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
    choices.iter().find(|(name, _)| *name == value).map(|(_, t)| *t).ok_or_else(|| Problem::Value(allowed()))
}

fn reorder(value: &str) -> Result<Reorder, Problem> {
    let mut table = Reorder::default();
    if value == "none" {
        return Ok(table);
    }
    for pair in value.split(',').map(str::trim) {
        match pair {
            "load->load" => table.load_load = true,
            "load->store" => table.load_store = true,
            "store->load" => table.store_load = true,
            "store->store" => table.store_store = true,
            _ => {
                let allowed = "`none`, or some of `load->load`, `load->store`, `store->load`, `store->store`";
                return Err(Problem::Value(allowed.into()));
            }
        }
    }
    Ok(table)
}
