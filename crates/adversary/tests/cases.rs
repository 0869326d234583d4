//! Many cases of all profiles: nobody disagrees with anybody.

use adversary::campaign::{Plan, campaign};
use adversary::generate::Profile;
use adversary::judge::Court;
use adversary::setting::Setting;
use std::time::Duration;

/// Cases of each test; `./test --full` asks for more.
const CASES: u64 = 1_000;

/// In two tests, so that two cores are busy.
#[test]
fn all_the_ways_in_which_lacuna_answers_agree() {
    agree(0x1ACA);
}

#[test]
fn they_agree_on_other_programs_too() {
    agree(0x1ACA_0000);
}

fn agree(seed: u64) {
    let asked = std::env::var("ADVERSARY_CASES").ok().map(|n| n.parse().expect("a number"));
    let count = asked.unwrap_or(CASES);
    let plan = Plan {
        seed,
        count,
        profiles: Profile::all(),
        settings: Setting::random,
        keep: 1,
        shrinking: Duration::from_secs(10),
    };
    let report = campaign(&Court::default(), &plan, &|_, _, _| {}, &|_| {});
    let skipped: u64 = report.rows.values().map(|row| row.skipped).sum();
    assert!(skipped * 10 < count, "{skipped} of {count} were skipped");
    let texts: Vec<String> = report.findings.iter().map(|finding| finding.text()).collect();
    assert!(report.n_disagreements() == 0, "{}\n{}", texts.join("\n\n"), report.table());
}
