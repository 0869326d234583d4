//! Circuits against exact arithmetic, value by value; and the solver against evaluation.

use sat::{Answer, Bits, Budget, Graph, Lit, Solver, Substitution};

/// Numbers on both sides of every border that matters.
const VALUES: [i64; 17] = [i64::MIN, i64::MIN + 1, -70000, -33, -8, -3, -2, -1, 0, 1, 2, 3, 7, 31, 32, 70000, i64::MAX];

type Operation = (&'static str, fn(&mut Graph, &Bits, &Bits) -> Bits, fn(i128, i128) -> Option<i128>);

const OPERATIONS: [Operation; 9] = [
    ("add", Graph::add, i128::checked_add),
    ("subtract", Graph::subtract, i128::checked_sub),
    ("multiply", Graph::multiply, i128::checked_mul),
    ("divide", Graph::divide, i128::checked_div),
    ("remainder", Graph::remainder, i128::checked_rem),
    ("shift left", Graph::shift_left, |a, b| (0..64).contains(&b).then(|| a << b)),
    ("shift right", Graph::shift_right, |a, b| (0..).contains(&b).then(|| a >> b.min(127))),
    ("less", |g, a, b| Bits::of_bool(g.less(a, b)), |a, b| Some(i128::from(a < b))),
    ("equal", |g, a, b| Bits::of_bool(g.equal(a, b)), |a, b| Some(i128::from(a == b))),
];

#[test]
fn operations_on_constants_are_folded() {
    for (name, circuit, plain) in OPERATIONS {
        for a in VALUES {
            for b in VALUES {
                let mut graph = Graph::new();
                let result = circuit(&mut graph, &Bits::constant(a), &Bits::constant(b));
                let Some(exact) = plain(a.into(), b.into()) else { continue };
                assert_eq!(result.value(), Some(exact as i64), "{name} of {a} and {b}");
                // The bits beyond the lower 64: whether the number fits.
                let fits = graph.is_within(&result, i64::MIN, i64::MAX);
                assert_eq!(fits.value(), Some(i64::try_from(exact).is_ok()), "{name} of {a} and {b}");
            }
        }
    }
}

#[test]
fn operations_on_inputs_are_exact() {
    for (name, circuit, plain) in OPERATIONS {
        let mut graph = Graph::new();
        let (a, b) = (Bits::input(&mut graph, -4, 3), Bits::input(&mut graph, -2, 5));
        let result = circuit(&mut graph, &a, &b);
        for word in 0..1u32 << graph.n_inputs() {
            let inputs: Vec<bool> = (0..graph.n_inputs()).map(|i| word >> i & 1 == 1).collect();
            let number = |bits: &Bits| bits.read(|lit| graph.evaluate(&inputs, &[lit])[0]);
            let (x, y) = (number(&a), number(&b));
            if let Some(exact) = plain(x.into(), y.into()) {
                assert_eq!(i128::from(number(&result)), exact, "{name} of {x} and {y}");
            }
        }
    }
}

#[test]
fn an_input_holds_every_value_of_its_range() {
    for (low, high) in [(0, 0), (0, 1), (-1, 2), (3, 9), (-7, -2), (-1, -1)] {
        for value in low..=high {
            let mut graph = Graph::new();
            let input = Bits::input(&mut graph, low, high);
            let (is_it, is_within) = (graph.is(&input, value), graph.is_within(&input, low, high));
            let both = graph.and(is_it, is_within);
            let answer = Solver::new().solve(&graph, &[both], Budget::default());
            let Answer::Sat(inputs) = answer else { panic!("{value} is not in {low}..{high}") };
            assert_eq!(input.read(|lit| graph.evaluate(&inputs, &[lit])[0]), value);
        }
    }
}

#[test]
fn the_core_names_the_assumptions_that_conflict() {
    let mut graph = Graph::new();
    let (a, b, c) = (graph.input(), graph.input(), graph.input());
    let d = graph.input();
    let (both, neither) = (graph.and(a, b), graph.and(!a, d));
    let mut solver = Solver::new();
    assert_eq!(solver.solve(&graph, &[c, both, neither], Budget::default()), Answer::Unsat(vec![both, neither]));
    assert!(matches!(solver.solve(&graph, &[c, both], Budget::default()), Answer::Sat(_)));
    solver.require(&graph, !b);
    assert_eq!(solver.solve(&graph, &[both], Budget::default()), Answer::Unsat(vec![both]));
}

#[test]
fn a_budget_that_is_spent_gives_no_answer() {
    let mut graph = Graph::new();
    let a = graph.input();
    let budget = Budget { conflicts: Some(0), ..Budget::default() };
    assert_eq!(Solver::new().solve(&graph, &[a], budget), Answer::Unknown);
}

#[test]
fn what_a_substitution_does_not_touch_stays() {
    let mut graph = Graph::new();
    let (a, b, c, d) = (graph.input(), graph.input(), graph.input(), graph.input());
    let (left, right) = (graph.xor(a, b), graph.xor(b, c));
    let mut substitution = Substitution::new();
    substitution.replace(c, d);
    assert_eq!(substitution.apply(&mut graph, left), left);
    let replaced = substitution.apply(&mut graph, right);
    assert_eq!(replaced, graph.xor(b, d));
    let mut constant = Substitution::new();
    constant.replace(!b, Lit::TRUE);
    assert_eq!(constant.apply(&mut graph, right), c);
}
