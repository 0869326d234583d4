//! The dataflow: a loop in which parcels travel from worker to worker, one step of time further each time.
//!
//! Timely exchanges the parcels and tracks progress: it says which times are over everywhere, and when nothing is under way any more. Its operators
//! own what they use, and a search borrows a system. So the one operator here only takes parcels in and out; who searches stands beside it and holds
//! the capabilities: as long as somebody holds one, something may follow.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback, Operator};
use timely::scheduling::Activator;
use timely::worker::Worker;

/// To which worker, and what.
type Parcel = (u64, Vec<u32>);

/// The right to send at a time; what is sent arrives one later.
pub(crate) type Right = Capability<u64>;

/// Between the operator and who stands beside it.
#[derive(Default)]
struct Counter {
    arrived: Vec<(Right, Vec<u32>)>,
    leaving: Vec<(Right, Parcel)>,
    /// The right that each worker begins with.
    first: Option<Right>,
    /// No parcel arrives before this time any more; none if none arrives at all.
    frontier: Option<u64>,
}

/// One dataflow, as one worker has it.
pub(crate) struct Flow<'a> {
    worker: &'a mut Worker,
    counter: Rc<RefCell<Counter>>,
    activator: Option<Activator>,
    is_under_way: bool,
}

impl<'a> Flow<'a> {
    /// Begins a dataflow. All workers begin the same ones in the same order.
    pub(crate) fn new(worker: &'a mut Worker) -> Self {
        let counter = Rc::new(RefCell::new(Counter { frontier: Some(0), ..Counter::default() }));
        let (inside, mut activator) = (counter.clone(), None);
        worker.dataflow::<u64, _, _>(|scope| {
            let (handle, parcels) = scope.feedback::<Vec<Parcel>>(1);
            let route = Exchange::new(|parcel: &Parcel| parcel.0);
            let operator = parcels.unary_frontier(route, "counter", |right, info| {
                inside.borrow_mut().first = Some(right);
                activator = Some(scope.activator_for(info.address));
                move |(input, frontier), output| {
                    let mut counter = inside.borrow_mut();
                    input.for_each(|time, parcels| {
                        let right = time.retain(0);
                        let parcels = parcels.drain(..).map(|(_, words)| (right.clone(), words));
                        counter.arrived.extend(parcels);
                    });
                    for (right, parcel) in counter.leaving.drain(..) {
                        output.session(&right).give(parcel);
                    }
                    counter.frontier = frontier.frontier().first().copied();
                }
            });
            operator.connect_loop(handle);
        });
        Flow { worker, counter, activator, is_under_way: true }
    }

    /// The right that each worker begins with, once.
    pub(crate) fn first_right(&self) -> Right {
        self.counter.borrow_mut().first.take().expect("it is taken once")
    }

    /// Sends a parcel.
    pub(crate) fn send(&self, right: &Right, to: usize, words: Vec<u32>) {
        self.counter.borrow_mut().leaving.push((right.clone(), (to as u64, words)));
    }

    /// Lets timely work; if there is nothing to do, waits for so long at most. False once all is over.
    pub(crate) fn step(&mut self, at_most: Duration) -> bool {
        if self.is_under_way {
            // Rights that were given up outside are only counted when the operator runs.
            self.activator.iter().for_each(Activator::activate);
            let before = self.counter.borrow().frontier;
            self.is_under_way = self.worker.step();
            let is_idle = |counter: &Counter| counter.arrived.is_empty() && counter.frontier == before;
            if self.is_under_way && !at_most.is_zero() && is_idle(&self.counter.borrow()) {
                self.is_under_way = self.worker.step_or_park(Some(at_most));
            }
        }
        self.is_under_way
    }

    /// The parcels that have arrived since, each with the right to answer.
    pub(crate) fn arrived(&self) -> Vec<(Right, Vec<u32>)> {
        std::mem::take(&mut self.counter.borrow_mut().arrived)
    }

    /// Whether no parcel arrives at this time or before any more.
    pub(crate) fn is_over(&self, time: u64) -> bool {
        self.counter.borrow().frontier.is_none_or(|frontier| frontier > time)
    }
}
