//! `simulate`: walks find violations, which the interpreter executes; they never say that something holds.

use crate::command::{ends, json, run};

const RACE: &str = "\
cell x: 0..9 = 0
thread adder[2] { each i in 1..4 { let seen = x; x = seen + 1 } }
forbid lost: x < 8
";

fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("lacuna-simulate-{}-{name}.lac", std::process::id()));
    std::fs::write(&path, text).expect("it can be written");
    path.display().to_string()
}

#[test]
fn a_violation_is_found_by_its_seed_shrunk_and_replayed() {
    let file = file("race", RACE);
    let simulate = ["simulate", &file, "--memory", "sc", "--seed", "7"];
    let found = json(&simulate);
    assert_eq!((&found[0]["verdict"], &found[0]["violations"][0]["property"]), (&"violated".into(), &"lost".into()));
    assert_eq!(found, json(&simulate), "the same seed finds the same");
    let trace = &found[0]["violations"][0]["trace"];
    let n_steps = trace["steps"].as_array().expect("steps").len() as u64;
    assert!(n_steps <= found[0]["violations"][0]["found_after"].as_u64().expect("a number"));
    let stored = format!("{file}.json");
    for text in [trace.to_string(), found.to_string()] {
        std::fs::write(&stored, text).expect("it can be written");
        ends(&["replay", &stored, &file], 0, &["violates lost"]);
    }
    ends(&simulate, 1, &["violated: lost", "seed 7", "distinct states seen", "lost is violated under sc"]);
}

#[test]
fn what_no_walk_violates_is_not_said_to_hold() {
    let file = file("right", &RACE.replace("x < 8", "x > 8"));
    for more in [&["--walks", "100"][..], &["--timeout", "0"], &["--walks", "0"], &["--depth", "0", "--walks", "9"]] {
        let words = [&["simulate", &file, "--memory", "sc,tso"], more].concat();
        ends(&words, 3, &["no violation found", "distinct states seen"]);
        assert!(!String::from_utf8_lossy(&run(&words).stdout).contains("holds"));
    }
    ends(&["simulate", &file, "--memory", "scc"], 2, &["did you mean `sc`"]);
}
