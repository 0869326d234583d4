//! Programs are accepted, small, and the same for the same seed.

use adversary::campaign::case;
use adversary::generate::{Profile, generate};
use adversary::setting::Setting;
use adversary::subject::Subject;
use std::collections::BTreeSet;

const CASES: u64 = 200;

#[test]
fn nearly_all_programs_of_every_profile_are_accepted() {
    for profile in Profile::all() {
        let is_accepted = |seed: &u64| Subject::new(&generate(&profile, *seed)).is_ok();
        let accepted = (0..CASES).filter(is_accepted).count() as u64;
        assert!(accepted * 100 >= CASES * 95, "{}: {accepted} of {CASES}", profile.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_case_and_another_seed_another() {
    for profile in Profile::all() {
        let show = |seed: u64| {
            let case = case(&profile, Setting::random, seed);
            format!("{} {}", case.setting.arguments(), case.text)
        };
        assert_eq!(show(7), show(7), "{}", profile.name);
        let different: BTreeSet<String> = (0..50).map(show).collect();
        assert!(different.len() >= 48, "{}: {} of 50", profile.name, different.len());
    }
}

#[test]
fn texts_are_in_the_usual_layout() {
    for profile in Profile::all() {
        for seed in 0..20 {
            let text = generate(&profile, seed);
            assert_eq!(syntax::format(&text).as_ref(), Ok(&text), "{} {seed}", profile.name);
        }
    }
}
