//! Smaller automata for the same words.
//!
//! In order: states from which nothing is accepted go; marks where they do not matter go; marks that others imply go;
//! states with equal edges become one; edges that another makes superfluous go.

use crate::{Automaton, Edge, State, components};
use std::collections::BTreeMap;

pub(crate) fn reduce(mut automaton: Automaton) -> Automaton {
    drop_dead_states(&mut automaton);
    drop_implied_marks(&mut automaton);
    merge_equal_states(&mut automaton);
    automaton.states.iter_mut().for_each(drop_implied_edges);
    number_from_initial(automaton)
}

/// Keeps the edges that lead to where something is accepted, and marks only within components that accept.
fn drop_dead_states(automaton: &mut Automaton) {
    let n = automaton.states.len();
    let component = components(n, |state, out| {
        out.extend(automaton.states[state].edges.iter().map(|edge| edge.to as usize));
    });
    let all = automaton.all_marks();
    let mut marks = vec![None; n];
    for (from, edge) in edges(automaton) {
        if component[from] == component[edge.to as usize] {
            *marks[component[from]].get_or_insert(0) |= edge.marks;
        }
    }
    // Components are numbered from the ends: what an edge leads to is known before its source.
    let mut live: Vec<bool> = marks.iter().map(|marks| *marks == Some(all)).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|state| component[*state]);
    for state in order {
        live[component[state]] |= automaton.states[state].edges.iter().any(|edge| live[component[edge.to as usize]]);
    }
    for (from, state) in automaton.states.iter_mut().enumerate() {
        state.edges.retain(|edge| live[component[edge.to as usize]]);
        for edge in &mut state.edges {
            if component[from] != component[edge.to as usize] || marks[component[from]] != Some(all) {
                edge.marks = 0;
            }
        }
    }
}

fn edges(automaton: &Automaton) -> impl Iterator<Item = (usize, Edge)> {
    let with_source = |(from, state): (usize, &State)| state.edges.clone().into_iter().map(move |edge| (from, edge));
    automaton.states.iter().enumerate().flat_map(with_source)
}

/// Drops a mark if some other is on no edge without it: then it recurs whenever the other does.
fn drop_implied_marks(automaton: &mut Automaton) {
    let mut kept: Vec<u32> = (0..automaton.n_marks).collect();
    let has = |edge: &Edge, mark: u32| edge.marks >> mark & 1 == 1;
    for mark in 0..automaton.n_marks {
        let implied = |other: u32| other != mark && edges(automaton).all(|(_, e)| !has(&e, other) || has(&e, mark));
        if kept.iter().any(|other| implied(*other)) {
            kept.retain(|m| *m != mark);
        }
    }
    for edge in automaton.states.iter_mut().flat_map(|state| &mut state.edges) {
        let marks = kept.iter().enumerate().filter(|(_, mark)| edge.marks >> **mark & 1 == 1);
        edge.marks = marks.map(|(new, _)| 1 << new).sum();
    }
    automaton.n_marks = kept.len() as u32;
}

/// Merges states that no sequence of edges tells apart: blocks are split until their states have equal edges.
fn merge_equal_states(automaton: &mut Automaton) {
    let mut block = vec![0u16; automaton.states.len()];
    let mut n_blocks = 1;
    loop {
        let mut numbers: BTreeMap<(u16, Vec<Edge>), u16> = BTreeMap::new();
        let mut next = Vec::new();
        for (state, old) in automaton.states.iter().zip(&block) {
            let n = numbers.len() as u16;
            next.push(*numbers.entry((*old, renamed(state, &block))).or_insert(n));
        }
        block = next;
        if numbers.len() == n_blocks {
            break;
        }
        n_blocks = numbers.len();
    }
    let mut states = vec![None; n_blocks];
    for (state, own) in automaton.states.iter().zip(&block) {
        states[*own as usize].get_or_insert_with(|| State { edges: renamed(state, &block) });
    }
    automaton.initial = block[automaton.initial as usize];
    automaton.states = states.into_iter().flatten().collect();
}

/// The edges of a state, leading to blocks; sorted, each once.
fn renamed(state: &State, block: &[u16]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = state.edges.iter().map(|edge| Edge { to: block[edge.to as usize], ..*edge }).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Drops an edge if another to the same state may be taken whenever it may, and has its marks.
fn drop_implied_edges(state: &mut State) {
    let implies = |a: &Edge, b: &Edge| {
        a.to == b.to && a.must & !b.must == 0 && a.must_not & !b.must_not == 0 && b.marks & !a.marks == 0
    };
    let all = state.edges.clone();
    state.edges.retain(|edge| !all.iter().any(|other| other != edge && implies(other, edge)));
}

/// Numbers the states in the order in which they are reached; those that are not reached go.
fn number_from_initial(automaton: Automaton) -> Automaton {
    let mut number = vec![None; automaton.states.len()];
    let mut order = vec![automaton.initial];
    number[automaton.initial as usize] = Some(0u16);
    let mut next = 0;
    while let Some(state) = order.get(next).copied() {
        next += 1;
        for edge in &automaton.states[state as usize].edges {
            if number[edge.to as usize].is_none() {
                number[edge.to as usize] = Some(order.len() as u16);
                order.push(edge.to);
            }
        }
    }
    let block: Vec<u16> = number.iter().map(|number| number.unwrap_or(0)).collect();
    let states = order.iter().map(|state| State { edges: renamed(&automaton.states[*state as usize], &block) });
    Automaton { initial: 0, states: states.collect(), n_marks: automaton.n_marks }
}
