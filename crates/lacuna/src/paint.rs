//! Colours for terminals that have them, and plain characters for those that have no others.
//!
//! Both look at finished text: nothing that computes a text knows of them. A character becomes one character, so that columns stay.

/// The colours of threads, by lane.
const LANES: [&str; 6] = ["35", "36", "33", "34", "32", "95"];

/// Titles of parts of an explanation.
const TITLES: [&str; 6] = ["property:", "waiting:", "cause:", "story:", "heap at the start:", "heap at the end:"];

/// Verdicts in a table, each with its colour.
const VERDICTS: [(&str, &str); 3] = [("violated", "1;31"), ("inconclusive", "33"), ("holds", "32")];

/// The text in colours.
pub(crate) fn coloured(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn line(line: &str) -> String {
    let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
    let painted = if TITLES.contains(&content) {
        paint("1", content)
    } else if content.contains('│') {
        lanes(content)
    } else {
        verdict(content)
    };
    painted + end
}

/// Each lane in the colour of its thread; what violates a property in red.
fn lanes(line: &str) -> String {
    let mut parts = line.split('│');
    let mut out = parts.next().unwrap_or("").to_string();
    // An arc is drawn with the same stroke as the border of a lane, which has a blank after it.
    let mut lane = 0;
    for part in parts {
        let is_border = part.starts_with(' ') || part.is_empty();
        let colour = LANES[lane % LANES.len()];
        let stroke = if is_border { "│".to_string() } else { paint(colour, "│") };
        lane += usize::from(is_border);
        let colour = if part.contains('✗') { "1;31" } else { LANES[(lane + LANES.len() - 1) % LANES.len()] };
        let content = if part.trim().is_empty() { part.to_string() } else { paint(colour, part) };
        out += &(stroke + &content);
    }
    out
}

/// The first verdict of a row of a table, which stands after two blanks.
fn verdict(line: &str) -> String {
    for (word, colour) in VERDICTS {
        if let Some((before, after)) = line.split_once(&format!("  {word}")) {
            return format!("{before}  {}{after}", paint(colour, word));
        }
    }
    line.into()
}

fn paint(colour: &str, text: &str) -> String {
    format!("\x1b[{colour}m{text}\x1b[0m")
}

/// The text in ASCII, as far as it is ours: other characters of names and sources stay.
pub(crate) fn plain(text: &str) -> String {
    let plain = |c: char| match c {
        '│' | '╎' | '┆' => '|',
        '─' | '—' | '–' => '-',
        '┼' | '╭' | '╰' => '+',
        '●' => '*',
        '○' | '◦' => 'o',
        '◑' | '◌' => '@',
        '·' => '.',
        '✗' | '×' => 'x',
        '✓' => '+',
        '←' => '<',
        '→' | '⇒' => '>',
        '⋮' => ':',
        '↻' | '…' => '~',
        '¬' => '!',
        other => other,
    };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without colours.
    fn bare(text: &str) -> String {
        let mut parts = text.split('\x1b');
        let first = parts.next().unwrap_or("").to_string();
        parts.fold(first, |all, part| all + part.split_once('m').map_or("", |(_, rest)| rest))
    }

    #[test]
    fn colours_change_no_character() {
        for text in ["   1 │ ● 7: x  x ← 1    │\n", "     │ │   ✗ violates p │ a", "  holds  3\n", "cause:\n  x\n", ""]
        {
            assert_eq!(bare(&coloured(text)), text);
        }
        assert!(coloured("   1 │ ● 7: x │ y").contains("\x1b[35m ● 7: x \x1b[0m"));
        assert!(coloured("original  main  violated: p").contains("\x1b[1;31mviolated\x1b[0m: p"));
    }

    #[test]
    fn plain_text_keeps_its_columns() {
        let text = "   1 │ ◑ 7: x  x ← 1 │╰ ✗ a → b …";
        assert!(plain(text).is_ascii());
        assert_eq!(plain(text).chars().count(), text.chars().count());
        assert_eq!(plain("é"), "é", "what is not ours stays");
    }
}
