//! What a person sees of a violation in a browser, where there is one: the verdict, the cause and the failing step on the screen, readable and whole,
//! on three screens in two schemes, for protocols of five kinds. `page/audit.js` says what is wrong with a view.

use crate::command::is_full;
use crate::page::browser::Browser;
use crate::page::{Explorer, STACCATO, lacuna, scratch};
use serde_json::{Value, json};
use std::path::PathBuf;

const AUDIT: &str = include_str!("page/audit.js");
const SCREENS: [(u32, u32); 3] = [(1440, 900), (1024, 768), (400, 800)];
const SCHEMES: [&str; 2] = ["light", "dark"];

/// A protocol with a violated run, as `check` is asked for it.
const MODELS: [(&str, &str, &[&str]); 5] = [
    ("staccato", STACCATO, &["--memory", "pso-full"]),
    (
        "schism",
        "protocols/marking/schism/small.lac",
        &["--variant", "no_insertion_barrier", "--memory", "tso", "--buffer", "1", "--set", "REFS=2"],
    ),
    ("packets", "protocols/marking/active/deletion.lac", &["--variant", "satb_off", "--memory", "sc"]),
    ("lasso", "tests/liveness/starvation.lac", &["--memory", "sc"]),
    ("deadlock", "tests/explain/lock-order.lac", &["--memory", "sc"]),
];

/// The report and the stored trace of a model.
struct Checked {
    name: &'static str,
    file: &'static str,
    report: PathBuf,
    trace: PathBuf,
}

impl Checked {
    fn new((name, file, arguments): (&'static str, &'static str, &[&str])) -> Self {
        let (report, trace) = (scratch(&format!("{name}.html")), scratch(&format!("{name}.trace")));
        let (html, saved) = (report.display().to_string(), trace.display().to_string());
        let written = ["-q", "--traces", "none", "--html", &html, "--save-trace", &saved];
        let command = [&["check", file], arguments, &written].concat();
        let output = lacuna(&command).output().expect("lacuna runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name} is violated: {said}");
        Checked { name, file, report, trace }
    }

    fn address(&self) -> String {
        format!("file://{}", self.report.display())
    }

    /// What `lacuna explain` says of the stored trace, section by section.
    fn explained(&self) -> Vec<String> {
        let trace = self.trace.display().to_string();
        let output = lacuna(&["explain", &trace, self.file, "--json", "-"]).output().expect("lacuna runs");
        let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let sections = ["failed", "waits", "sentences", "story"];
        let sentences = sections.iter().filter_map(|section| all[0][section].as_array()).flatten();
        sentences.filter_map(|sentence| Some(sentence.as_str()?.trim().replace('`', ""))).collect()
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.report);
        let _ = std::fs::remove_file(&self.trace);
    }
}

/// What is wrong with the page as it is shown now.
fn audit(browser: &Browser) -> Vec<Value> {
    browser.script(AUDIT).as_array().cloned().unwrap_or_default()
}

/// The sentences of the explanation that the page shows.
fn shown(browser: &Browser) -> Value {
    browser.script("return [...document.querySelectorAll('#why .sentence')].map(p => p.textContent)")
}

#[test]
fn every_view_shows_the_verdict_and_the_failing_step_and_is_readable() {
    let Some(browser) = Browser::start("views") else { return };
    let mut wrong = Vec::new();
    for (n, model) in MODELS.into_iter().enumerate() {
        let model = Checked::new(model);
        for (s, screen) in SCREENS.into_iter().enumerate() {
            for (c, scheme) in SCHEMES.into_iter().enumerate() {
                // One of the two schemes each, unless all is asked for.
                if !is_full() && (n + s + c) % 2 == 1 {
                    continue;
                }
                browser.screen(screen, scheme);
                browser.go(&model.address());
                browser.settle();
                let found = audit(&browser).into_iter();
                wrong.extend(found.map(|what| format!("{} at {} {scheme}: {what}", model.name, screen.0)));
            }
        }
        assert_eq!(shown(&browser), json!(model.explained()), "{}: one source, the same words", model.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_live_page_and_the_report_show_the_same() {
    let Some(browser) = Browser::start("alike") else { return };
    let all = if is_full() { &MODELS[..] } else { &MODELS[3..4] };
    for model in all.iter().copied().map(Checked::new) {
        browser.screen(SCREENS[0], "light");
        browser.go(&model.address());
        let report = shown(&browser);
        let explorer = Explorer::start(&[model.file, &model.trace.display().to_string()]);
        browser.go(&explorer.url());
        browser.wait("return document.querySelectorAll('#why .sentence').length > 0");
        browser.settle();
        assert_eq!(audit(&browser), Vec::<Value>::new(), "{}, live", model.name);
        assert_eq!(shown(&browser), report, "{}", model.name);
    }
}

/// A collector that chooses what to free, with a root, a mark stack and a wrong promise.
const CHOOSES: &str = "object Node { mark: bool = false, next: Node? = null }
heap { a: Node { next = b }
       b: Node
       c: Node }
cell root: Node? = a
abstract mark_stack: set Node = {b}
abstract free: set Node = {c}
type Count = 0..2
cell x: Count = 0
param N: 1..3 = 1
thread collector {
    a.mark = true
    if x == 0 {
        let n = choose Count
        x = n
    }
    atomic { let o: Node = choose in {a, b}; free = free with o }
}
thread idle { skip }
forbid freed: b in free
";

#[test]
fn choices_roots_marks_and_settings_are_to_be_seen() {
    let Some(browser) = Browser::start("chooses") else { return };
    let file = scratch("chooses.lac");
    std::fs::write(&file, CHOOSES).expect("written");
    let explorer = Explorer::start(&[&file.display().to_string(), "--memory", "sc", "--set", "N=2"]);
    browser.screen(SCREENS[0], "light");
    browser.go(&explorer.url());
    assert_eq!(browser.text("return document.querySelector('.settings').textContent"), "N=2");
    let chosen = "return [...document.querySelectorAll('#steps .chosen')].map(c => c.textContent)";
    browser.press(&["1"]);
    browser.wait("return document.body.dataset.at === '1'");
    let values = browser.script(chosen);
    assert_eq!(values, json!(["chooses x ← 0", "chooses x ← 1", "chooses x ← 2"]), "each step says what it chooses");
    browser.script("document.getElementById('violation').click()");
    browser.wait("return document.querySelector('.chip[data-now=fails]')?.dataset.name === 'freed'");
    let looks = |object: &str| {
        let object = format!("document.querySelector('.heap .object[data-name=\"{object}\"]')");
        browser.script(&format!("return [{object}.classList.contains('freed'), {object}.dataset.colour]"))
    };
    assert_eq!(looks("a"), json!([false, "black"]));
    assert_eq!(looks("b"), json!([true, "white"]));
    let roots = "return [...document.querySelectorAll('.heap .root')].map(r => [r.dataset.name, r.classList[1]])";
    assert_eq!(browser.script(roots), json!([["root", "variable"], ["mark_stack", "collector"]]));
    let idle = "return document.querySelector('.lanes thead th.idle').getBoundingClientRect().width";
    assert!(browser.script(idle).as_f64().is_some_and(|width| width < 40.0), "a thread that does nothing is narrow");
    // k goes back, j forward.
    let at = browser.text("return document.body.dataset.at");
    browser.press(&["k", "k", "j", "j"]);
    assert_eq!(browser.text("return document.body.dataset.at"), at);
    browser.press(&["k"]);
    assert_ne!(browser.text("return document.body.dataset.at"), at);
    let _ = std::fs::remove_file(file);
}
