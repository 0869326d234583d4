//! What the text says about the collector's runs is in the recorded files.

use std::collections::BTreeSet;
use tidy::{files, root, short, text};

/// The runs, and the text about them: a heading, or all of a file.
const RUNS: [&str; 3] = ["2026-11-16-rtm", "2026-11-18-rtm", "2026-11-16-collector"];
const TEXTS: [(&str, Option<&str>); 6] = [
    ("docs/book/src/collector.md", None),
    ("docs/book/src/htm.md", None),
    ("docs/warts.md", Some("## The collector that runs")),
    ("bench/runs/2026-11-16-rtm/README.md", None),
    ("bench/runs/2026-11-18-rtm/README.md", None),
    ("bench/runs/2026-11-16-collector/README.md", None),
];

/// Numbers with a point in a text, as written.
fn decimals(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let words = words.map(|word| word.trim_matches('.'));
    words.filter(|word| word.split_once('.').is_some_and(|(_, fraction)| !fraction.contains('.')))
}

/// Every number of the recorded files, with three digits behind the point.
fn recorded() -> BTreeSet<String> {
    let folders = RUNS.map(|run| files(&root().join("bench/runs").join(run)));
    let is_data =
        |path: &&std::path::PathBuf| path.extension().is_some_and(|ending| ending == "txt" || ending == "csv");
    let texts: Vec<String> = folders.iter().flatten().filter(is_data).map(|path| text(path)).collect();
    let numbers = texts.iter().flat_map(|text| decimals(text)).filter_map(|word| word.parse::<f64>().ok());
    numbers.map(|number| format!("{number:.3}")).collect()
}

/// The lines below a heading, up to the next one of its level.
fn section(text: &str, heading: &str) -> String {
    let below = text.split_once(heading).unwrap_or_else(|| panic!("no `{heading}`")).1;
    below.split("\n## ").next().unwrap_or_default().to_string()
}

#[test]
fn every_ratio_in_the_text_about_runs_of_the_collector_was_recorded() {
    let recorded = recorded();
    assert!(recorded.len() > 1000, "the records are there");
    let mut made_up = Vec::new();
    for (name, heading) in TEXTS {
        let path = root().join(name);
        let all = text(&path);
        let part = heading.map_or(all.clone(), |heading| section(&all, heading));
        let ratios =
            decimals(&part).filter(|word| word.split_once('.').is_some_and(|(_, fraction)| fraction.len() == 3));
        made_up.extend(ratios.filter(|word| !recorded.contains(*word)).map(|word| format!("{}: {word}", short(&path))));
    }
    assert!(made_up.is_empty(), "in no recorded file: {made_up:?}");
}

/// Bars that a run reached, and all.
fn reached(file: &str, yes: &str, no: &str) -> (usize, usize) {
    let all = text(&root().join("bench/runs").join(file));
    let count = |ending: &str| all.lines().filter(|line| line.ends_with(ending)).count();
    (count(yes), count(yes) + count(no))
}

#[test]
fn the_counts_of_bars_are_those_of_the_recorded_runs() {
    let first = reached("2026-11-16-rtm/collector.txt", "reached", "MISSED");
    let [before, after] =
        ["before", "after"].map(|when| reached(&format!("2026-11-18-rtm/bars-{when}.csv"), ",true", ",false"));
    assert_eq!((first, before, after), ((8, 12), (7, 12), (8, 12)));
    for (name, words) in [
        ("README.md", "8 of 12 bars"),
        ("docs/status.md", "8 of 12 bars"),
        ("docs/warts.md", "Five bars were missed on 2026-11-18 before changes and four after"),
        ("bench/runs/2026-11-16-rtm/README.md", "Eight of twelve are reached"),
        ("bench/runs/2026-11-18-rtm/README.md", "five before, four after"),
    ] {
        assert!(text(&root().join(name)).contains(words), "{name} should say `{words}`");
    }
}

/// The tables of the run's page: wanted, and measured before and after.
#[test]
fn the_bars_of_the_last_run_are_in_its_table() {
    let page = text(&root().join("bench/runs/2026-11-18-rtm/README.md"));
    let table = section(&page, "## Bars");
    let numbers: BTreeSet<&str> = decimals(&table).collect();
    for when in ["before", "after"] {
        let bars = text(&root().join(format!("bench/runs/2026-11-18-rtm/bars-{when}.csv")));
        for bar in bars.lines().skip(1) {
            let [is_reached, measured] = {
                let mut fields = bar.rsplit(',');
                [fields.next(), fields.next()].map(Option::unwrap_or_default)
            };
            let measured: f64 = measured.parse().expect("a number");
            let shown = [format!("{measured:.3}"), format!("{measured:.2}"), format!("{measured:.1}")];
            let found = shown
                .iter()
                .find(|number| numbers.contains(number.as_str()))
                .unwrap_or_else(|| panic!("{when}: {bar}"));
            let is_bold = table.contains(&format!("**{found}**"));
            assert_eq!(is_bold, is_reached == "false", "{when}: {bar}, shown as {found}");
        }
    }
}
