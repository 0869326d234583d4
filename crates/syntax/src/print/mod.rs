//! Tree to text. Without its source a tree is printed in canonical form: one text for equal trees,
//! whatever their spans. With its source, comments, blank lines and short blocks stay as they were.

mod expr;
mod flow;
mod item;
mod list;
mod packets;
mod stmt;
mod transactions;

use crate::layout::Layout;
use crate::token::Comment;
use crate::tree::Module;
use flow::{Flow, WIDTH};

/// The canonical text of a tree. Reading it again gives the same tree but for the spans.
pub fn print(module: &Module) -> String {
    print_with(module, None)
}

/// The text of a tree, laid out as its source, if given.
pub(crate) fn print_with(module: &Module, layout: Option<Layout<'_>>) -> String {
    let mut printer = Printer { layout, out: String::new(), indent: 0, at_start: true, has_comment: false };
    printer.module(module);
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'a> {
    layout: Option<Layout<'a>>,
    /// The text so far, without the end of its last line.
    out: String,
    /// The number of spaces before each new line.
    indent: usize,
    /// Whether the next line is the first of the file or block: no blank line comes before it.
    at_start: bool,
    /// Whether the last line ends with a comment.
    has_comment: bool,
}

impl Printer<'_> {
    /// Begins a new line with `text`.
    fn raw_line(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(&" ".repeat(self.indent));
        self.out.push_str(text);
        self.at_start = false;
        self.has_comment = false;
    }

    /// Begins a new line with `flow`, broken if it is too long.
    fn line(&mut self, flow: &Flow) {
        let more = if flow.flat().ends_with('{') { 8 } else { 4 };
        self.raw_line(&flow.lines(self.indent, more).join("\n"));
    }

    /// Ends the last line with `{` and goes inside.
    fn open(&mut self, flow: &Flow) {
        self.line(flow);
        self.indent += 4;
        self.at_start = true;
    }

    /// Writes the comments left in a block that ends at `end`, and goes outside.
    fn leave(&mut self, end: u32) {
        self.comments_before(end);
        self.indent = self.indent.saturating_sub(4);
    }

    fn fits(&self, text: &str) -> bool {
        self.indent + text.chars().count() <= WIDTH
    }

    /// Writes what comes before the entry that begins at `start`: comments and a blank line.
    fn before(&mut self, start: u32) {
        self.comments_before(start);
        self.blank_before(start);
    }

    fn blank_before(&mut self, offset: u32) {
        let blank = self.layout.as_ref().is_some_and(|layout| layout.blank_before(offset));
        if blank && !self.at_start {
            self.out.push('\n');
            self.at_start = true;
        }
    }

    /// Writes the comments before `offset`: at the end of the last line if they stood after something.
    fn comments_before(&mut self, offset: u32) {
        while let Some(comment) = self.next_comment(offset) {
            let Some(layout) = &self.layout else { return };
            if comment.own_line {
                let text = layout.slice(comment.span).to_string();
                self.blank_before(comment.span.start);
                self.raw_line(&text);
            } else if self.out.is_empty() || self.has_comment || self.out.ends_with('\n') {
                let text = layout.plain(comment);
                self.raw_line(&text);
            } else {
                let text = layout.slice(comment.span).to_string();
                self.out.push_str("  ");
                self.out.push_str(&text);
            }
            self.has_comment = true;
        }
    }

    /// Writes the comments before `end`, which stand inside the next entry, on lines of their own before it.
    fn comments_inside(&mut self, end: u32) {
        while let Some(comment) = self.next_comment(end) {
            let Some(layout) = &self.layout else { return };
            let text = layout.plain(comment);
            self.raw_line(&text);
            self.has_comment = true;
        }
    }

    fn next_comment(&mut self, offset: u32) -> Option<Comment> {
        self.layout.as_mut()?.comment_before(offset)
    }

    fn has_comment_before(&self, offset: u32) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.has_comment_before(offset))
    }

    /// Whether `span` stood on one line, with no comment left in it.
    fn was_one_line(&self, span: base::Span) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.is_one_line(span) && !layout.has_comment_before(span.end))
    }
}
