//! What is shown of a list of events: rounds in which a thread only looks at the same again are counted, and what one step reads stands
//! together.

use crate::words::{EventKind, TraceEvent};

/// So many events a round has at most.
const MAX_ROUND: usize = 6;

/// One thing to show.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Item<'e> {
    /// An event, or several that read, of one step.
    Events(&'e [TraceEvent]),
    /// The round before is repeated so many times.
    Again {
        /// The last event of the last round.
        last: &'e TraceEvent,
        /// How many times.
        times: usize,
    },
}

/// The events, grouped.
pub(crate) fn items(events: &[TraceEvent]) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < events.len() {
        match round(&events[at..]) {
            Some((size, times)) => {
                items.extend(together(&events[at..at + size]));
                at += size * times;
                items.push(Item::Again { last: &events[at - 1], times: times - 1 });
            }
            None => {
                let n = reads(&events[at..]);
                items.push(Item::Events(&events[at..at + n]));
                at += n;
            }
        }
    }
    items
}

fn together(events: &[TraceEvent]) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < events.len() {
        let n = reads(&events[at..]);
        items.push(Item::Events(&events[at..at + n]));
        at += n;
    }
    items
}

/// How many of the first events read in one step of one thread; at least one.
fn reads(events: &[TraceEvent]) -> usize {
    let first = &events[0];
    let is_like = |event: &&TraceEvent| is_read(event) && (event.step, event.thread) == (first.step, first.thread);
    events.iter().take_while(is_like).count().max(1)
}

fn is_read(event: &TraceEvent) -> bool {
    matches!(event.kind, EventKind::Performed { wrote: None, issued_in: None, .. }) && event.arc.is_none()
}

/// The size of the round that the events begin with, and how often it comes, if that is three times or more.
fn round(events: &[TraceEvent]) -> Option<(usize, usize)> {
    (1..=MAX_ROUND.min(events.len() / 3)).find_map(|size| {
        let first = &events[..size];
        // Whole steps, in which the thread only looks.
        let is_whole = first[0].step > 0 && events.get(size).is_some_and(|next| next.step != first[size - 1].step);
        if !is_whole || !first.iter().all(|event| is_read(event) && event.thread == first[0].thread) {
            return None;
        }
        let is_same = |(one, other): (&TraceEvent, &TraceEvent)| {
            (one.thread, one.point, &one.kind) == (other.thread, other.point, &other.kind)
        };
        let again = |round: &&[TraceEvent]| round.iter().zip(first).all(is_same);
        let times = events.chunks_exact(size).take_while(again).count();
        (times > 2).then_some((size, times))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use automata::{CellId, PointId, ThreadId};
    use base::table::Id;

    fn read(step: usize, thread: usize, value: i32) -> TraceEvent {
        let cell = CellId::new(0);
        let kind = EventKind::Performed {
            cell,
            read: Some(value),
            wrote: None,
            from_queue: false,
            issued_in: None,
            newer: Vec::new(),
        };
        TraceEvent { step, thread: ThreadId::new(thread), point: PointId::new(0), kind, arc: None }
    }

    #[test]
    fn rounds_of_looking_are_counted_and_others_are_not() {
        let polls = [read(1, 0, 0), read(2, 0, 0), read(3, 0, 0), read(4, 0, 0), read(5, 0, 1)];
        let again = Item::Again { last: &polls[3], times: 3 };
        assert_eq!(items(&polls), [Item::Events(&polls[..1]), again, Item::Events(&polls[4..])]);
        let twice = [read(1, 0, 0), read(2, 0, 0), read(3, 1, 0)];
        assert_eq!(items(&twice).len(), 3, "two are shown as they are");
    }

    #[test]
    fn what_one_step_reads_stands_together() {
        let events = [read(1, 0, 0), read(1, 0, 1), read(2, 0, 0)];
        assert_eq!(items(&events), [Item::Events(&events[..2]), Item::Events(&events[2..])]);
    }
}
