//! A line that may be too long: its text with the places where it may be broken.

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

/// The depths that an inner bracket adds. Inside it, 0 is a comma, and others are binding strengths.
pub(crate) const BRACKET: u32 = 16;
/// At these depths (`implies`, `or`, `and`) each part gets its own line; at others a line takes what fits.
const LOGICAL: std::ops::RangeInclusive<u32> = 1..=3;

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

    /// The text on lines of at most [`WIDTH`] where that can be, without indentation of the first.
    /// Later lines are indented by `indent + more`.
    pub(crate) fn lines(&self, indent: usize, more: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        self.fill(0, self.parts.len(), indent, more, &mut lines);
        let margin = " ".repeat(indent + more);
        for line in lines.iter_mut().skip(1) {
            line.insert_str(0, &margin);
        }
        lines
    }

    /// Appends the parts from `first` up to `last`. The last of `lines` is still open.
    fn fill(&self, first: usize, last: usize, indent: usize, more: usize, lines: &mut Vec<String>) {
        let flat = self.parts[first..last].join(" ");
        let margin = if lines.len() == 1 { indent } else { indent + more };
        let open = lines.last().map_or(0, |line| line.chars().count());
        let breaks = &self.depths[first..last - 1];
        let outermost = breaks.iter().min().copied();
        let (true, Some(outermost)) = (margin + open + flat.chars().count() > WIDTH, outermost) else {
            append(lines, &flat);
            return;
        };
        let mut start = first;
        for end in first + 1..=last {
            if end < last && self.depths[end - 1] != outermost {
                continue;
            }
            if start > first {
                self.separate(start, end, outermost, indent + more, lines);
            }
            self.fill(start, end, indent, more, lines);
            start = end;
        }
    }

    /// A space, or a new line if the parts from `start` to `end` do not fit or deserve their own.
    fn separate(&self, start: usize, end: usize, depth: u32, margin: usize, lines: &mut Vec<String>) {
        let length = self.parts[start..end].join(" ").chars().count();
        let open = lines.last().map_or(0, |line| line.chars().count());
        if LOGICAL.contains(&(depth % BRACKET)) || margin + open + 1 + length > WIDTH {
            lines.push(String::new());
        } else {
            append(lines, " ");
        }
    }
}

fn append(lines: &mut [String], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(text);
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
        flow.space(2);
        flow.push(&word);
        let lines = flow.lines(0, 4);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[2], format!("    {word}"));
        assert_eq!(flow.flat(), format!("{word}({word}, {word}) or {word}"));
    }
}
