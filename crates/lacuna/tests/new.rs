//! `lacuna new`: what it writes runs, and nothing is overwritten.

use crate::cli::{Folder, code, out, refuses};
use crate::command::{json, run};

#[test]
fn the_new_protocol_is_as_it_expects_and_not_vacuous() {
    let folder = Folder::new("new");
    let file = folder.path("barrier.lac");
    assert_eq!(code(&run(&["new", &folder.path("barrier")])), 0);
    assert_eq!(code(&run(&["check", &file, "--strict"])), 0);
    assert_eq!(code(&run(&["check", &file, "--memory", "all,real", "--strict"])), 0);
    assert_eq!(code(&run(&["check", &file, "--variant", "all", "--expect"])), 0);
    let broken = json(&["check", &file, "--variant", "no_barrier", "--memory", "sc"]);
    assert_eq!(broken[0]["property"], "no_lost_object");
    assert_eq!(code(&run(&["fmt", "--check", &file])), 0);
    let text = std::fs::read_to_string(&file).expect("it is there");
    assert!(text.contains("lacuna check barrier.lac") && !text.contains("NAME"), "{text}");
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new("new-again");
    let file = folder.file("taken.lac", "mine");
    refuses(&["new", &file], &["is there already", "hint"]);
    refuses(&["new", &folder.path("taken")], &["is there already"]);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "mine");
}

#[test]
fn a_name_that_no_file_could_use_is_refused() {
    let folder = Folder::new("new-names");
    for (name, words) in [
        ("thread", "`thread` is a keyword"),
        ("two words", "cannot be the name"),
        ("9lives", "cannot be the name"),
        ("a.b", "cannot be the name"),
        ("müll", "cannot be the name"),
        ("..", "cannot be the name"),
        ("nowhere/x", "cannot write"),
    ] {
        refuses(&["new", &folder.path(name)], &[words]);
    }
    refuses(&["new", ""], &["required"]);
    assert!(std::fs::read_dir(folder.path("")).expect("the folder").next().is_none(), "nothing is written");
}

#[test]
fn it_says_what_to_do_next() {
    let folder = Folder::new("new-next");
    let output = run(&["new", &folder.path("a.lac")]);
    assert!(out(&output).contains("lacuna check"), "{}", out(&output));
}
