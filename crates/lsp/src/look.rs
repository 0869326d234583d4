//! The thread that looks at texts whenever they change, and tells the editor what is wrong with them. Requests do not wait for it.

use crate::diagnostics;
use crate::documents::Documents;
use crate::server::STACK;
use crate::shared::Shared;
use lsp_server::{Message, Notification};
use lsp_types::{PublishDiagnosticsParams, Uri};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};

/// The texts of a generation.
pub(crate) struct Look {
    pub(crate) documents: Documents,
    /// Which of them is looked at first.
    pub(crate) changed: Uri,
    pub(crate) generation: u64,
}

/// Begins the thread, which ends with its sender.
pub(crate) fn begin(shared: Arc<Shared>) -> Option<mpsc::Sender<Look>> {
    let (sender, receiver) = mpsc::channel::<Look>();
    let go = move || {
        for look in receiver {
            look.say(&shared);
        }
    };
    std::thread::Builder::new().name("look".into()).stack_size(STACK).spawn(go).ok()?;
    Some(sender)
}

impl Look {
    /// Says what is wrong with all texts, as long as they are the present ones.
    fn say(&self, shared: &Shared) {
        let is_wanted = || shared.generation() == self.generation;
        let say = |found| shared.send_if(self.generation, message(found));
        for document in self.documents.from(&self.changed).into_iter().take_while(|_| is_wanted()) {
            // A bug is not to end the thread; the editor keeps what it got before.
            let look = AssertUnwindSafe(|| diagnostics::say(&self.documents, document, &is_wanted, &say));
            let _ = catch_unwind(look);
        }
    }
}

/// What is wrong with a text, as a message.
pub(crate) fn message(found: PublishDiagnosticsParams) -> Message {
    Notification::new("textDocument/publishDiagnostics".into(), found).into()
}
