//! Atoms whose value is to come.
//!
//! Such an atom has the value that it had last; before it had any, the value that it has first. The first value is not known
//! before it comes, so an edge of the automaton that reads it *foretells* it: a path on which it then comes otherwise does not exist, and a run
//! on which it never comes is none. An edge that does not read it foretells nothing.

use ltl::{Edge, Letter};

/// What a path has shown of the atoms that may be undecided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Recall {
    /// Atoms that have had a value.
    known: u64,
    /// Atoms that have had none, and whose first value was foretold.
    foretold: u64,
    /// Which of these are true.
    values: u64,
}

/// What an edge may read.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// Atoms that are true.
    truth: u64,
    /// Atoms of which nothing is known.
    open: u64,
}

impl Recall {
    /// The same after a letter, `undecidable` being the atoms that may be undecided; none if something was foretold wrongly.
    pub(crate) fn after(self, letter: Letter, undecidable: u64) -> Option<Recall> {
        let decided = undecidable & !letter.undecided;
        let is_wrong = self.foretold & decided & (self.values ^ letter.truth) != 0;
        (!is_wrong).then_some(Recall {
            known: self.known | decided,
            foretold: self.foretold & !decided,
            values: self.values & !decided | letter.truth & decided,
        })
    }

    /// What may be read of a letter that has been taken account of.
    pub(crate) fn reading(self, letter: Letter) -> Reading {
        let has_value = self.known | self.foretold;
        Reading { truth: letter.truth | self.values & letter.undecided, open: letter.undecided & !has_value }
    }

    /// The same after an edge that is taken on such a reading; none if the edge does not allow it.
    pub(crate) fn taking(self, edge: &Edge, reading: Reading) -> Option<Recall> {
        let Reading { truth, open } = reading;
        let is_allowed = edge.must & !(truth | open) == 0 && edge.must_not & truth == 0;
        let read = open & (edge.must | edge.must_not);
        let Recall { known, foretold, values } = self;
        is_allowed.then_some(Recall { known, foretold: foretold | read, values: values | read & edge.must })
    }

    /// Whether all that was foretold has come.
    pub(crate) fn is_settled(self) -> bool {
        self.foretold == 0
    }
}

impl Reading {
    /// Whether an edge may be taken that foretells nothing.
    pub(crate) fn allows(self, edge: &Edge) -> bool {
        edge.allows(self.truth) && (edge.must | edge.must_not) & self.open == 0
    }
}
