//! The calls and returns of a run that no order explains (`refines`).

use crate::protocol::System;
use crate::trace::Trace;
use automata::{Action, FetchOp, Op, PointId, ThreadId, Value};
use base::table::Id;
use machine::{Event, PlainState};
use program::typed::Specification;

/// The calls and returns that were reported, each with its step (from 1; 0 is the start). Empty if the run violates anything else.
pub fn calls(system: &System, trace: &Trace) -> Vec<(usize, String)> {
    let name = &system.automata.properties[trace.property].name;
    let is_violated = |it: &&Specification| system.program.properties[it.property].name == *name;
    let specifications: Vec<&Specification> =
        system.program.specifications.iter().map(|it| &**it).filter(is_violated).collect();
    let mut calls = Vec::new();
    for (n, step) in trace.begun.iter().map(|step| (0usize, step)).chain((1..).zip(&trace.taken)) {
        for event in &step.events {
            let Event::Perform { point, read: Some(read), wrote: Some(wrote), .. } = event else { continue };
            let before = &trace.states[n.saturating_sub(1)];
            let report = |it: &&Specification| event_of(system, it, before, (step.thread, *point), (*read, *wrote));
            if let Some((specification, event)) = specifications.iter().find_map(|it| Some((it, report(it)?))) {
                calls.push((n, specification.events[event].clone()));
            }
        }
    }
    calls
}

/// The event that was reported at a point, with the state of the specification before and after it.
fn event_of(
    system: &System,
    specification: &Specification,
    before: &PlainState,
    (thread, point): (ThreadId, PointId),
    (read, wrote): (Value, Value),
) -> Option<usize> {
    let automaton = &system.automata.threads[thread].automaton;
    let Action::Access(access) = &automaton.points[point].action else { return None };
    let Op::Fetch(FetchOp::Next(next), number) = &access.op else { return None };
    if next.states != specification.next {
        return None;
    }
    let leads = |event: usize| specification.after(read.into(), event as i64) == Some(wrote.into());
    let local = &before.locals[thread.index()];
    let reported = number.eval(&mut |register| local.register(*register).value());
    // Inside a larger step registers may have changed since: then any event that leads there.
    let reported = reported.and_then(|event| usize::try_from(event).ok()).filter(|event| leads(*event));
    reported.or_else(|| (0..specification.events.len()).find(|event| leads(*event)))
}
