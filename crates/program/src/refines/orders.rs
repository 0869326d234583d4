//! Sets of orders of calls, and the automaton of them.
//!
//! An order is kept as what matters of it: the specification's ghosts after it, and of each thread whether it is in no call, in
//! one that is not in the order yet, or in one that is, with its result. A call that is not in the order yet can be put last at any
//! time before it returns. Of a set of orders only those are kept that come from no other one in this way: so equal sets are equal.
//! When a call returns, the orders remain in which it has that result.

use super::behaviour::{Behaviour, Endless, Ghosts};
use super::specification::{Moment, Specification};
use crate::typed::{ProcId, PropertyId, SharedId, ThreadId};
use crate::types::{Range, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// States of the automaton.
const MAX_STATES: usize = 1 << 16;
/// Events of all threads.
const MAX_EVENTS: usize = 4096;
/// States times events.
const MAX_ENTRIES: usize = 1 << 21;
/// Orders that are looked at while the automaton is made.
const MAX_ORDERS: usize = 1 << 20;
/// Parts of statements that all calls of the specification may execute, to make the automaton.
const MAX_EXECUTED: usize = 1 << 20;
/// States that are shown by the values of the ghosts.
const MAX_SHOWN: usize = 4096;
/// Values of the ghosts that are shown of one state.
const MAX_VALUES: usize = 3;

/// A copy of a thread, with the procedures that it calls.
pub(crate) struct Caller {
    pub(crate) thread: ThreadId,
    pub(crate) copy: u32,
    pub(crate) name: String,
    /// Each with the procedure of the specification that it refines.
    pub(crate) procs: Vec<(ProcId, ProcId)>,
}

/// Why there is no automaton.
#[derive(Debug)]
pub(crate) enum TooLarge {
    Events,
    States,
    Endless,
}

impl From<Endless> for TooLarge {
    fn from(_: Endless) -> Self {
        TooLarge::Endless
    }
}

/// What happens: a call with arguments, or a return with a result.
struct Event {
    caller: usize,
    proc: ProcId,
    what: What,
}

enum What {
    Call { of: ProcId, arguments: Vec<Value> },
    Return { result: Value },
}

/// What is kept of an order: the number of the ghosts' values, then of each caller what it is in.
type Order = Box<[u32]>;
type Orders = Vec<Order>;

/// A caller in no call. In call `e` it is `1 + e` before the call is in the order, and `1 + e` of the event of its return afterwards.
const IDLE: u32 = 0;

struct Maker<'b, 'p> {
    behaviour: &'b Behaviour<'p>,
    callers: &'b [Caller],
    events: Vec<Event>,
    ghosts: Vec<Ghosts>,
    numbers: FxHashMap<Ghosts, u32>,
    /// For ghosts and a call, what it may lead to: ghosts, and the event of its return.
    outcomes: FxHashMap<(u32, u32), Vec<(u32, u32)>>,
    first: FxHashMap<(ThreadId, u32, ProcId, Moment), usize>,
    n_orders: usize,
    n_left: usize,
}

/// The automaton for the calls that these threads make.
pub(crate) fn automaton(
    behaviour: &Behaviour<'_>,
    callers: &[Caller],
    (shared, property): (SharedId, PropertyId),
) -> Result<Specification, TooLarge> {
    let mut maker = Maker {
        behaviour,
        callers,
        events: Vec::new(),
        ghosts: Vec::new(),
        numbers: FxHashMap::default(),
        outcomes: FxHashMap::default(),
        first: FxHashMap::default(),
        n_orders: 0,
        n_left: MAX_EXECUTED,
    };
    maker.list_events()?;
    let start = maker.number(behaviour.initial());
    let mut states: Vec<Orders> = vec![vec![std::iter::once(start).chain(callers.iter().map(|_| IDLE)).collect()]];
    let mut known: FxHashMap<Orders, usize> = [(states[0].clone(), 0)].into_iter().collect();
    // What an event leads to; none where no order is left, or where it cannot happen.
    let mut next: Vec<Option<usize>> = Vec::new();
    let mut n_done = 0;
    while n_done < states.len() {
        for after in maker.after(&states[n_done].clone())? {
            next.push(match after {
                orders if orders.is_empty() => None,
                orders => Some(*known.entry(orders).or_insert_with_key(|orders| {
                    states.push(orders.clone());
                    states.len() - 1
                })),
            });
        }
        n_done += 1;
        if states.len() > MAX_STATES || next.len() > MAX_ENTRIES {
            return Err(TooLarge::States);
        }
    }
    let (n_states, n_events) = (states.len(), maker.events.len());
    let lost = |n: usize| n_states + n % n_events;
    let next = next.into_iter().enumerate().map(|(n, state)| state.unwrap_or(lost(n)) as Value).collect();
    Ok(Specification {
        shared,
        property,
        n_states,
        next,
        events: maker.events.iter().map(|event| maker.words(event)).collect(),
        shown: states.iter().take(MAX_SHOWN).map(|orders| maker.show(orders)).collect(),
        first: maker.first,
    })
}

impl Maker<'_, '_> {
    fn list_events(&mut self) -> Result<(), TooLarge> {
        for (n, caller) in self.callers.iter().enumerate() {
            for (proc, of) in &caller.procs {
                let body = &self.behaviour.procs[*proc];
                let types = self.behaviour.types;
                let ranges: Vec<Range> =
                    body.body.locals.values().take(body.n_params).map(|local| types.range(local.ty)).collect();
                let n_calls = ranges.iter().fold(1u64, |product, range| product.saturating_mul(range.count()));
                let results = body.result.map_or(Range::new(0, 0), |ty| types.range(ty));
                if n_calls.saturating_add(results.count()).saturating_add(self.events.len() as u64) > MAX_EVENTS as u64
                {
                    return Err(TooLarge::Events);
                }
                let place = |moment| (caller.thread, caller.copy, *proc, moment);
                self.first.insert(place(Moment::Call), self.events.len());
                for number in 0..n_calls {
                    let what = What::Call { of: *of, arguments: arguments(&ranges, number) };
                    self.events.push(Event { caller: n, proc: *proc, what });
                }
                self.first.insert(place(Moment::Return), self.events.len());
                let returns = |result| Event { caller: n, proc: *proc, what: What::Return { result } };
                self.events.extend(results.values().map(returns));
            }
        }
        Ok(())
    }

    fn number(&mut self, ghosts: Ghosts) -> u32 {
        let next = self.ghosts.len() as u32;
        *self.numbers.entry(ghosts).or_insert_with_key(|ghosts| {
            self.ghosts.push(ghosts.clone());
            next
        })
    }

    /// For each event, the orders that are left after it.
    fn after(&mut self, orders: &Orders) -> Result<Vec<Orders>, TooLarge> {
        let all = self.extended(orders)?;
        let mut after = Vec::with_capacity(self.events.len());
        for event in 0..self.events.len() {
            let Event { caller, what, .. } = &self.events[event];
            let (at, mark) = (1 + caller, 1 + event as u32);
            let set = |order: &Order, to: u32| {
                let mut order = order.clone();
                order[at] = to;
                order
            };
            after.push(match what {
                What::Call { .. } if orders.iter().all(|order| order[at] == IDLE) => {
                    let mut called: Orders = orders.iter().map(|order| set(order, mark)).collect();
                    called.sort();
                    self.count(called.len())?;
                    called
                }
                What::Call { .. } => Vec::new(),
                What::Return { .. } => {
                    let left = all.iter().filter(|order| order[at] == mark).map(|order| set(order, IDLE)).collect();
                    self.least(left)?
                }
            });
        }
        Ok(after)
    }

    /// These orders with all that come from them.
    fn extended(&mut self, orders: &Orders) -> Result<FxHashSet<Order>, TooLarge> {
        let mut all: FxHashSet<Order> = orders.iter().cloned().collect();
        let mut rest = orders.clone();
        while let Some(order) = rest.pop() {
            for longer in self.longer(&order)? {
                if all.insert(longer.clone()) {
                    self.count(1)?;
                    rest.push(longer);
                }
            }
        }
        Ok(all)
    }

    fn count(&mut self, n_orders: usize) -> Result<(), TooLarge> {
        self.n_orders += n_orders;
        if self.n_orders > MAX_ORDERS { Err(TooLarge::States) } else { Ok(()) }
    }

    /// The orders with one more call.
    fn longer(&mut self, order: &Order) -> Result<Vec<Order>, TooLarge> {
        let mut found = Vec::new();
        for at in 1..order.len() {
            let Some(call) = order[at].checked_sub(1) else { continue };
            for (ghosts, returns) in self.outcomes(order[0], call)? {
                let mut longer = order.clone();
                (longer[0], longer[at]) = (ghosts, 1 + returns);
                found.push(longer);
            }
        }
        Ok(found)
    }

    /// What a call may lead to; nothing for the event of a return.
    fn outcomes(&mut self, ghosts: u32, call: u32) -> Result<Vec<(u32, u32)>, TooLarge> {
        if let Some(known) = self.outcomes.get(&(ghosts, call)) {
            return Ok(known.clone());
        }
        let Event { caller, proc, what: What::Call { of, arguments } } = &self.events[call as usize] else {
            return Ok(Vec::new());
        };
        let Caller { thread, copy, .. } = self.callers[*caller];
        let first = self.first[&(thread, copy, *proc, Moment::Return)];
        let low = self.behaviour.procs[*proc].result.map_or(0, |ty| self.behaviour.types.range(ty).low);
        let found = self.behaviour.outcomes(&self.ghosts[ghosts as usize], *of, arguments, (copy, &mut self.n_left))?;
        let number = |(ghosts, result): (Ghosts, Value)| (self.number(ghosts), (first as Value + result - low) as u32);
        let found: Vec<(u32, u32)> = found.into_iter().map(number).collect();
        self.outcomes.insert((ghosts, call), found.clone());
        Ok(found)
    }

    /// Those that come from no other one, in a fixed sequence.
    fn least(&mut self, orders: FxHashSet<Order>) -> Result<Orders, TooLarge> {
        let mut least: Orders = orders.iter().cloned().collect();
        least.sort();
        let mut later: FxHashSet<Order> = FxHashSet::default();
        for order in least.clone() {
            let longer = self.longer(&order)?;
            later.extend(self.extended(&longer)?);
        }
        least.retain(|order| !later.contains(order));
        Ok(least)
    }

    fn words(&self, event: &Event) -> String {
        let (caller, proc) = (&self.callers[event.caller].name, &self.behaviour.procs[event.proc]);
        let types = self.behaviour.types;
        match &event.what {
            What::Call { arguments, .. } => {
                let params = proc.body.locals.values().zip(arguments);
                let shown: Vec<String> = params.map(|(param, value)| types.show_value(param.ty, *value)).collect();
                format!("{caller} calls {}({})", proc.name, shown.join(", "))
            }
            What::Return { result } => match proc.result {
                Some(ty) => format!("{caller} returns {} from {}", types.show_value(ty, *result), proc.name),
                None => format!("{caller} returns from {}", proc.name),
            },
        }
    }

    fn show(&self, orders: &Orders) -> String {
        let mut values: Vec<String> =
            orders.iter().map(|order| self.behaviour.show(&self.ghosts[order[0] as usize])).collect();
        values.sort();
        values.dedup();
        let more = if values.len() > MAX_VALUES { ", .." } else { "" };
        values.truncate(MAX_VALUES);
        format!("{}{more}", values.join(" or "))
    }
}

/// The arguments of number `number`: the first one counts fastest.
fn arguments(ranges: &[Range], number: u64) -> Vec<Value> {
    let mut rest = number;
    let mut argument = |range: &Range| {
        let value = range.low + (rest % range.count()) as Value;
        rest /= range.count();
        value
    };
    ranges.iter().map(&mut argument).collect()
}
