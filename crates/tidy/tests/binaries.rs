//! Few test binaries, since each is linked: one for a crate's `tests/`, one for unit tests where there are any.

use std::path::Path;
use tidy::{crate_folders, files_with, section, text};

/// Whether any source of the crate has a line that `is` accepts.
fn any_line(folder: &Path, is: impl Fn(&str) -> bool) -> bool {
    files_with(&folder.join("src"), "rs").iter().any(|path| text(path).lines().any(|line| is(line.trim())))
}

#[test]
fn every_file_of_tests_is_a_module_of_the_one_binary() {
    let mut wrong = Vec::new();
    for folder in crate_folders().iter().filter(|folder| folder.join("tests").is_dir()) {
        let name = tidy::crate_name(folder);
        let manifest = text(&folder.join("Cargo.toml"));
        if !section(&manifest, "package").contains(&"autotests = false") {
            wrong.push(format!("{name}: no `autotests = false`, so each file is a binary"));
        }
        let all = text(&folder.join("tests/all.rs"));
        for path in folder.join("tests").read_dir().expect("it is there").flatten().map(|entry| entry.path()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let is_named = all.lines().any(|line| line.ends_with(&format!("mod {stem};")));
            if path.extension().is_some_and(|ending| ending == "rs") && stem != "all" && !is_named {
                wrong.push(format!("{name}: `tests/all.rs` has no `mod {stem};`, so it is not run"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the line begins an example in a comment: ` ``` ` and a word other than `text`.
fn is_example(line: &str) -> bool {
    let fence = line.trim_start_matches(['/', '!', ' ']).strip_prefix("```");
    line.starts_with("//") && fence.is_some_and(|word| !word.is_empty() && word != "text")
}

#[test]
fn a_library_has_a_test_binary_only_for_unit_tests() {
    let mut wrong = Vec::new();
    for folder in crate_folders().iter().filter(|folder| folder.join("src/lib.rs").is_file()) {
        let manifest = text(&folder.join("Cargo.toml"));
        let is_off = |what: &str| section(&manifest, "lib").contains(&format!("{what} = false").as_str());
        let has_tests = any_line(folder, |line| line == "#[test]");
        let has_examples = any_line(folder, is_example);
        for (what, has) in [("test", has_tests), ("doctest", has_examples)] {
            if has == is_off(what) {
                wrong.push(format!("{}: `{what} = false` in `[lib]`, or not?", tidy::crate_name(folder)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
