//! A line that may be too long: its text with the places where it may be broken.

use std::ops::Range;

/// How wide a line should be at most.
pub(crate) const WIDTH: usize = 110;

/// Parts of one line with spaces between them; each space may become a line end.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    parts: Vec<String>,
    /// For the space after each part but the last: how deep inside the expression it stands.
    /// The outermost are broken first.
    depths: Vec<u32>,
}

/// The depths that an inner bracket adds. Inside it, 0 is a comma or a colon, and others are binding strengths.
pub(crate) const BRACKET: u32 = 16;
/// `implies`
const IMPLIES: u32 = 1;
/// `or` and `and`: a list, if it does not fit on a line.
const LIST: std::ops::RangeInclusive<u32> = 3..=4;
/// How much deeper a part stands that is inside of what is before it.
const STEP: usize = 4;

/// A line under construction: its indentation and its text.
struct Line {
    indent: usize,
    text: String,
}

/// Where some parts begin.
#[derive(Clone, Copy)]
struct Start {
    /// The bracket level of what begins its line here: a list at that level is aligned with its first part.
    fresh: Option<u32>,
    /// How much deeper than usual inner lines stand: the first part of a list that is not aligned stands as the others do.
    deeper: usize,
}

impl Line {
    fn width(&self) -> usize {
        self.indent + self.text.chars().count()
    }
}

impl Flow {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Flow { parts: vec![text.into()], depths: Vec::new() }
    }

    /// Appends `text` to what is there.
    pub(crate) fn push(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(last) => last.push_str(text),
            None => self.parts.push(text.to_string()),
        }
    }

    /// Appends a space that may become a line end.
    pub(crate) fn space(&mut self, depth: u32) {
        self.depths.push(depth);
        self.parts.push(String::new());
    }

    /// Appends what `other` holds.
    pub(crate) fn extend(&mut self, other: Flow) {
        let mut parts = other.parts.into_iter();
        self.push(&parts.next().unwrap_or_default());
        self.parts.extend(parts);
        self.depths.extend(other.depths);
    }

    /// The text on one line.
    pub(crate) fn flat(&self) -> String {
        self.parts.join(" ")
    }

    /// The text on lines of at most [`WIDTH`] where that can be, without indentation of the first. Lines that continue from the
    /// first are indented by `more`.
    ///
    /// A list whose parts are joined by `and` or `or` gets a line for each part, aligned, as the bullets of TLA+ are; what is
    /// inside a part stands deeper.
    pub(crate) fn lines(&self, indent: usize, more: usize) -> Vec<String> {
        let mut lines = vec![Line { indent, text: String::new() }];
        self.fill(0..self.parts.len(), Start { fresh: None, deeper: 0 }, more, &mut lines);
        let margin = |(n, line): (usize, Line)| match n {
            0 => line.text,
            _ => format!("{}{}", " ".repeat(line.indent), line.text),
        };
        lines.into_iter().enumerate().map(margin).collect()
    }

    /// Appends some parts. The last of `lines` is still open.
    fn fill(&self, parts: Range<usize>, at: Start, more: usize, lines: &mut Vec<Line>) {
        let (first, last) = (parts.start, parts.end);
        let flat = self.parts[first..last].join(" ");
        let (indent, width) = lines.last().map_or((0, 0), |line| (line.indent, line.width()));
        let outermost = self.depths[first..last - 1].iter().min().copied();
        let (true, Some(outermost)) = (width + flat.chars().count() > WIDTH, outermost) else {
            return append(lines, &flat);
        };
        let (level, kind) = (outermost / BRACKET, outermost % BRACKET);
        let is_list = LIST.contains(&kind);
        let margin = match lines.len() {
            _ if is_list && at.fresh == Some(level) => indent,
            1 => indent + at.deeper + more,
            _ => indent + at.deeper + STEP,
        };
        let mut start = first;
        for end in first + 1..=last {
            if end < last && self.depths[end - 1] != outermost {
                continue;
            }
            let is_new = start > first && (is_list || kind == IMPLIES || !self.fits(start, end, lines));
            if is_new {
                lines.push(Line { indent: margin, text: String::new() });
            } else if start > first {
                append(lines, " ");
            }
            let fresh = Some(level).filter(|_| is_new && !is_list);
            let deeper = if start == first && is_list { margin - indent } else { 0 };
            self.fill(start..end, Start { fresh, deeper }, more, lines);
            start = end;
        }
    }

    /// Whether the parts from `start` to `end` fit on the open line, after a space.
    fn fits(&self, start: usize, end: usize, lines: &[Line]) -> bool {
        let length = self.parts[start..end].join(" ").chars().count();
        lines.last().map_or(0, Line::width) + 1 + length <= WIDTH
    }
}

fn append(lines: &mut [Line], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.text.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_spaces_are_broken_first() {
        let word = "x".repeat(40);
        let mut flow = Flow::new(format!("{word}({word},"));
        flow.space(BRACKET);
        flow.push(&format!("{word}) or"));
        flow.space(3);
        flow.push(&word);
        let lines = flow.lines(0, 4);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[2], format!("    {word}"));
        assert_eq!(flow.flat(), format!("{word}({word}, {word}) or {word}"));
    }
}
