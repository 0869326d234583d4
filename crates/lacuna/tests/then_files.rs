//! The small systems in `tests/then/`: each gets the verdicts it expects, with every reduction on and off.

use crate::small_systems::assert_expected;

#[test]
fn every_file_gets_the_verdicts_it_expects() {
    for switches in [&[][..], &["--speculate", "1"], &["--without", "symmetry,dead-registers,walls"]] {
        assert_expected("then", &["together.lac"], switches);
    }
}

#[test]
fn every_file_is_formatted() {
    let (code, out, err) = crate::small_systems::lacuna("then", &["fmt", "--check", "together.lac"]);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""));
}
