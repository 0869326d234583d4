//! The page itself: style and scripts from `assets/`, put into one HTML text, so that it needs neither a network nor a build.
//!
//! The scripts are modules that import one another on single lines. Here they become one module: in this order, without
//! their `import` lines and `export` words.

use crate::policy::policy;
use serde::Serialize;

const HTML: &str = include_str!("../assets/page.html");

const STYLES: [&str; 3] =
    [include_str!("../assets/colours.css"), include_str!("../assets/layout.css"), include_str!("../assets/panels.css")];

const SCRIPTS: [&str; 14] = [
    include_str!("../assets/dom.js"),
    include_str!("../assets/address.js"),
    include_str!("../assets/walk.js"),
    include_str!("../assets/lanes.js"),
    include_str!("../assets/steps.js"),
    include_str!("../assets/heap_layout.js"),
    include_str!("../assets/heap.js"),
    include_str!("../assets/memory.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/properties.js"),
    include_str!("../assets/why.js"),
    include_str!("../assets/report.js"),
    include_str!("../assets/controls.js"),
    include_str!("../assets/main.js"),
];

/// With whom the page may talk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    /// With the server that it comes from.
    Server,
    /// With nobody: it is a file.
    None,
}

/// The page as text, and what a browser may load for it.
pub(crate) struct Page {
    pub(crate) text: String,
    pub(crate) policy: String,
}

/// The page with its data inside.
pub(crate) fn page(title: &str, data: &impl Serialize, peer: Peer) -> Page {
    let data = serde_json::to_string(data).expect("plain data").replace('<', "\\u003c");
    let style = format!("\n{}", STYLES.concat());
    let script = format!("\n{}", SCRIPTS.iter().map(|script| inlined(script)).collect::<String>());
    let policy = policy(&style, &script, peer);
    let parts = [
        ("{{policy}}", policy.clone()),
        ("{{title}}", escaped(title)),
        ("{{style}}", style),
        ("{{script}}", script),
        ("{{data}}", data),
    ];
    Page { text: fill(HTML, &parts), policy }
}

/// The template with each mark replaced; what is put in is not looked at again.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((at, mark, text)) =
        parts.iter().filter_map(|(mark, text)| Some((rest.find(mark)?, mark, text))).min_by_key(|(at, ..)| *at)
    {
        out.push_str(&rest[..at]);
        out.push_str(text);
        rest = &rest[at + mark.len()..];
    }
    out + rest
}

/// A module as a part of a larger one.
fn inlined(script: &str) -> String {
    let lines = script.lines().filter(|line| !line.starts_with("import "));
    lines.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line))).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
