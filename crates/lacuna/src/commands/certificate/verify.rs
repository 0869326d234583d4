//! `lacuna verify`: checks a certificate by the second opinion's rules, and nothing else.

use super::claim::Claim;
use super::file::Sealed;
use super::write::outside_in_words;
use crate::args::VerifyArgs;
use crate::exit::{Ended, Error, Exit, print};
use crate::limits;
use report::table::thousands;
use second::{Amount, Refusal};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs) -> Ended {
    let refused = |what: &str| Error::input(format!("`{}` is refused: {what}", args.certificate.display()));
    let mut sealed = Sealed::open(&args.certificate)?;
    for n in 0..sealed.n_claims {
        let claim = sealed.line().and_then(|line| serde_json::from_str::<Claim>(&line).ok());
        let claim = claim.ok_or_else(|| refused(&format!("claim {} is damaged", n + 1)))?;
        let (bound, begun) = (claim.bind(args.file.as_deref())?, Instant::now());
        let of = format!("{}: {}", args.file.as_ref().unwrap_or(&claim.file).display(), claim.label());
        let budget = limits::command();
        let amount = Amount { max_states: usize::MAX, is_over: &|| budget.look().is_some() };
        match second::verify(&bound.system.program, &bound.memory, &bound.options, amount, &mut sealed) {
            Ok(n_states) => print(&format!(
                "{of}: holds, {} states checked in {:.3} s\n",
                thousands(n_states),
                begun.elapsed().as_secs_f64()
            ))?,
            Err(Refusal::GaveUp(n_states)) => {
                print(&format!("{of}: inconclusive, {} states checked\n", thousands(n_states)))?;
                return Ok(Exit::Inconclusive);
            }
            Err(refusal) => return Err(refused(&format!("{}: {}", claim.label(), in_words(&refusal)))),
        }
    }
    if sealed.n_claims == 0 || !sealed.is_at_end() {
        return Err(refused("it does not end where it says"));
    }
    Ok(Exit::Holds)
}

fn in_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Outside(outside) => outside_in_words(outside),
        Refusal::Damaged => "what should be states is none".into(),
        Refusal::Twice(n) => format!("state {n} is there twice"),
        Refusal::NoState(n) => format!("state {n} is none: no state before it leads to one of its threads' states"),
        Refusal::Initial => "an initial state is missing".into(),
        Refusal::Open(n) => format!("a step of state {n} leads to a state that is missing"),
        Refusal::Violated(n, property) => format!("state {n} violates {property}"),
        Refusal::GaveUp(n) => format!("gave up after {n} states"),
    }
}
