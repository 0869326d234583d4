//! The page in a real browser, where there is one: a counterexample walked to its violation, an address shared, a state
//! searched for, a long trace, a report without a server.

use crate::page::browser::Browser;
use crate::page::{Explorer, STACCATO, lacuna, root, scratch, staccato_trace};
use lacuna::session::{memory_model, open, system};
use machine::{Interpreter, Options};
use serde_json::{Value, json};

const LEFT: &str = "\u{E012}";
const RIGHT: &str = "\u{E014}";
const HOME: &str = "\u{E011}";
const END: &str = "\u{E010}";
const ENTER: &str = "\u{E007}";

const PLACE: &str = "return document.getElementById('place').textContent";

/// The colour in which an object is shown.
fn colour(browser: &Browser, object: &str) -> String {
    browser.text(&format!("return document.querySelector('.heap .object[data-name=\"{object}\"]').dataset.colour"))
}

/// The lines of the text that the last step was at.
fn lines(browser: &Browser) -> Vec<Value> {
    let lines = browser.script("return [...document.querySelectorAll('.source .line.hit')].map(l => +l.dataset.line)");
    lines.as_array().cloned().unwrap_or_default()
}

#[test]
fn staccatos_counterexample_is_walked_to_its_violation() {
    let Some(browser) = Browser::start("walk") else { return };
    let trace = staccato_trace("pso-full", "walk.json");
    let explorer = Explorer::start(&[STACCATO, &trace.display().to_string()]);
    browser.go(&explorer.url());
    assert_eq!(browser.text(PLACE), "step 19 of 19", "the failing step is shown first");
    browser.press(&[HOME]);

    // Lanes: a column for each thread, a row for each thing; the late store has an arc from its issue to its perform.
    let heads =
        browser.script("return [...document.querySelectorAll('.lanes thead th')].slice(1).map(h => h.textContent)");
    assert_eq!(heads, json!(["collector", "mutator"]));
    assert_eq!(browser.script("return document.querySelectorAll('.arcs path.arc').length"), json!(1));
    let late = "return document.querySelector('.event.late').textContent";
    assert!(browser.text(late).contains("from.data ← 1"));
    let column = "return document.querySelector('.event.issue').parentElement.cellIndex";
    assert_eq!(browser.script(column), json!(2), "the issue is in the mutator's lane");

    // The heap: colours say what is reached.
    assert_eq!((colour(&browser, "from").as_str(), colour(&browser, "to").as_str()), ("reached", "unreached"));

    // Forward, step by step, by the keyboard alone.
    browser.press(&[RIGHT, RIGHT]);
    assert_eq!(browser.text(PLACE), "step 2 of 19");
    assert_eq!(lines(&browser), [json!(49)]);
    let queue = "return document.querySelector('[data-thread=mutator] .queue').textContent";
    assert!(browser.text(queue).contains("from.data ← 1"), "the store waits");
    browser.press(&[RIGHT]);
    let forward = "return document.querySelector('.object[data-name=from] [data-field=forward]').dataset.value";
    assert_eq!(browser.text(forward), "(from, true)");
    browser.press(&[LEFT]);
    assert_eq!(browser.text(forward), "(from, false)");

    // To the violation.
    browser.press(&[END]);
    assert_eq!(browser.text(PLACE), "step 19 of 19");
    assert_eq!((colour(&browser, "from").as_str(), colour(&browser, "to").as_str()), ("reached", "reached"));
    assert_eq!(lines(&browser), [json!(134)], "the assertion's line is shown, in the file where it stands");
    assert_eq!(browser.text("return document.querySelector('.tabs [aria-selected=true]').textContent"), "copying.lac");
    let chip = "return document.querySelector('.chip[data-name=lost_update]').dataset.now";
    assert_eq!(browser.text(chip), "fails");
    assert!(
        browser
            .text("return document.querySelector('.lanes tr.now .event.fail').textContent")
            .contains("violates lost_update")
    );
    assert!(
        browser
            .text("return document.getElementById('status').textContent")
            .starts_with("lost_update is violated here")
    );

    // Why, in words.
    let why = browser.wait("return document.querySelector('#why:not([hidden]) .cause .sentence')?.textContent");
    assert!(why.as_str().is_some_and(|why| why.contains("store to from.data (line 70) is performed after")), "{why}");
    browser.press(&[HOME]);
    assert_eq!(browser.text(chip), "holds");
    let _ = std::fs::remove_file(trace);
}

#[test]
fn an_address_is_a_state() {
    let Some(browser) = Browser::start("address") else { return };
    let explorer = Explorer::start(&[STACCATO, "--memory", "tso"]);
    browser.go(&explorer.url());
    // A digit takes the step of that number.
    browser.press(&["2"]);
    browser.wait("return document.body.dataset.at === '1'");
    browser.press(&["1"]);
    browser.wait("return document.body.dataset.at === '2'");
    browser.press(&[LEFT]);
    browser.wait("return location.hash.endsWith('at=1')");
    let address = browser.text("return location.href");
    let shown =
        "return ['lanes', 'heap', 'cells', 'threads', 'steps'].map(id => document.getElementById(id).textContent)";
    let before = browser.script(shown);
    browser.go(&address);
    assert_eq!(browser.text(PLACE), "step 1 of 2");
    assert_eq!(browser.script(shown), before);
    // The browser's own way back.
    browser.press(&[RIGHT, "1"]);
    browser.wait("return document.body.dataset.at === '3'");
    browser.script("history.back()");
    browser.wait("return document.body.dataset.at === '2'");
    assert_eq!(browser.text(PLACE), "step 2 of 2");
}

#[test]
fn a_state_is_searched_for_and_a_wrong_condition_is_said() {
    let Some(browser) = Browser::start("search") else { return };
    let explorer = Explorer::start(&[STACCATO, "--memory", "rmo-no"]);
    browser.go(&explorer.url());
    browser.press(&["/"]);
    browser.press(&"root == to".split("").filter(|key| !key.is_empty()).collect::<Vec<_>>());
    browser.press(&[ENTER]);
    browser.wait("return document.querySelector('.chip.watch')?.dataset.watch === 'true'");
    assert_eq!(browser.text("return document.querySelector('[data-cell=root] dd').textContent"), "to");
    assert!(browser.text("return location.hash").contains("where=root+%3D%3D+to"));

    browser.script("document.getElementById('where').value = 'root == nowhere'");
    browser.script("document.querySelector('form.search').requestSubmit()");
    browser.wait("return document.getElementById('status').textContent.includes('nowhere')");

    browser.script("document.getElementById('violation').click()");
    browser.wait("return document.querySelector('.chip[data-now=fails]')?.dataset.name === 'lost_update'");
}

/// A trace of `n` steps that loops among the enabled ones.
fn long_trace(n: usize) -> Value {
    let protocol = open(&root().join(STACCATO)).expect("it loads");
    let system = system(&protocol, "original", "general", &[]).expect("it is right");
    let memory = memory_model("sc").expect("it is built in");
    let options = Options::default();
    let interpreter = Interpreter::new(&system.automata, &memory, &options);
    let mut state = interpreter.initial().swap_remove(0).1;
    let mut steps = Vec::new();
    for i in 0..n {
        let mut enabled = interpreter.run_successors(&state).steps;
        let step = (i * 7 + 3) % enabled.len();
        steps.push(step);
        state = enabled.swap_remove(step).1;
    }
    json!({
        "variant": "original", "scenario": "general", "memory": "sc", "set": {}, "queue_bound": 4,
        "speculate": 0, "property": "lost_update", "initial": 0, "steps": steps,
    })
}

#[test]
fn a_trace_of_200_steps_is_there_at_once_and_steps_at_once() {
    let Some(browser) = Browser::start("long") else { return };
    let file = scratch("long.json");
    std::fs::write(&file, long_trace(200).to_string()).expect("written");
    let explorer = Explorer::start(&[STACCATO, &file.display().to_string()]);
    browser.go(&explorer.url());
    browser.press(&[HOME]);
    assert_eq!(browser.text(PLACE), "step 0 of 200");
    let loaded = browser.script("return +document.body.dataset.ready").as_f64().expect("a time");
    let each = browser
        .script(
            "const started = performance.now();
             for (let i = 0; i < 200; i++) {
                 document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
                 document.body.getBoundingClientRect();
             }
             return (performance.now() - started) / 200;",
        )
        .as_f64()
        .expect("a time");
    assert_eq!(browser.text(PLACE), "step 200 of 200");
    println!("200 steps: shown after {loaded:.0} ms; {each:.1} ms for each step, layout included");
    // The bar is a second. A machine that builds something else meanwhile may be several times slower.
    assert!(loaded < 5000.0, "shown after {loaded:.0} ms");
    assert!(each < 500.0, "{each:.1} ms for a step");
    let _ = std::fs::remove_file(file);
}

#[test]
fn a_report_is_stepped_through_without_a_server() {
    let Some(browser) = Browser::start("report") else { return };
    let file = scratch("stepped.html");
    let name = file.display().to_string();
    let status =
        lacuna(&["check", STACCATO, "-q", "--traces", "none", "--html", &name]).output().expect("it runs").status;
    assert_eq!(status.code(), Some(1));
    browser.go(&format!("file://{name}"));
    assert_eq!(browser.script("return document.querySelectorAll('.verdicts tbody tr').length"), json!(7));
    assert!(browser.text(PLACE).starts_with("step 19 of 19"));
    assert!(browser.text("return document.querySelector('#why .cause .sentence').textContent").contains("line 70"));
    assert_eq!(browser.script("return document.querySelectorAll('.arcs path.arc').length"), json!(1));
    browser.press(&[HOME, RIGHT]);
    assert!(browser.text(PLACE).starts_with("step 1 of"));
    // Another row, another counterexample.
    browser.script("document.querySelectorAll('.verdicts button')[4].click()");
    assert!(browser.text("return document.querySelector('.verdicts tr.shown').textContent").contains("relaxed"));
    assert_eq!(browser.text("return document.querySelector('.chip[data-name=lost_update]').dataset.now"), "fails");
    let _ = std::fs::remove_file(file);
}
