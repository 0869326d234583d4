//! What `docs/book/src/seeds.md` says of the papers: its files and variants exist, the verdicts that it states are those that the
//! files expect (which other tests measure), and its counts are right.

use crate::command::root;
use lacuna::parallel;
use lacuna::session::{Protocol, Scope, Switches, expected, memories, open, system};
use program::Expected;
use std::collections::BTreeMap;
use std::path::PathBuf;

const STATUSES: [&str; 4] = ["same", "stronger", "deviates", "not here"];

/// `| section | item | status | where, and why |` below the heading of a paper.
struct Row {
    paper: String,
    item: String,
    status: String,
    place: String,
}

/// `path`, `path#variant`, then settings `NAME=VALUE` and verdicts `memory=holds` or `memory:scenario=violated`.
struct Claim {
    path: PathBuf,
    variant: Option<String>,
    set: Vec<String>,
    /// Memory model, scenario, verdict.
    verdicts: Vec<(String, Option<String>, String)>,
}

impl Claim {
    fn needs_protocol(&self) -> bool {
        self.path.exists() && (self.variant.is_some() || !self.verdicts.is_empty())
    }
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/book/src/seeds.md")).expect("the page is there")
}

fn rows(page: &str) -> Vec<Row> {
    let (mut paper, mut rows) = (String::new(), Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            paper = heading.to_string();
        }
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if let [section, item, status, place] = cells[..]
            && section.starts_with('§')
        {
            let [item, status, place] = [item, status, place].map(str::to_string);
            rows.push(Row { paper: paper.clone(), item, status, place });
        }
    }
    rows
}

/// The code spans of a cell that name a file.
fn claims(place: &str) -> Vec<Claim> {
    let spans = place.split('`').skip(1).step_by(2);
    let is_file = |span: &&str| span.split_whitespace().next().is_some_and(|word| word.contains('/'));
    spans.filter(is_file).map(claim).collect()
}

fn claim(span: &str) -> Claim {
    let (file, rest) = span.split_once(' ').unwrap_or((span, ""));
    let (path, variant) = file.split_once('#').map_or((file, None), |(path, variant)| (path, Some(variant)));
    let (mut set, mut verdicts) = (Vec::new(), Vec::new());
    for (name, value) in rest.split_whitespace().filter_map(|word| word.split_once('=')) {
        if value == "holds" || value == "violated" {
            let (memory, scenario) = name.split_once(':').map_or((name, None), |(m, s)| (m, Some(s.to_string())));
            verdicts.push((memory.to_string(), scenario, value.to_string()));
        } else {
            set.push(format!("{name}={value}"));
        }
    }
    Claim { path: root().join(path), variant: variant.map(str::to_string), set, verdicts }
}

/// What is wrong with a claim.
fn judge(claim: &Claim, opened: &BTreeMap<PathBuf, Option<Protocol>>) -> Option<String> {
    if !claim.path.exists() {
        return Some("there is no such file".into());
    }
    if !claim.needs_protocol() {
        return None;
    }
    let Some(Some(protocol)) = opened.get(&claim.path) else { return Some("it does not load".into()) };
    let variants: Vec<&str> = protocol.outline.variants.iter().map(|variant| variant.name.as_str()).collect();
    let first = || variants.iter().find(|v| **v == "original").or(variants.first()).map_or("original", |v| v);
    let variant = claim.variant.as_deref().unwrap_or_else(first);
    if !variants.is_empty() && !variants.contains(&variant) {
        return Some(format!("there is no variant `{variant}`"));
    }
    let Some(expectations) = expectations(protocol, variant, claim) else {
        return Some("its settings are wrong".into());
    };
    let is_stated = |(memory, scenario, verdict): &&(String, Option<String>, String)| {
        let of_run = |(m, s, _): &&(&str, &str, Option<bool>)| m == memory && scenario.as_ref().is_none_or(|w| w == s);
        let found: Vec<Option<bool>> = expectations.iter().filter(of_run).map(|(_, _, holds)| *holds).collect();
        let is_known = !found.is_empty() && found.iter().all(Option::is_some);
        is_known && found.iter().all(|holds| *holds == Some(true)) == (verdict == "holds")
    };
    let wrong = claim.verdicts.iter().find(|verdict| !is_stated(verdict));
    wrong.map(|(memory, _, verdict)| format!("the file does not expect `{memory}={verdict}`"))
}

/// Memory model, scenario, and whether the file expects that it holds there, if it expects anything.
fn expectations<'a>(
    protocol: &'a Protocol,
    variant: &str,
    claim: &'a Claim,
) -> Option<Vec<(&'a str, &'a str, Option<bool>)>> {
    let scope = Scope::new(&claim.set, None, Switches::default()).ok()?;
    let mut found = Vec::new();
    for scenario in protocol.outline.scenarios.iter().map(|s| s.name.as_str()) {
        let system = system(protocol, variant, scenario, &scope.set).ok()?;
        for (name, _, _) in &claim.verdicts {
            let memory = memories(std::slice::from_ref(name), &scope.switches).ok()?.pop()?;
            let expected = expected(protocol, &scope, &system, &memory).ok()?;
            found.push((name.as_str(), scenario, expected.map(|expected| matches!(expected, Expected::Holds))));
        }
    }
    Some(found)
}

#[test]
fn files_and_variants_exist_and_have_the_verdicts_that_the_page_states() {
    let rows = rows(&page());
    let all: Vec<(&Row, Claim)> =
        rows.iter().flat_map(|row| claims(&row.place).into_iter().map(move |claim| (row, claim))).collect();
    let mut opened = BTreeMap::new();
    for (_, claim) in all.iter().filter(|(_, claim)| claim.needs_protocol()) {
        opened.entry(claim.path.clone()).or_insert_with(|| open(&claim.path).ok());
    }
    let judged = parallel::map(&all, |(row, claim)| {
        let found = judge(claim, &opened);
        found.map(|found| format!("{}, {}: {}: {found}", row.paper, row.item, claim.path.display()))
    });
    let wrong: Vec<String> = judged.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} claims are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_row_has_a_status_and_a_place_or_a_reason() {
    for Row { paper, item, status, place } in rows(&page()) {
        assert!(STATUSES.contains(&status.as_str()), "{paper}, {item}: what is `{status}`?");
        assert!(!place.is_empty(), "{paper}, {item}: says neither where nor why");
        assert!(status != "same" || !claims(&place).is_empty(), "{paper}, {item}: names no file");
    }
}

/// The table of counts: one line for each paper, and one for all.
#[test]
fn the_counts_on_the_page_are_those_of_its_rows() {
    let page = page();
    let rows = rows(&page);
    assert!(rows.len() >= 280, "{} items", rows.len());
    let mut papers: Vec<&str> = rows.iter().map(|row| row.paper.as_str()).collect();
    papers.dedup();
    let count = |of: &str, status: &str| {
        rows.iter().filter(|row| (of == "all" || row.paper == of) && row.status == status).count()
    };
    for paper in papers.into_iter().chain(["all"]) {
        let counts = STATUSES.map(|status| count(paper, status));
        let all: usize = counts.iter().sum();
        let line = format!("| {paper} | {all} | {} |", counts.map(|n| n.to_string()).join(" | "));
        assert!(page.contains(&line), "the page has no line\n{line}");
    }
}
