//! Guarantees: which actions of a thread are looked at together in a proof.

use super::Checker;
use crate::codes;
use crate::names::{Decl, duplicate};
use crate::typed::{Guarantee, LabelPattern};
use syntax::tree::{self, Name};

impl<'a> Checker<'a> {
    /// Checks that the threads and labels of all guarantees exist.
    pub(super) fn check_guarantees(&mut self) {
        let all: Vec<&'a tree::Guarantee> = self.names.guarantees.clone();
        for (n, guarantee) in all.iter().enumerate() {
            if let Some(first) = all[..n].iter().find(|other| other.name.text == guarantee.name.text) {
                self.out.push(duplicate(&guarantee.name, first.name.span, "a guarantee"));
            }
            let checked = self.guarantee(guarantee);
            self.guarantees.extend(checked);
        }
    }

    fn guarantee(&mut self, guarantee: &'a tree::Guarantee) -> Option<Guarantee> {
        let name: &Name = &guarantee.thread;
        let Some(Decl::Thread(thread)) = self.names.get(&name.text).map(|entry| entry.decl) else {
            let known = self.names.all(|d| matches!(d, Decl::Thread(_)));
            self.unknown(codes::UNKNOWN_NAME, name, "thread", &known);
            return None;
        };
        let known = self.labels_of(thread);
        let mut labels = Vec::new();
        for label in &guarantee.labels {
            let pattern = LabelPattern { text: label.name.text.clone(), part: label.part };
            if !known.iter().any(|l| pattern.matches(l)) {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let who = format!("thread `{}` has", name.text);
                self.unknown_of(codes::UNKNOWN_LABEL, &label.name, &who, "label", &known);
                return None;
            }
            labels.push(pattern);
        }
        Some(Guarantee { name: guarantee.name.text.clone(), thread, labels })
    }
}
