//! Lists in braces as text.

use super::Printer;
use super::flow::Flow;
use crate::tree::{Item, Name};

/// An entry of a list in braces.
pub(super) struct Entry {
    /// Where it begins in the source.
    pub(super) start: u32,
    /// Where it ends, as far as the tree knows.
    pub(super) end: u32,
    pub(super) flow: Flow,
}

/// How the entries of a list are separated.
#[derive(Clone, Copy)]
pub(super) enum Separator {
    /// Commas, also at the end of each line.
    Comma,
    /// `;` on one line, else only line ends.
    Semicolon,
}

/// An entry that begins with `name`.
pub(super) fn entry(name: &Name, end: u32, flow: Flow) -> Entry {
    Entry { start: name.span.start, end, flow }
}

impl Printer<'_> {
    /// `head { entries }`, on one line if it was and fits.
    pub(super) fn list(&mut self, head: Flow, entries: Vec<Entry>, separator: Separator, item: &Item) {
        if entries.is_empty() && !self.has_comment_before(item.span.end) {
            let mut head = head;
            head.push(" {}");
            return self.line(&head);
        }
        if self.try_flat_list(&head, &entries, separator, item) {
            return;
        }
        self.open_list(head);
        for entry in &entries {
            self.entry(entry, if matches!(separator, Separator::Comma) { "," } else { "" });
        }
        self.close_list(item);
    }

    pub(super) fn try_flat_list(&mut self, head: &Flow, entries: &[Entry], separator: Separator, item: &Item) -> bool {
        if !self.was_one_line(item.span) {
            return false;
        }
        let between = if matches!(separator, Separator::Comma) { ", " } else { "; " };
        let entries: Vec<String> = entries.iter().map(|entry| entry.flow.flat()).collect();
        let flat = format!("{} {{ {} }}", head.flat(), entries.join(between));
        let fits = self.fits(&flat);
        if fits {
            self.raw_line(&flat);
        }
        fits
    }

    pub(super) fn open_list(&mut self, mut head: Flow) {
        head.push(" {");
        self.open(&head);
    }

    pub(super) fn close_list(&mut self, item: &Item) {
        self.leave(item.span.end);
        self.line(&Flow::new("}"));
    }

    pub(super) fn entry(&mut self, entry: &Entry, suffix: &str) {
        self.before(entry.start);
        self.comments_inside(entry.end);
        let mut flow = entry.flow.clone();
        flow.push(suffix);
        self.line(&flow);
    }
}
