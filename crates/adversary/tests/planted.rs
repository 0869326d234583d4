//! An opinion that is wrong on purpose is found out, and the program that shows it is made small.

use adversary::campaign::{Plan, campaign};
use adversary::generate::Profile;
use adversary::judge::Court;
use adversary::opinion::{Answer, Opinion};
use adversary::setting::Setting;
use adversary::subject::Subject;
use std::collections::BTreeSet;
use std::time::Duration;

/// Says that nothing is violated wherever a program has a fence of one kind.
struct Wrong;

impl Opinion for Wrong {
    fn name(&self) -> String {
        "a wrong opinion".into()
    }

    fn answer(&self, subject: &Subject, _: &Setting) -> Option<Answer> {
        let is_misled = subject.text.contains("fence store_store");
        is_misled.then(|| Answer { violated: Some(BTreeSet::new()), ..Answer::default() })
    }
}

/// Panics where a program swaps.
struct Panics;

impl Opinion for Panics {
    fn name(&self) -> String {
        "an opinion that panics".into()
    }

    fn answer(&self, subject: &Subject, _: &Setting) -> Option<Answer> {
        assert!(!subject.text.contains(".swap("), "there is a swap");
        None
    }
}

fn findings(opinion: Box<dyn Opinion>) -> Vec<adversary::campaign::Finding> {
    let profiles = vec![Profile::find("orders").expect("there is one")];
    let shrinking = Duration::from_secs(30);
    let plan = Plan { seed: 1, count: 40, profiles, settings: Setting::random, keep: 1, shrinking };
    let court = Court::of(Vec::new(), vec![opinion]);
    campaign(&court, &plan, &|_, _, _| {}, &|_| {}).findings
}

#[test]
fn a_wrong_opinion_is_found_out_and_the_program_made_small() {
    let found = findings(Box::new(Wrong));
    let finding = found.iter().find(|f| f.disagreement.check == "a wrong opinion").expect("it is found out");
    let text = &finding.least.text;
    assert!(text.contains("fence store_store"), "{text}");
    assert!(text.lines().count() <= 10, "{text}");
    assert!(finding.text().contains("seed") && finding.text().contains("usual search"), "{}", finding.text());
}

#[test]
fn a_panic_is_a_disagreement() {
    let found = findings(Box::new(Panics));
    let finding = found.iter().find(|f| f.disagreement.check == "an opinion that panics").expect("it is found out");
    assert!(finding.disagreement.what.contains("there is a swap"), "{}", finding.text());
    assert!(finding.least.text.contains(".swap("), "{}", finding.least.text);
    assert!(finding.least.text.lines().count() <= 5, "{}", finding.least.text);
}
