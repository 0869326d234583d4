//! Expectations name variants, scenarios, properties and settings that exist.

use super::Checker;
use super::properties::BUILT_IN;
use crate::codes;
use crate::names::Decl;
use crate::types::Type;
use syntax::tree::{Expect, ExpectVerdict, ExprKind, Name, Setting};

impl<'a> Checker<'a> {
    /// Checks every `expect`.
    pub(super) fn check_expectations(&mut self) {
        let mut variants: Vec<&str> = self.names.variants.iter().map(|v| v.name.text.as_str()).collect();
        if variants.is_empty() {
            variants.push("original");
        }
        let mut scenarios: Vec<&str> = self.names.scenarios.iter().map(|s| s.name.text.as_str()).collect();
        if scenarios.is_empty() {
            scenarios.push("main");
        }
        for expect in self.names.expects.clone() {
            self.expectation(expect, &variants, &scenarios);
        }
    }

    fn expectation(&mut self, expect: &'a Expect, variants: &[&str], scenarios: &[&str]) {
        for name in &expect.variants {
            if !variants.contains(&name.text.as_str()) {
                self.unknown(codes::UNKNOWN_VARIANT, name, "variant", variants);
            }
        }
        for (i, setting) in expect.settings.iter().enumerate() {
            self.expected_setting(setting);
            if expect.settings[..i].iter().any(|other| other.name.text == setting.name.text) {
                let message = format!("`{}` is set twice", setting.name.text);
                self.error(codes::BAD_EXPECTATION, setting.name.span, message);
            }
        }
        for row in &expect.rows {
            let ExpectVerdict::Violated { scenarios: named, property } = &row.verdict else { continue };
            for name in named {
                if !scenarios.contains(&name.text.as_str()) {
                    self.unknown(codes::UNKNOWN_SCENARIO, name, "scenario", scenarios);
                }
            }
            if let Some(property) = property {
                self.expected_property(property);
            }
        }
        self.check_rows(expect);
    }

    /// `with NAME = value`: a value that `--set` could give.
    fn expected_setting(&mut self, setting: &'a Setting) {
        let message = match (self.names.get(&setting.name.text).map(|e| e.decl), &setting.value.kind) {
            (Some(Decl::Flag(words, _)), ExprKind::Name(word)) if words.iter().any(|w| w.text == word.text) => return,
            (Some(Decl::Flag(words, _)), _) => {
                let words: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
                format!("`{}` is one of {}", setting.name.text, base::suggest::list(&words))
            }
            (Some(Decl::Param(ty, _)), ExprKind::Int(value)) => match self.resolve_type(ty) {
                Type::Int(range) if !(i64::from(range.low)..=i64::from(range.high)).contains(value) => {
                    format!("`{}` is a number in {}..{}", setting.name.text, range.low, range.high)
                }
                _ => return,
            },
            (Some(Decl::Param(..)), _) => "a number is wanted here, as `--set` would give it".to_string(),
            (Some(_), _) => "only parameters and flags can be set from outside".to_string(),
            (None, value) => match refused(&setting.name.text, value) {
                Some(message) => message,
                None => return,
            },
        };
        self.error(codes::BAD_EXPECTATION, setting.value.span, message);
    }

    /// A property asserted in another scenario counts too, so all trees are searched.
    fn expected_property(&mut self, name: &'a Name) {
        let mut known: Vec<String> = BUILT_IN.map(String::from).to_vec();
        known.extend(self.properties.values().map(|p| p.name.clone()));
        for scenario in &self.names.scenarios {
            for thread in &scenario.threads {
                asserted_names(&thread.body, &mut known);
            }
        }
        if !known.contains(&name.text) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            self.unknown(codes::UNKNOWN_PROPERTY, name, "property", &known);
        }
    }

    /// A row after `all` is never looked up.
    fn check_rows(&mut self, expect: &'a Expect) {
        let mut seen: Vec<&Name> = Vec::new();
        for memory in expect.rows.iter().flat_map(|row| &row.memories) {
            let first = seen.iter().find(|n| n.text == memory.text || n.text == "all").map(|n| n.span);
            if let Some(first) = first {
                let message = format!("`{}` already has its verdict from a row above", memory.text);
                let diagnostic = self.error(codes::BAD_EXPECTATION, memory.span, message);
                diagnostic.hint = Some("for a memory model, the first row that names it counts: put `all` last".into());
                diagnostic.notes.push(base::diagnostic::Note { span: first, message: "this row".into() });
            }
            seen.push(memory);
        }
    }
}

/// Why no run has this value of a bound or switch of the machine, if none has.
fn refused(name: &str, value: &ExprKind) -> Option<String> {
    let numbers = match name {
        "K" | "buffer" | "history" => 1..=64,
        "speculate" => 0..=8,
        "spurious_failures"
        | "spurious_aborts"
        | "weak_isolation"
        | "lazy_conflicts"
        | "elide_locks"
        | "address_speculation" => {
            return (!matches!(value, ExprKind::Bool(_))).then(|| format!("`{name}` is `true` or `false`"));
        }
        _ => return None,
    };
    let is_one = matches!(value, ExprKind::Int(value) if numbers.contains(value));
    (!is_one).then(|| format!("`{name}` is a number in {}..{}", numbers.start(), numbers.end()))
}

/// Adds the names of all assertions in a block of text.
fn asserted_names(block: &syntax::tree::Block, known: &mut Vec<String>) {
    use syntax::tree::StmtKind as T;
    for stmt in &block.stmts {
        match &stmt.kind {
            T::Assert { name: Some(name), .. } => known.push(name.text.clone()),
            T::If { then, otherwise, .. } => {
                asserted_names(then, known);
                otherwise.iter().for_each(|b| asserted_names(b, known));
            }
            T::While { body, .. }
            | T::Loop(body)
            | T::Each { body, .. }
            | T::Atomic(body)
            | T::Then(body)
            | T::Issued(body)
            | T::StopTheWorld(body) => {
                asserted_names(body, known);
            }
            T::Transaction(transaction) => {
                asserted_names(&transaction.body, known);
                asserted_names(&transaction.handler, known);
            }
            T::Choose(blocks) => blocks.iter().for_each(|b| asserted_names(b, known)),
            _ => {}
        }
    }
}
