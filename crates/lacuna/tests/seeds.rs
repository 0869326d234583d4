//! What `docs/book/src/seeds.md` says of the papers: its files and variants exist, the verdicts that it states are those that the
//! files expect, and those that a search finds, and its counts are right.

use crate::command::{is_full, root};
use lacuna::parallel;
use lacuna::session::{Protocol, Scope, Switches, expected, memories, open, system};
use memory::MemoryModel;
use program::Expected;
use std::collections::BTreeMap;
use std::path::PathBuf;
use workbench::{Question, RunOptions, System, Verdict};

/// Above how many states a search is left to `./test --full`.
const MOST_STATES: u64 = 3_000;

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
    verdicts: Vec<Stated>,
    /// Words that are none of these.
    unknown: Vec<String>,
}

/// What a claim says of one memory model, in one scenario or in all.
struct Stated {
    memory: String,
    scenario: Option<String>,
    holds: bool,
}

impl Stated {
    fn speaks_of(&self, scenario: &str) -> bool {
        self.scenario.as_deref().is_none_or(|named| named == scenario)
    }

    fn word(&self) -> &'static str {
        if self.holds { "holds" } else { "violated" }
    }
}

impl Claim {
    fn needs_protocol(&self) -> bool {
        self.path.exists() && (self.variant.is_some() || !self.verdicts.is_empty() || !self.set.is_empty())
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
    let (mut set, mut verdicts, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for word in rest.split_whitespace() {
        match word.split_once('=') {
            Some((name, value @ ("holds" | "violated"))) => {
                let (memory, scenario) = name.split_once(':').map_or((name, None), |(m, s)| (m, Some(s.to_string())));
                verdicts.push(Stated { memory: memory.into(), scenario, holds: value == "holds" });
            }
            Some(_) => set.push(word.to_string()),
            None => unknown.push(word.to_string()),
        }
    }
    Claim { path: root().join(path), variant: variant.map(str::to_string), set, verdicts, unknown }
}

/// What is wrong with a claim, or how many of its runs were searched to the end.
fn judge(claim: &Claim, opened: &BTreeMap<PathBuf, Option<Protocol>>) -> Result<usize, String> {
    if !claim.path.exists() {
        return Err("there is no such file".into());
    }
    if let Some(word) = claim.unknown.first() {
        return Err(format!("what is `{word}`?"));
    }
    if !claim.needs_protocol() {
        return Ok(0);
    }
    let Some(Some(protocol)) = opened.get(&claim.path) else { return Err("it does not load".into()) };
    let variants: Vec<&str> = protocol.outline.variants.iter().map(|variant| variant.name.as_str()).collect();
    let first = || variants.iter().find(|v| **v == "original").or(variants.first()).map_or("original", |v| v);
    let variant = claim.variant.as_deref().unwrap_or_else(first);
    if !variants.is_empty() && !variants.contains(&variant) {
        return Err(format!("there is no variant `{variant}`"));
    }
    let scope = Scope::new(&claim.set, None, Switches::default()).map_err(|_| "its settings are wrong")?;
    let mut n_searched = 0;
    for stated in &claim.verdicts {
        n_searched += judge_verdict(protocol, variant, (&scope, stated))?;
    }
    Ok(n_searched)
}

/// In every scenario that it speaks of, the file expects something and a search finds the same; what is stated is true of all.
fn judge_verdict(protocol: &Protocol, variant: &str, (scope, stated): (&Scope, &Stated)) -> Result<usize, String> {
    let named = std::slice::from_ref(&stated.memory);
    let memory = memories(named, &scope.switches).ok().and_then(|mut found| found.pop());
    let memory = memory.ok_or_else(|| format!("there is no memory model `{}`", stated.memory))?;
    let (mut n_expected, mut n_searched, mut all_hold) = (0, 0, true);
    for scenario in protocol.outline.scenarios.iter().map(|s| s.name.as_str()).filter(|s| stated.speaks_of(s)) {
        let system = system(protocol, variant, scenario, &scope.set).map_err(|_| "its settings are wrong")?;
        let expected = expected(protocol, scope, &system, &memory).map_err(|_| "its file contradicts itself")?;
        let expected = expected.ok_or_else(|| format!("the file expects nothing under `{}`", stated.memory))?;
        let holds = matches!(expected, Expected::Holds);
        if let Some(found) = searched(scope, &system, &memory) {
            if found != holds {
                return Err(format!("under `{}` in {scenario} a search finds the contrary", stated.memory));
            }
            n_searched += 1;
        }
        n_expected += 1;
        all_hold &= holds;
    }
    match n_expected > 0 && all_hold == stated.holds {
        true => Ok(n_searched),
        false => Err(format!("the file does not expect `{}={}`", stated.memory, stated.word())),
    }
}

/// Whether it holds, if the search is short.
fn searched(scope: &Scope, system: &System, memory: &MemoryModel) -> Option<bool> {
    let mut options = RunOptions::default();
    options.machine.queue_bound = if memory.speculate > 0 && !scope.is_bound_given { 6 } else { scope.queue_bound };
    options.machine.buffer = scope.switches.buffer;
    options.search.limits.max_states = (!is_full()).then_some(MOST_STATES);
    match Question::new(&system.automata, memory, &options).answer().verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        _ => None,
    }
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
        found.map_err(|found| format!("{}, {}: {}: {found}", row.paper, row.item, claim.path.display()))
    });
    let wrong: Vec<&str> = judged.iter().filter_map(|judged| judged.as_ref().err()).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} claims are wrong:\n{}", wrong.len(), wrong.join("\n"));
    let n_searched: usize = judged.iter().flatten().sum();
    assert!(n_searched >= 400, "{n_searched} runs were searched");
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
