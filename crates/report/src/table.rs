//! Aligned text tables.

/// Rows with their columns aligned to the left, two spaces apart.
pub fn align(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let pad = |(cell, width): (&String, &usize)| {
            format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count())))
        };
        let cells = row.iter().zip(&widths).map(pad);
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// `text` in lines of at most `width` characters, the first behind `first` and the others behind as many spaces and two more.
pub fn wrap(first: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(first.chars().count() + 2);
    let mut line = first.to_string();
    let mut out = String::new();
    let mut is_begun = false;
    // A line number stays with its word.
    let text = text.replace("line ", "line\u{a0}");
    for word in text.split(' ') {
        if is_begun && line.chars().count() + 1 + word.chars().count() > width {
            out.push_str(line.trim_end());
            out.push('\n');
            line = indent.clone();
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line.push_str(word);
        is_begun = true;
    }
    format!("{out}{}\n", line.trim_end()).replace('\u{a0}', " ")
}

/// A number with its thousands apart: `1 234 567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// Bytes in a fitting unit: `1.2 GB`.
pub fn bytes(number: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{value:.1} {}", units[unit]) }
}
