//! States, transitions and depths of whole folders of protocols: each `tests/counts/*.txt` is a command and what its runs count.
//! They change only where a rule or a reduction does. `BLESS=1` writes what is counted today.

use serde_json::Value;
use std::collections::BTreeMap;

/// The numbers of a run: states, transitions and depth, with what is violated; a run that hits a limit has none.
fn numbers(run: &Value) -> String {
    let word = match run["verdict"].as_str() {
        Some("inconclusive") => return "-".into(),
        Some("violated") => format!(" {}", run["property"].as_str().unwrap_or_default()),
        _ => String::new(),
    };
    format!("{}/{}/{}{word}", run["states"], run["transitions"], run["depth"])
}

/// A line for each variant and scenario of each file, and in it the numbers by memory model; those that are alike together.
fn counted(command: &str) -> String {
    let mut arguments: Vec<&str> = command.strip_prefix("$ lacuna ").expect("a command").split_whitespace().collect();
    arguments.extend(["--quiet", "--no-explain", "--traces", "none", "--json", "-"]);
    let (_, out, err) = crate::small_systems::lacuna("counts", &arguments);
    let runs: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {err}"));
    let mut lines: Vec<(String, BTreeMap<String, Vec<String>>)> = Vec::new();
    for run in runs.as_array().expect("runs") {
        let text = |key: &str| run[key].as_str().unwrap_or_default().to_string();
        let file = text("file");
        let file = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".lac");
        let name = format!("{file} {} {}", text("variant"), text("scenario"));
        if lines.last().is_none_or(|(last, _)| *last != name) {
            lines.push((name, BTreeMap::new()));
        }
        let (_, found) = lines.last_mut().expect("it was pushed");
        found.entry(numbers(run)).or_default().push(text("memory"));
    }
    let line = |(name, found): &(String, BTreeMap<String, Vec<String>>)| {
        let found: Vec<String> =
            found.iter().map(|(numbers, models)| format!("{}: {numbers}", models.join(" "))).collect();
        format!("{name} | {}\n", found.join(" | "))
    };
    format!("{command}\n{}", lines.iter().map(line).collect::<String>())
}

#[test]
fn states_transitions_and_depths_are_as_stored() {
    crate::small_systems::assert_stored("counts", 12, counted);
}
