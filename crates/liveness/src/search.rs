//! Is there a fair run of which the formula is false? A component of the product with every mark says so.
//!
//! One depth-first pass (Couvreur, FM'99; Tarjan's with marks): components still open form a stack; a move back
//! to an open component joins all above it, together with the marks of the moves between them. As soon as one
//! has every mark, there is a counterexample. The number of marks, and so of fair components, does not matter.

use crate::confirm::check_lasso;
use crate::fair::FairSystem;
use crate::lasso::shortest_lasso;
use crate::numbering::Numbering;
use crate::product::{Cursor, Marks, Move, Pair, Product};
use crate::property::Property;
use crate::result::{LivenessResult, Verdict};
use crate::shorten::shorten;
use crate::watch::{LOOK_EVERY, Watch};
use system::{Control, Limit, Limits, Statistics};

/// More pairs than this are not numbered.
const MOST_PAIRS: usize = (u32::MAX - 1) as usize;

/// Checks that every run of `system` that is fair to the components in the mask `fairness` makes the property true.
///
/// States without steps repeat forever; such a run is fair to the components that are not enabled there. A state all of
/// whose steps were discarded ends no run: paths to it do not exist.
///
/// # Panics
/// If a counterexample is found that `check_lasso` does not confirm: that is a bug of the search or of the system.
pub fn check<S: FairSystem + ?Sized>(
    system: &S,
    property: &Property,
    fairness: u64,
    limits: &Limits,
    control: &Control<'_>,
) -> LivenessResult {
    let watch = Watch::new(limits, control, system.budget());
    let mut search = Search::new(Product::new(system, property.negation(), fairness), watch);
    let ended = search.run();
    // What is found in steps that were cut counts for nothing.
    let verdict = match system.cut().map_or(ended, Ended::Limit) {
        Ended::Empty => Verdict::Holds,
        Ended::Limit(limit) => Verdict::Inconclusive(limit),
        Ended::Accepting(component) => {
            let lasso = shortest_lasso(&mut search.product, &search.numbering, &component);
            let lasso = shorten(system, property.formula(), fairness, lasso);
            let checked = check_lasso(system, property.formula(), fairness, &lasso);
            if let Some(limit) = system.cut() {
                search.measure();
                return LivenessResult { verdict: Verdict::Inconclusive(limit), statistics: search.statistics };
            }
            if let Err(fault) = checked {
                panic!("a counterexample is not confirmed: {fault}\n{lasso:?}");
            }
            Verdict::Violated(lasso)
        }
    };
    search.measure();
    LivenessResult { verdict, statistics: search.statistics }
}

enum Ended {
    Empty,
    /// Pairs of a component that has every mark.
    Accepting(Vec<Pair>),
    Limit(Limit),
}

/// A component still open.
struct Component {
    /// The number of the pair that it was entered at; those of its other pairs are greater.
    root: u32,
    /// The marks of the moves within.
    marks: Marks,
    /// The marks of the move by which it was entered.
    entering: Marks,
}

struct Frame {
    number: u32,
    cursor: Cursor,
}

struct Search<'a, S: FairSystem + ?Sized> {
    product: Product<'a, S>,
    watch: Watch<'a>,
    numbering: Numbering,
    /// By number, that is, in the order found: the pair, and whether its component is closed.
    pairs: Vec<Pair>,
    closed: Vec<bool>,
    components: Vec<Component>,
    /// The pairs of open components, in the order found.
    open: Vec<u32>,
    path: Vec<Frame>,
    statistics: Statistics,
}

impl<'a, S: FairSystem + ?Sized> Search<'a, S> {
    fn new(product: Product<'a, S>, watch: Watch<'a>) -> Self {
        Search {
            numbering: Numbering::new(product.n_controls()),
            watch,
            product,
            pairs: Vec::new(),
            closed: Vec::new(),
            components: Vec::new(),
            open: Vec::new(),
            path: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    fn run(&mut self) -> Ended {
        for initial in self.product.initial() {
            if self.numbering.get(initial).is_some() {
                continue;
            }
            if let Some(limit) = self.enter(initial, 0) {
                return Ended::Limit(limit);
            }
            while let Some(frame) = self.path.last_mut() {
                let at = self.pairs[frame.number as usize];
                match self.product.advance(at, &mut frame.cursor) {
                    None => self.leave(),
                    Some(Move { to, marks, .. }) => {
                        self.statistics.moves += 1;
                        match self.numbering.get(to) {
                            None => {
                                if let Some(limit) = self.enter(to, marks) {
                                    return Ended::Limit(limit);
                                }
                            }
                            Some(number) if self.closed[number as usize] => {}
                            Some(number) => {
                                if self.join(number, marks) {
                                    return Ended::Accepting(self.top_component());
                                }
                            }
                        }
                    }
                }
            }
        }
        Ended::Empty
    }

    /// Goes to a pair not seen before, by a move with these marks.
    fn enter(&mut self, pair: Pair, entering: Marks) -> Option<Limit> {
        if !self.watch.has_room(self.pairs.len()) {
            return Some(Limit::States);
        }
        if self.pairs.len() >= MOST_PAIRS || !self.product.graph.has_room() {
            return Some(Limit::Memory);
        }
        if self.pairs.len().is_multiple_of(LOOK_EVERY)
            && let Some(limit) = self.look()
        {
            return Some(limit);
        }
        let number = self.pairs.len() as u32;
        self.numbering.set(pair, number);
        self.pairs.push(pair);
        self.closed.push(false);
        self.components.push(Component { root: number, marks: 0, entering });
        self.open.push(number);
        let cursor = self.product.enter(pair);
        self.path.push(Frame { number, cursor });
        self.statistics.depth = self.statistics.depth.max(self.path.len() as u64);
        None
    }

    /// A move with these marks leads back to an open pair: all components from its own on are one. Whether it accepts.
    fn join(&mut self, number: u32, marks: Marks) -> bool {
        let mut joined = marks;
        while let Some(top) = self.components.pop_if(|top| top.root > number) {
            joined |= top.marks | top.entering;
        }
        let top = self.components.last_mut().expect("the pair is in an open component");
        top.marks |= joined;
        top.marks & self.product.all_marks == self.product.all_marks
    }

    /// All moves of the last pair of the path have been made.
    fn leave(&mut self) {
        let Some(Frame { number, .. }) = self.path.pop() else { return };
        if self.components.pop_if(|top| top.root == number).is_none() {
            return;
        }
        while let Some(member) = self.open.pop_if(|member| *member >= number) {
            self.closed[member as usize] = true;
        }
    }

    fn top_component(&self) -> Vec<Pair> {
        let root = self.components.last().map_or(0, |top| top.root);
        let start = self.open.partition_point(|number| *number < root);
        self.open[start..].iter().map(|number| self.pairs[*number as usize]).collect()
    }

    fn look(&mut self) -> Option<Limit> {
        self.measure();
        self.watch.look(&self.statistics)
    }

    fn measure(&mut self) {
        let own = self.pairs.capacity() * 8
            + self.closed.capacity()
            + self.components.capacity() * size_of::<Component>()
            + self.open.capacity() * 4
            + self.path.capacity() * size_of::<Frame>();
        let bytes = own as u64 + self.product.bytes() + self.numbering.bytes();
        let statistics = &mut self.statistics;
        statistics.states = self.product.graph.n_states() as u64;
        statistics.transitions = self.product.graph.n_edges() as u64;
        statistics.pairs = self.pairs.len() as u64;
        statistics.seconds = self.watch.seconds();
        statistics.peak_bytes = statistics.peak_bytes.max(bytes);
    }
}
