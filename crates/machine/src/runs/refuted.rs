//! States that are refuted (rule 5.6), as far as it is known: runs that go through them are none.

use crate::tabulated::tables::Tabulated;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// Which states are known not to exist. To find out takes a search each, so it is done for few.
#[derive(Default)]
pub struct Refuted {
    /// Whether it is found out for every state.
    asks_all: bool,
    known: Mutex<FxHashMap<Vec<u32>, bool>>,
}

impl Refuted {
    /// From now on, it is found out for every state that is met.
    pub fn ask_all(&mut self) {
        self.asks_all = true;
    }

    /// Whether `state` is refuted: no run goes through it. From now on that is known.
    pub fn find(&self, tables: &Tabulated<'_>, state: &[u32]) -> bool {
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let find = || tables.interpreter.is_refuted(&tables.unpack(state));
        tables.has_assumption(state) && *known.entry(state.to_vec()).or_insert_with(find)
    }

    /// Whether `state` is known to be refuted.
    pub(crate) fn has(&self, tables: &Tabulated<'_>, state: &[u32]) -> bool {
        if self.asks_all {
            return self.find(tables, state);
        }
        let known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        known.get(state).is_some_and(|refuted| *refuted)
    }

    /// Whether some states may be refuted.
    pub(crate) fn has_some(&self) -> bool {
        self.asks_all || !self.known.lock().unwrap_or_else(|e| e.into_inner()).is_empty()
    }
}
