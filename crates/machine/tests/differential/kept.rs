//! Operations that keep program order: all of them make every memory model sequentially consistent, and some of them only ever
//! take runs away.

use super::{N_CELLS, Random, memories, options, plain, system};
use automata::{Access, Action, Address, Automata, CellId, Expr, Kept, Op, PointId, RegId};
use base::table::Id;
use machine::Reductions;
use memory::StoreConditional;

const MAX: usize = 4_000;

fn with(automata: &Automata, kept: &Kept) -> Automata {
    let mut automata = automata.clone();
    automata.threads.values_mut().for_each(|thread| thread.automaton.kept = kept.clone());
    automata
}

/// A random system of plain loads and stores, which show more of a memory model than others.
fn racy(random: &mut Random) -> Automata {
    let mut automata = system(random, false);
    for thread in automata.threads.values_mut() {
        let points = &mut thread.automaton.points;
        let n_points = points.len();
        points.values_mut().for_each(|point| point.action = Action::Safepoint);
        for n in 0..n_points.min(5) - 1 {
            let address = Address::cell(CellId(random.pick(u64::from(N_CELLS)) as u32));
            let op = if random.pick(2) == 0 { Op::Load } else { Op::Store(Expr::Const(1)) };
            let dst = op.is_read().then_some(RegId(n as u32 % 3));
            points[PointId::new(n)].action = Action::Access(Access { dst, ..Access::new(op, address) });
        }
        points[PointId::new(n_points.min(5) - 1)].action = Action::Halt;
    }
    automata
}

#[test]
fn program_order_alone_is_sequential_consistency() {
    let mut random = Random(0x5EED_0011);
    let sc = memory::builtin::find("sc").expect("built in");
    // With its walls, `sc` issues nothing while something is pending: not even an atomic region goes first.
    let options = options(Reductions { symmetry: false, ..Reductions::ALL });
    let (mut compared, mut n_fewer) = (0, 0);
    for n in 0..120 {
        let automata = if n % 2 == 0 { racy(&mut random) } else { system(&mut random, false) };
        let Some((expected, _)) = plain(&automata, &sc, &options, MAX) else { continue };
        let kept = with(&automata, &Kept::AllBut(Vec::new()));
        for memory in memories().iter().filter(|memory| memory.store_conditional == StoreConditional::Exact) {
            let Some((finals, _)) = plain(&kept, memory, &options, MAX) else { continue };
            assert_eq!(finals, expected, "{} {automata:#?}", memory.name);
            n_fewer += usize::from(plain(&automata, memory, &options, MAX).is_none_or(|(free, _)| free != finals));
            compared += 1;
        }
    }
    assert!(compared > 400 && n_fewer > 40, "{compared} compared, {n_fewer} with more when free");
}

#[test]
fn keeping_more_pairs_takes_runs_away_and_adds_none() {
    let mut random = Random(0x5EED_0012);
    let options = options(Reductions { symmetry: false, ..Reductions::ALL });
    let (mut compared, mut n_fewer) = (0, 0);
    for _ in 0..80 {
        let automata = racy(&mut random);
        let n_points = automata.threads.values().map(|thread| thread.automaton.points.len()).min().unwrap_or(1) as u64;
        let mut pair = || (PointId(random.pick(n_points) as u32), PointId(random.pick(n_points) as u32));
        let pairs: Vec<_> = (0..n_points * 2).map(|_| pair()).collect();
        let half = pairs[..pairs.len() / 2].to_vec();
        for memory in memories() {
            let finals = |kept: Kept| plain(&with(&automata, &kept), &memory, &options, MAX).map(|(finals, _)| finals);
            let chain =
                [Kept::AllBut(half.clone()), Kept::AllBut(pairs.clone()), Kept::Pairs(Vec::new()), Kept::Nothing];
            let keeping = [Kept::Pairs(pairs.clone()), Kept::Pairs(half.clone()), Kept::Nothing];
            for weaker_and_weaker in [&chain[..], &keeping[..]] {
                let found: Option<Vec<_>> = weaker_and_weaker.iter().map(|kept| finals(kept.clone())).collect();
                let Some(found) = found else { continue };
                assert!(found.windows(2).all(|pair| pair[0].is_subset(&pair[1])), "{} {automata:#?}", memory.name);
                n_fewer += usize::from(found[0] != found[found.len() - 1]);
                compared += 1;
            }
        }
    }
    assert!(compared > 400 && n_fewer > 40, "{compared} compared, {n_fewer} with fewer");
}
