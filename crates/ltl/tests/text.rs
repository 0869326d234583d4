//! Formulas as text: what is printed reads back, and what is wrong is reported.

use crate::generator::Random;
use ltl::read;

const NAMES: [&str; 3] = ["p", "q", "r"];

#[test]
fn what_is_printed_reads_back() {
    let mut random = Random(3);
    for _ in 0..5000 {
        let formula = random.formula(8, 3);
        let text = formula.words(&NAMES).to_string();
        assert_eq!(read(&text, &NAMES), Ok(formula), "{text}");
    }
}

#[test]
fn operators_bind_as_the_header_says() {
    let cases = [
        ("p implies q implies r", "p implies (q implies r)"),
        ("p or q and r", "p or (q and r)"),
        ("p and q until r", "p and (q until r)"),
        ("not p until q", "(not p) until q"),
        ("always p implies q", "(always p) implies q"),
        ("p until q release r", "p until (q release r)"),
        ("p and q and r", "(p and q) and r"),
        ("eventually not next p", "eventually (not (next p))"),
    ];
    for (short, full) in cases {
        assert_eq!(read(short, &NAMES), read(full, &NAMES), "{short}");
    }
}

#[test]
fn wrong_texts_are_refused_with_a_place() {
    let cases = [
        ("", "a formula is missing at byte 0"),
        ("p and", "a formula is missing at byte 5"),
        ("p q", "unexpected `q` at byte 2"),
        ("(p", "`)` is missing at byte 2"),
        ("p & q", "unexpected `&` at byte 2"),
        ("always s", "unknown atom `s` at byte 7"),
        ("and p", "unknown atom `and` at byte 0"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text, &NAMES).map_err(|error| error.to_string()), Err(expected.to_string()), "{text}");
    }
    let long = "not ".repeat(2000) + "p";
    assert!(read(&long, &NAMES).is_err_and(|error| error.message.contains("more than")));
    let deep = "(".repeat(999);
    assert!(read(&deep, &NAMES).is_err());
}
