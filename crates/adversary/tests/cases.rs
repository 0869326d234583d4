//! Many cases of all profiles: nobody disagrees with anybody.

use adversary::campaign::{Plan, campaign};
use adversary::generate::Profile;
use adversary::judge::Court;
use std::time::Duration;

/// As many as are judged in half a minute.
const CASES: u64 = 1_000;
const SEED: u64 = 0x1ACA;

#[test]
fn all_the_ways_in_which_lacuna_answers_agree() {
    let asked = std::env::var("ADVERSARY_CASES").ok().map(|n| n.parse().expect("a number"));
    let count = asked.unwrap_or(CASES);
    let plan = Plan { seed: SEED, count, profiles: Profile::all(), keep: 1, shrinking: Duration::from_secs(10) };
    let report = campaign(&Court::default(), &plan, &|_, _, _| {}, &|_| {});
    let skipped: u64 = report.rows.values().map(|row| row.skipped).sum();
    assert!(skipped * 10 < count, "{skipped} of {count} were skipped");
    let texts: Vec<String> = report.findings.iter().map(|finding| finding.text()).collect();
    assert!(report.n_disagreements() == 0, "{}\n{}", texts.join("\n\n"), report.table());
}
