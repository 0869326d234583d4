//! `check` of several files and of folders: which files are meant, one output for all, the worst exit code.

use crate::cli::{Folder, code, err, out, refuses};
use crate::command::{json, lacuna, run};
use serde_json::Value;

const HOLDS: &str = "cell x: 0..1 = 0\nthread t { x = 1 }\ninvariant fine: x < 2\n";
const VIOLATED: &str = "cell x: 0..1 = 0\nthread t { x = 1 }\ninvariant zero: x == 0\n";
const WRONG: &str = "cell x 0\n";
const FRAMEWORK: &str = "require proc act()\nthread t { act() }\n";
const PART: &str = "proc helps() { x = 1 }\n";
const USER: &str = "use framework\nuse part\ncell x: 0..1 = 0\nproc act() { helps() }\n";

/// A folder with these files, below it folders as their paths say.
fn folder(name: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(name);
    for (path, text) in files {
        let path = folder.path(path);
        std::fs::create_dir_all(std::path::Path::new(&path).parent().expect("a folder")).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }
    folder
}

/// The names of the protocols that are run, in their order.
fn names(runs: &Value) -> Vec<&str> {
    runs.as_array().expect("an array").iter().map(|run| run["protocol"].as_str().expect("a name")).collect()
}

#[test]
fn a_folder_means_its_protocols_and_no_frameworks() {
    let folder = folder(
        "folder",
        &[
            ("b.lac", HOLDS),
            ("a/user.lac", USER),
            ("framework.lac", FRAMEWORK),
            ("part.lac", PART),
            (".hidden/h.lac", WRONG),
            ("notes.txt", WRONG),
        ],
    );
    let runs = json(&["check", &folder.path(""), "--memory", "sc"]);
    assert_eq!(names(&runs), ["user", "b"]);
    assert!(runs[0]["file"].as_str().is_some_and(|file| file.ends_with("a/user.lac")), "{}", runs[0]["file"]);
}

#[test]
fn a_protocol_that_another_uses_is_checked_if_it_stands_alone() {
    let folder = folder("used", &[("base.lac", VIOLATED), ("more.lac", "use base\nthread u { x = 0 }\n")]);
    assert_eq!(names(&json(&["check", &folder.path(""), "--memory", "sc"])), ["base", "more"]);
}

#[test]
fn every_file_is_checked_once_and_in_the_order_named() {
    let folder = folder("once", &[("a.lac", HOLDS), ("b.lac", HOLDS)]);
    let (a, b, all) = (folder.path("a.lac"), folder.path("./b.lac"), folder.path(""));
    assert_eq!(names(&json(&["check", &b, &a, &all, &a, "--memory", "sc"])), ["b", "a"]);
}

#[test]
fn the_exit_code_is_that_of_the_worst_and_mistakes_do_not_stop_the_others() {
    let folder = folder("worst", &[("holds.lac", HOLDS), ("violated.lac", VIOLATED), ("wrong.lac", WRONG)]);
    let check = |names: &[&str]| {
        let paths: Vec<String> = names.iter().map(|name| folder.path(name)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        run(&[&["check", "--memory", "sc"], &paths[..]].concat())
    };
    assert_eq!(code(&check(&["holds.lac", "holds.lac"])), 0);
    assert_eq!(code(&check(&["violated.lac", "holds.lac"])), 1);
    let all = check(&["wrong.lac", "violated.lac", "absent.lac", "holds.lac"]);
    assert_eq!(code(&all), 2);
    assert!(out(&all).contains("violated: zero") && out(&all).contains("holds.lac"), "{}", out(&all));
    assert!(err(&all).contains("wrong.lac:1") && err(&all).contains("absent.lac"), "{}", err(&all));
    let only_wrong = check(&["wrong.lac", "absent.lac"]);
    assert_eq!((code(&only_wrong), out(&only_wrong)), (2, String::new()));
}

#[test]
fn expectations_that_contradict_one_another_do_not_stop_the_others() {
    let wrong = format!("{HOLDS}expect {{ sc: holds }}\nexpect {{ sc: violated }}\n");
    let folder = folder("contradiction", &[("a.lac", &wrong), ("b.lac", HOLDS)]);
    let output = run(&["check", &folder.path(""), "--memory", "sc"]);
    assert_eq!(code(&output), 2);
    assert!(out(&output).contains("b.lac") && !out(&output).contains("a.lac"), "{}", out(&output));
    assert!(err(&output).contains("already has another verdict"), "{}", err(&output));
}

#[test]
fn a_variant_that_one_file_lacks_is_said_of_that_file() {
    let folder = folder("lacks", &[("a.lac", HOLDS), ("b.lac", &format!("variant other {{}}\n{HOLDS}"))]);
    let output = run(&["check", &folder.path(""), "--variant", "other", "--memory", "sc"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("a.lac: there is no variant `other`"), "{}", err(&output));
    assert!(out(&output).contains("b.lac"), "{}", out(&output));
}

#[test]
fn every_output_is_one_file_over_all_protocols() {
    let folder = folder("outputs", &[("a.lac", HOLDS), ("b/a.lac", VIOLATED)]);
    let at = |name: &str| folder.path(name);
    let (junit, sarif, html) = (at("x.xml"), at("x.sarif"), at("x.html"));
    let arguments = ["check", &at(""), "--memory", "sc", "--junit", &junit, "--sarif", &sarif, "--html", &html];
    let output = run(&arguments);
    assert_eq!(code(&output), 1, "{}", err(&output));
    let read = |path: &str| std::fs::read_to_string(path).expect("it is written");
    let text = read(&junit);
    let xml = roxmltree::Document::parse(&text).expect("XML");
    let suites: Vec<_> = xml.descendants().filter(|node| node.has_tag_name("testsuite")).collect();
    assert_eq!(suites.iter().map(|suite| suite.attribute("failures")).collect::<Vec<_>>(), [Some("0"), Some("1")]);
    assert_eq!(xml.root_element().attribute("tests"), Some("2"));
    assert!(read(&sarif).contains("b/a.lac"), "{}", read(&sarif));
    assert!(read(&html).contains("b/a.lac: original"), "rows say which file they are of");
    assert!(out(&output).contains("b/a.lac: zero is violated"), "{}", out(&output));
}

#[test]
fn a_folder_without_protocols_is_refused() {
    let folder = folder("empty", &[("framework.lac", FRAMEWORK), ("deep/notes.txt", "")]);
    refuses(&["check", &folder.path("deep")], &["there is no protocol in", "lacuna new"]);
    refuses(&["check", &folder.path("")], &["there is no protocol in"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_a_circle_are_not_followed() {
    let folder = folder("circle", &[("deep/a.lac", HOLDS)]);
    std::os::unix::fs::symlink("..", folder.path("deep/up")).expect("a link");
    std::os::unix::fs::symlink("a.lac", folder.path("deep/same.lac")).expect("a link");
    let output = lacuna(&["check", &folder.path(""), "--memory", "sc"]).output().expect("it ends");
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(out(&output).matches("holds").count(), 2, "{}", out(&output));
}
