//! Certificates: they are there exactly where the opinion finds nothing violated, and damaged ones are refused.

use crate::runner::{Certified, certified, root};
use base::random::splitmix64;
use second::Refusal;

/// Files with few states, of all kinds: waiting, queues, guesses, transactions, passed labels, the bus.
const FOLDERS: [&str; 3] = ["tests/semantics", "tests/system", "tests/observed"];

fn all() -> Vec<Certified> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "lac"));
        files.sort();
        files.iter().for_each(|file| all.extend(certified(file)));
    }
    all
}

#[test]
fn what_the_opinion_finds_nothing_in_has_a_certificate_and_nothing_else_has() {
    let (mut n_written, mut n_refused, mut wrong) = (0, 0, Vec::new());
    for it in all() {
        let Some(holds) = it.holds() else { continue };
        match it.write(2_000) {
            Ok((n_states, bytes)) => {
                if !holds || it.verify(&bytes) != Ok(n_states) {
                    wrong.push(format!("{}: {:?} violated, and a certificate", it.name, it.violated(2_000)));
                }
                n_written += 1;
            }
            Err(why) => {
                let is_known = why.contains("Outside") || why.contains("GaveUp");
                wrong.extend((holds && !is_known).then(|| format!("{}: {why}", it.name)));
                n_refused += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_written > 300 && n_refused > 50, "{n_written} written, {n_refused} refused");
}

fn is_refused(it: &Certified, bytes: &[u8], what: &str) {
    let result = it.verify(bytes);
    assert!(matches!(&result, Err(refusal) if *refusal != Refusal::GaveUp(0)), "{}: {what}: {result:?}", it.name);
}

#[test]
fn no_bit_can_be_flipped_no_byte_left_out_and_no_state() {
    let mut random = 18;
    let mut n_damaged = 0;
    let certificates = all().into_iter().filter(|it| it.holds() == Some(true));
    let mut certificates: Vec<_> = certificates.filter_map(|it| Some((it.write(300).ok()?.1, it))).collect();
    certificates.retain(|(bytes, _)| bytes.len() > 20);
    for (bytes, it) in certificates.iter().step_by(7) {
        is_refused(it, &[], "nothing");
        is_refused(it, &[0], "no state");
        is_refused(it, &bytes[..bytes.len() - 1], "no end");
        is_refused(it, &[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], "a number without end");
        for _ in 0..20 {
            let mut flipped = bytes.clone();
            let at = (splitmix64(&mut random) % (8 * bytes.len() as u64)) as usize;
            flipped[at / 8] ^= 1 << (at % 8);
            is_refused(it, &flipped, &format!("bit {at}"));
            let cut = (splitmix64(&mut random) % bytes.len() as u64) as usize;
            is_refused(it, &bytes[..cut], &format!("cut at {cut}"));
            let mut less = bytes.clone();
            less.remove(cut);
            is_refused(it, &less, &format!("without byte {cut}"));
            n_damaged += 3;
        }
        for (n, less) in it.with_a_row_less(300).into_iter().enumerate().take(20) {
            is_refused(it, &less, &format!("without state {n}"));
            n_damaged += 1;
        }
    }
    assert!(n_damaged > 1_000, "{n_damaged}");
}

#[test]
fn a_certificate_is_taken_for_another_run_only_where_that_holds() {
    let certificates = all().into_iter().filter_map(|it| Some((it.write(300).ok().filter(|(n, _)| *n > 20)?.1, it)));
    let certificates: Vec<_> = certificates.collect();
    let mut n_refused = 0;
    let all_runs = all();
    for (bytes, from) in certificates.iter().step_by(5) {
        for to in all_runs.iter().step_by(3).filter(|to| to.name != from.name) {
            let is_taken = to.verify(bytes).is_ok();
            assert!(!is_taken || to.holds() == Some(true), "{} for {}", from.name, to.name);
            n_refused += usize::from(!is_taken);
        }
    }
    assert!(n_refused > 1_000, "{n_refused}");
}
