//! Pages that need nothing else: one document with its style, and tables.

const STYLE: &str = "body{font-family:sans-serif;max-width:76em;margin:2em auto;padding:0 1em;line-height:1.4}\
    table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}\
    th{background:#f4f4f4}pre{background:#f4f4f4;padding:.6em}.no{color:#b00}svg{max-width:100%}";

/// The page with this title and body.
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{}</title>\
         <style>{STYLE}</style></head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

/// A table of plain texts.
pub fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cells = |kind: &str, row: &[String]| {
        let cells: String = row.iter().map(|cell| format!("<{kind}>{}</{kind}>", escape(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let head: Vec<String> = head.iter().map(|cell| cell.to_string()).collect();
    let rows: String = rows.map(|row| cells("td", &row)).collect();
    format!("<table>\n{}{rows}</table>\n", cells("th", &head))
}

/// Text as it may stand in HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
