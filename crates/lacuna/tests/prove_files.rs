//! Small systems with invariants, and the matrices they must get: each `tests/prove/*.txt` is a command and what it prints.
//! `BLESS=1` writes what is printed today.

/// What is printed, with the exit code at the end and without times.
fn printed(command: &str) -> String {
    let arguments: Vec<&str> = command.strip_prefix("$ lacuna ").expect("a command").split_whitespace().collect();
    let (code, out, err) = crate::small_systems::lacuna("prove", &arguments);
    let steady = |line: &str| match (line.find(" in "), line.find(" s: ")) {
        (Some(from), Some(to)) if from < to => format!("{} in N{}", &line[..from], &line[to..]),
        _ => line.to_string(),
    };
    let lines: Vec<String> = err.lines().chain(out.lines()).map(steady).collect();
    format!("{command}\n{}\nexit {}\n", lines.join("\n"), code.unwrap_or(-1))
}

#[test]
fn matrices_are_as_stored() {
    crate::small_systems::assert_stored("prove", 10, printed);
}

#[test]
fn what_has_no_encoding_is_refused() {
    let refused = [
        (vec!["prove", "lock.lac", "--memory", "pso-no"], "lets more than loads pass stores"),
        (vec!["prove", "lock.lac", "--buffer", "0"], "a store buffer cannot hold 0 stores"),
        (vec!["prove", "lock.lac", "--only", "nothing"], "there is no row `nothing` to choose"),
    ];
    for (arguments, message) in refused {
        let (code, out, err) = crate::small_systems::lacuna("prove", &arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(err.contains(message) && err.contains("hint"), "{err}");
    }
}

#[test]
fn json_and_page_say_what_the_matrix_says() {
    let (code, out, _) = crate::small_systems::lacuna("prove", &["prove", "lock_alone.lac", "--json", "-"]);
    let reports: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &reports[0]["verdict"]), (Some(5), &"counterexample_to_induction".into()));
    let (_, page, _) = crate::small_systems::lacuna("prove", &["prove", "lock_alone.lac", "--html", "-"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("counterexample to induction"), "{page}");
    assert!(!page.contains("http"), "the page needs nothing from elsewhere");
}
