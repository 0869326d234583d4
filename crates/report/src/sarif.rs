//! Violations as SARIF 2.1.0: each at the line where the property fails, with the run as a code flow.

use crate::words::{EventKind, TraceEvent, phrase, trace_events};
use automata::Automata;
use base::{Sources, Span};
use serde_json::{Value, json};
use workbench::Trace;

/// One violation.
pub struct Finding<'a> {
    /// The system.
    pub automata: &'a Automata,
    /// Its text.
    pub sources: &'a Sources,
    /// The run that shows it.
    pub trace: &'a Trace,
    /// What is violated, and why.
    pub message: String,
}

/// A property of which there is no trace.
pub struct Remark<'a> {
    /// The text.
    pub sources: &'a Sources,
    /// The property.
    pub rule: String,
    /// SARIF's word: `fail`, `notApplicable` or `open`.
    pub kind: &'static str,
    /// SARIF's level: `error` or `none`.
    pub level: &'static str,
    /// Where it stands.
    pub span: Span,
    /// What became of it.
    pub message: String,
}

/// The log of all findings and remarks.
pub fn log(findings: &[Finding<'_>], remarks: &[Remark<'_>]) -> Value {
    let remarked = remarks.iter().map(|remark| remark.rule.as_str());
    let mut rules: Vec<&str> = findings.iter().map(Finding::rule).chain(remarked).collect();
    rules.sort();
    rules.dedup();
    let described = |rule: &&str| json!({ "id": rule, "shortDescription": { "text": format!("property {rule}") } });
    json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "tool": { "driver": {
                "name": "lacuna",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(described).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(Finding::result).chain(remarks.iter().map(Remark::result)).collect::<Vec<_>>(),
        }],
    })
}

impl Remark<'_> {
    fn result(&self) -> Value {
        json!({
            "ruleId": self.rule,
            "kind": self.kind,
            "level": self.level,
            "message": { "text": self.message },
            "locations": location(self.sources, self.span, None).into_iter().collect::<Vec<_>>(),
        })
    }
}

impl Finding<'_> {
    fn rule(&self) -> &str {
        &self.automata.properties[self.trace.property].name
    }

    fn result(&self) -> Value {
        let events = trace_events(self.automata, self.trace);
        let failed = events.iter().find(|what| matches!(what.kind, EventKind::Failed(_)));
        let span = failed.map_or(self.automata.properties[self.trace.property].span, |what| self.span(what));
        // A built-in property such as `deadlock` stands nowhere: then the last thing that happened is where.
        let span = if span.is_none() { events.last().map_or(span, |what| self.span(what)) } else { span };
        let mut result = json!({
            "ruleId": self.rule(),
            "level": "error",
            "message": { "text": self.message },
            "locations": self.location(span, None).into_iter().collect::<Vec<_>>(),
        });
        let flows: Vec<Value> = self.automata.threads.ids().filter_map(|thread| self.flow(&events, thread)).collect();
        if !flows.is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": flows }]);
        }
        result
    }

    fn span(&self, what: &TraceEvent) -> Span {
        self.automata.threads[what.thread].automaton.points[what.point].span
    }

    fn flow(&self, events: &[TraceEvent], thread: automata::ThreadId) -> Option<Value> {
        let own = events.iter().enumerate().filter(|(_, what)| what.thread == thread);
        let place = |(n, what): (usize, &TraceEvent)| {
            let location = self.location(self.span(what), Some(phrase(self.automata, what)))?;
            Some(json!({ "location": location, "executionOrder": n + 1 }))
        };
        let locations: Vec<Value> = own.filter_map(place).collect();
        (!locations.is_empty()).then(|| json!({ "id": self.automata.threads[thread].name, "locations": locations }))
    }

    fn location(&self, span: Span, message: Option<String>) -> Option<Value> {
        location(self.sources, span, message)
    }
}

fn location(sources: &Sources, span: Span, message: Option<String>) -> Option<Value> {
    let (source, place) = sources.place(span)?;
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&source.name) },
        "region": { "startLine": place.line, "startColumn": place.column },
    } });
    if let Some(text) = message.filter(|text| !text.is_empty()) {
        location["message"] = json!({ "text": text });
    }
    Some(location)
}

/// A file's name as a URI reference.
fn uri(name: &str) -> String {
    let mut uri = String::new();
    for byte in name.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
