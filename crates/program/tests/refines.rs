//! The automaton of a specification agrees with a search through all orders of each history (Wing and Gong 1993).
//!
//! Histories are random: any thread calls anything, and returns any result. The search knows the specifications from here, not from
//! the text.

use base::random::splitmix64;
use program::typed::Specification;
use program::{Settings, check, load};
use std::path::Path;

/// A call, with the events at which it begins and ends.
#[derive(Clone, Debug)]
struct Call {
    proc: String,
    argument: String,
    begin: usize,
    end: Option<(usize, String)>,
}

/// What an operation may do to a state of the specification: the states and results after it.
type Model = fn(&[i32], &str, &str) -> Vec<(Vec<i32>, String)>;

/// A queue of at most two numbers.
fn queue(state: &[i32], proc: &str, argument: &str) -> Vec<(Vec<i32>, String)> {
    match proc {
        "append" if state.len() == 2 => vec![(state.to_vec(), "false".into())],
        "append" => vec![([state, &[argument.parse().expect("a number")]].concat(), "true".into())],
        _ if state.is_empty() => vec![(Vec::new(), "2".into())],
        _ => vec![(state[1..].to_vec(), state[0].to_string())],
    }
}

/// A set of two nodes, of which any is taken; one that is in it cannot be put back.
fn set(state: &[i32], proc: &str, argument: &str) -> Vec<(Vec<i32>, String)> {
    const NODES: [&str; 2] = ["a", "b"];
    if proc == "release" {
        let node = NODES.iter().position(|name| *name == argument).expect("a node") as i32;
        let mut after = [state, &[node]].concat();
        after.sort_unstable();
        return if state.contains(&node) { Vec::new() } else { vec![(after, String::new())] };
    }
    if state.is_empty() {
        return vec![(Vec::new(), "null".into())];
    }
    let without = |node: &i32| state.iter().copied().filter(|other| other != node).collect();
    state.iter().map(|node| (without(node), NODES[*node as usize].to_string())).collect()
}

/// Whether some order of the calls explains all results: calls that do not overlap keep theirs, and one that has not ended may
/// be left out.
fn is_explained(model: Model, state: &[i32], calls: &[Call]) -> bool {
    if calls.iter().all(|call| call.end.is_none()) {
        return true;
    }
    let ends = |call: &Call| call.end.as_ref().map_or(usize::MAX, |(end, _)| *end);
    let first_end = calls.iter().map(ends).min().expect("one has ended");
    (0..calls.len()).filter(|n| calls[*n].begin < first_end).any(|n| {
        let mut rest = calls.to_vec();
        let call = rest.remove(n);
        let is_result = |result: &str| call.end.as_ref().is_none_or(|(_, ended)| ended == result);
        let after = model(state, &call.proc, &call.argument);
        after.iter().any(|(state, result)| is_result(result) && is_explained(model, state, &rest))
    })
}

fn specification(text: &str) -> Specification {
    let loaded = load(&|_: &Path| Ok(text.to_string()), Path::new("p.lac"));
    let (program, complaints) = check(&loaded, &Settings::default());
    let program = program.unwrap_or_else(|| panic!("{complaints:?} {:?}", loaded.diagnostics));
    (*program.specifications[0]).clone()
}

/// `client[0] calls put(1)` or `client[0] returns true from put`: the thread, and the call or the result.
fn read(event: &str) -> (&str, Result<(&str, &str), &str>) {
    let (thread, what) = event.split_once(' ').expect("a thread");
    if let Some(call) = what.strip_prefix("calls ") {
        let (proc, argument) = call.trim_end_matches(')').split_once('(').expect("arguments");
        return (thread, Ok((proc, argument)));
    }
    let result = what.strip_prefix("returns").expect("a return").split("from").next().expect("a result");
    (thread, Err(result.trim()))
}

/// Follows random histories; gives how many ended with no order, and how many calls there were.
fn compare(text: &str, model: Model, start: &[i32], seed: u64) -> (usize, usize) {
    let specification = specification(text);
    let mut random = seed;
    let (mut n_refused, mut n_calls) = (0, 0);
    for _ in 0..1_500 {
        let (mut state, mut calls) = (0i64, Vec::<Call>::new());
        let mut open: Vec<(&str, usize)> = Vec::new();
        for time in 0..12 {
            let possible: Vec<usize> = (0..specification.events.len())
                .filter(|event| {
                    let (thread, what) = read(&specification.events[*event]);
                    let is_in = open.iter().find(|(other, _)| *other == thread).map(|(_, call)| &calls[*call].proc);
                    match what {
                        Ok(_) => is_in.is_none(),
                        Err(_) => is_in.is_some_and(|proc| specification.events[*event].ends_with(proc.as_str())),
                    }
                })
                .collect();
            let event = possible[(splitmix64(&mut random) % possible.len() as u64) as usize];
            match read(&specification.events[event]) {
                (thread, Ok((proc, argument))) => {
                    open.push((thread, calls.len()));
                    calls.push(Call { proc: proc.into(), argument: argument.into(), begin: time, end: None });
                }
                (thread, Err(result)) => {
                    let at = open.iter().position(|(other, _)| *other == thread).expect("it is in a call");
                    calls[open.remove(at).1].end = Some((time, result.into()));
                }
            }
            state = specification.after(state, event as i64).expect("a state");
            let is_left = (state as usize) < specification.n_states;
            assert_eq!(is_left, is_explained(model, start, &calls), "{calls:?}");
            if !is_left {
                n_refused += 1;
                break;
            }
        }
        n_calls += calls.len();
    }
    (n_refused, n_calls)
}

const QUEUE: &str = "
param CLIENTS: 1..3 = 2
ghost values: queue 0..1 of 2 = {}
proc put(value: 0..1) -> bool {
    if size(values) == 2 { return false }
    values = push(values, value)
    return true
}
proc get() -> 0..2 {
    if values == {} { return 2 }
    let value = top(values)
    values = pop(values)
    return value
}
proc append(value: 0..1) -> bool refines put { return true }
proc take() -> 0..2 refines get { return 2 }
thread client[CLIENTS] { append(0); take() }
";

const SET: &str = "
object Node {}
heap { a: Node, b: Node }
ghost free: set Node = every Node
proc get() -> Node? {
    if free == {} { return null }
    let node = choose in free
    free = free without node
    return node
}
proc put(node: Node) { assume not (node in free); free = free with node }
proc alloc() -> Node? refines get { return null }
proc release(node: Node) refines put { skip }
thread client[2] { alloc(); release(a) }
";

#[test]
fn histories_of_a_queue_are_judged_as_by_trying_all_orders() {
    for (n_clients, seed) in [(1, 1), (2, 2), (3, 3)] {
        let text = QUEUE.replace("1..3 = 2", &format!("1..3 = {n_clients}"));
        let (n_refused, n_calls) = compare(&text, queue, &[], seed);
        assert!(n_refused > 300 && n_calls > 2_000, "{n_refused} {n_calls}");
    }
}

#[test]
fn histories_of_a_set_are_judged_as_by_trying_all_orders() {
    for threads in ["client[2]", "client[3]", "client"] {
        let (n_refused, n_calls) = compare(&SET.replace("client[2]", threads), set, &[0, 1], 4);
        assert!(n_refused > 300 && n_calls > 2_000, "{n_refused} {n_calls}");
    }
}
