//! A name that is nearly right is answered with the right one, wherever it was typed.

use crate::cli::{STOPLESS, refuses};

#[test]
fn a_name_nearly_right_gets_the_right_one() {
    for (arguments, meant) in [
        (vec!["check", STOPLESS, "--variant", "for_rm"], "for_rmo"),
        (vec!["check", STOPLESS, "--scenario", "genral"], "general"),
        (vec!["check", STOPLESS, "--memory", "rmo_no"], "rmo-no"),
        (vec!["check", STOPLESS, "--memory", "reel"], "real"),
        (vec!["check", STOPLESS, "--set", "MUTATOR=2"], "MUTATORS"),
        (vec!["check", STOPLESS, "--set", "specualte=2"], "speculate"),
        (vec!["check", "litmus/SB.lac", "--property", "both_odl"], "both_old"),
        (vec!["check", "litmus/SB.lac", "--wait-free", "P2"], "P0"),
        (vec!["check", "litmus/SB.lac", "--without", "symetry"], "symmetry"),
        (vec!["orders", "litmus/SB.lac", "--costs", "amr"], "arm"),
        (vec!["scope", STOPLESS, "--vary", "MUTATOR=1..2"], "MUTATORS"),
        (vec!["explore", STOPLESS, "--variant", "for_rm"], "for_rmo"),
        (vec!["reproduce", "oopsla"], "oopsla17"),
    ] {
        refuses(&arguments, &[&format!("did you mean `{meant}`?")]);
    }
}

#[test]
fn a_name_that_is_near_to_none_gets_them_all() {
    refuses(&["check", "litmus/SB.lac", "--memory", "power"], &["= hint: there are: sc, tso"]);
    refuses(&["check", STOPLESS, "--variant", "unheard_of"], &["= hint: there are: original"]);
}
