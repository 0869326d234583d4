//! What diagnostics say: `data/mistakes.md` pairs wrong texts with what is printed for them.
//! `BLESS=1` rewrites the answers.

use crate::samples::rendered;
use std::fmt::Write;
use std::path::Path;

#[test]
fn mistakes_are_explained() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mistakes.md");
    let text = std::fs::read_to_string(&path).expect("the mistakes are there");
    let mut sections = text.split("\n## ");
    let mut answered = sections.next().unwrap_or("").to_string();
    let mut n_sections = 0;
    for section in sections {
        let (title, rest) = section.split_once('\n').expect("a section has a title and a body");
        let wrong = crate::samples::fenced(rest, "lac").first().copied().expect("a section has a text");
        let answer = rendered("wrong.lac", wrong);
        assert!(!answer.is_empty(), "`{title}` is not a mistake");
        let _ = write!(answered, "\n## {title}\n```lac\n{wrong}```\n```text\n{answer}```\n");
        n_sections += 1;
    }
    assert!(n_sections > 40);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, answered).expect("the file can be written");
    } else {
        assert_eq!(answered, text, "run with BLESS=1 to accept");
    }
}
