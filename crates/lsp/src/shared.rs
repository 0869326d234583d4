//! What the threads of the server share: the way to the editor, which texts are the present ones, verdicts.

use crate::check::Verdicts;
use lsp_server::{Message, Request};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Sends a message to the editor. One that has gone away gets nothing.
type ToEditor = Box<dyn Fn(Message) + Send + Sync>;

pub(crate) struct Shared {
    to_editor: ToEditor,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How often texts have changed.
    generation: u64,
    verdicts: Verdicts,
    /// How many requests the editor was sent.
    n_requests: i32,
}

impl Shared {
    pub(crate) fn new(to_editor: impl Fn(Message) + Send + Sync + 'static) -> Self {
        Shared { to_editor: Box::new(to_editor), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn send(&self, message: Message) {
        (self.to_editor)(message);
    }

    /// Sends a message that is of the texts of a generation, unless they have changed.
    pub(crate) fn send_if(&self, generation: u64, message: Message) {
        let state = self.state();
        if state.generation == generation {
            self.send(message);
        }
    }

    pub(crate) fn generation(&self) -> u64 {
        self.state().generation
    }

    /// The texts have changed: a verdict is of the text that was checked.
    pub(crate) fn next(&self) -> u64 {
        let mut state = self.state();
        state.verdicts.clear();
        state.generation += 1;
        state.generation
    }

    pub(crate) fn verdicts(&self) -> Verdicts {
        self.state().verdicts.clone()
    }

    /// Keeps a verdict on the texts of a generation, unless they have changed.
    pub(crate) fn show(&self, generation: u64, of: (PathBuf, String), verdict: String) {
        let mut state = self.state();
        if state.generation == generation {
            state.verdicts.insert(of, verdict);
        }
    }

    /// Tells the editor to ask for lenses anew.
    pub(crate) fn refresh(&self) {
        let mut state = self.state();
        state.n_requests += 1;
        self.send(Request::new(state.n_requests.into(), "workspace/codeLens/refresh".into(), Value::Null).into());
    }
}
