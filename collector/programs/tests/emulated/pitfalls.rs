//! Pitfalls of hardware transactions on the real machine code, with emulated RTM: `pitfalls.rs` shows them in software.

use crate::emulation::{Setting, emulation};
use htm_emulator::{Emulator, Faults, Forbidden};
use methods::{
    Compare, Copying, Hardware, Method, Moves, Mutator, Omission, Options, Program, Progress, Step, Transactional,
    Transactions, Trigger, run,
};
use programs::{Kind, Workload};

/// Rounds of a batch and attempts in each.
const MAX_ATTEMPTS: u32 = 3 * 4;

/// The counter is odd from beginning to end.
fn odd(emulator: Emulator) -> Options {
    let hardware = Transactions::Given(emulator.rtm());
    Options { always_odd: true, trigger: Trigger::Never, hardware, ..Options::default() }
}

/// A program whose third step panics.
#[derive(Clone, Debug)]
struct Panics(u64);

impl Program for Panics {
    fn step<M: Method>(&mut self, _mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        self.0 += 1;
        assert!(self.0 < 3, "the third step panics");
        Ok(Progress::More)
    }
}

/// P2: what cannot commit is not repeated forever, and the fallback path moves it.
#[test]
fn attempts_are_bounded() {
    let Some((emulator, turn)) = emulation(Faults { at_begin_per_mille: 1000, ..Faults::NONE }) else { return };
    let setting = Setting {
        kind: Kind::Twins,
        n_mutators: 2,
        n_steps: 300,
        copying: Copying::Optimistic(Compare::Shadow),
        aborts_per_mille: 0,
        omission: Omission::None,
        moves: Moves::InTransactions,
        seed: 1,
    };
    let hopeless = setting.run(emulator).expect("nothing is wrong").collector;
    assert!(hopeless.tally.commits == 0 && hopeless.n_fallbacks() > 0 && hopeless.n_objects > 0);
    drop(turn);
    let Some((emulator, _turn)) = emulation(Faults { at_begin_per_mille: 700, ..Faults::NONE }) else { return };
    let batches = setting.run(emulator).expect("nothing is wrong").collector.batches;
    assert!(!batches.is_empty() && batches.iter().all(|moved| moved.n_attempts <= MAX_ATTEMPTS), "{batches:?}");
}

/// P3: a panic inside is an abort without a cause; outside, under a veto, it shows.
#[test]
fn a_panic_inside_a_transaction_shows() {
    let Some((emulator, _turn)) = emulation(Faults::NONE) else { return };
    let before = emulator.counts();
    let message = run::<Transactional<Hardware>, _>(odd(emulator), vec![Panics(0)]).err();
    assert_eq!(message.as_deref(), Some("mutator 0: the third step panics"));
    assert!(emulator.counts().since(&before).tally.aborts.iter().sum::<u64>() >= 4);
}

/// A program that spins in each step.
#[derive(Clone, Debug)]
struct Spins(u64);

impl Program for Spins {
    fn step<M: Method>(&mut self, _mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        std::hint::spin_loop();
        self.0 += 1;
        Ok(if self.0 < 20 { Progress::More } else { Progress::Done })
    }
}

/// P4: a forbidden instruction inside would be found and named, and the program continues outside.
#[test]
fn what_spins_inside_is_named() {
    let Some((emulator, _turn)) = emulation(Faults { stepped_per_mille: 1000, ..Faults::NONE }) else { return };
    let before = emulator.counts();
    let outcome = run::<Transactional<Hardware>, _>(odd(emulator), vec![Spins(0)]).expect("nothing is wrong");
    assert_eq!(outcome.mutators[0].n_vetoed_steps, 20, "no step can commit");
    assert!(emulator.counts().since(&before).n_forbidden >= 4 * 20);
    assert!(emulator.offences().iter().any(|offence| offence.forbidden == Forbidden::Pause));
}

/// P7: a collector that stands still in the odd phase holds nobody up, not even mutators that cannot commit.
#[test]
fn nobody_waits_for_the_collector_in_the_odd_phase() {
    for at_begin_per_mille in [0, 500, 1000] {
        let Some((emulator, _turn)) = emulation(Faults { at_begin_per_mille, ..Faults::NONE }) else { return };
        let program = Workload::new(Kind::Map, 500, 1);
        let outcome = run::<Transactional<Hardware>, _>(odd(emulator), vec![program]).expect("nothing is wrong");
        let stats = &outcome.mutators[0];
        // One step more says that the program is done; the last look at everything is no step, but may be under a veto.
        assert_eq!(stats.n_steps, 501);
        assert!(stats.n_transactional_steps + stats.n_vetoed_steps - stats.n_steps <= 1);
        assert_eq!(stats.n_vetoed_steps > 0, at_begin_per_mille > 0);
    }
}
