//! Relations over at most 64 events: a row of bits for each event.

/// A relation: bit `b` of row `a` says that `a` and `b` are related, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relation(pub Vec<u64>);

impl Relation {
    /// The empty relation over `n` events.
    pub(crate) fn empty(n: usize) -> Self {
        assert!(n <= 64, "a candidate has at most 64 events");
        Relation(vec![0; n])
    }

    /// All pairs that `is_in` accepts.
    pub(crate) fn of(n: usize, is_in: impl Fn(usize, usize) -> bool) -> Self {
        let row = |a: usize| (0..n).filter(|b| is_in(a, *b)).fold(0, |row, b| row | 1 << b);
        Relation((0..n).map(row).collect())
    }

    /// Every event with itself, if `is_in` accepts it: `[S]` in cat.
    pub(crate) fn identity(n: usize, is_in: impl Fn(usize) -> bool) -> Self {
        Relation::of(n, |a, b| a == b && is_in(a))
    }

    /// Adds a pair.
    pub(crate) fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    /// Whether the pair is in it.
    pub(crate) fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    /// `self | other`.
    pub(crate) fn or(&self, other: &Relation) -> Relation {
        Relation(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    /// `self & other`.
    pub(crate) fn and(&self, other: &Relation) -> Relation {
        Relation(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// `self \ other`.
    pub(crate) fn minus(&self, other: &Relation) -> Relation {
        Relation(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    /// `self; other`.
    pub(crate) fn then(&self, other: &Relation) -> Relation {
        let row = |row: &u64| (0..other.0.len()).filter(|b| row >> b & 1 == 1).fold(0, |out, b| out | other.0[b]);
        Relation(self.0.iter().map(row).collect())
    }

    /// `self^-1`.
    pub(crate) fn inverse(&self) -> Relation {
        Relation::of(self.0.len(), |a, b| self.has(b, a))
    }

    /// `self+`.
    pub(crate) fn closure(&self) -> Relation {
        let mut closed = self.clone();
        for via in 0..closed.0.len() {
            let reached = closed.0[via];
            closed.0.iter_mut().filter(|row| **row >> via & 1 == 1).for_each(|row| *row |= reached);
        }
        closed
    }

    /// Whether nothing is related.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|row| *row == 0)
    }

    /// `acyclic self`.
    pub(crate) fn is_acyclic(&self) -> bool {
        self.closure().0.iter().enumerate().all(|(a, row)| row >> a & 1 == 0)
    }
}
