//! Panics as data.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
    static IS_CAUGHT: RefCell<bool> = const { RefCell::new(false) };
}

/// A panic of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// Where in the sources: file and line.
    pub place: String,
    /// What it says.
    pub message: String,
}

/// The last four parts of a path: crates of others have long ones.
fn short(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    parts[parts.len().saturating_sub(4)..].join("/")
}

impl Panic {
    /// What is the same for panics of one cause: the place, and the message without numbers.
    pub fn kind(&self) -> String {
        let message: String = self.message.chars().filter(|c| !c.is_ascii_digit()).take(80).collect();
        format!("panics at {}: {message}", self.place)
    }
}

/// What `call` gives, or the panic that ends it. Nothing is printed.
pub fn caught<T>(call: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !IS_CAUGHT.with_borrow(|is| *is) {
                before(info);
            }
            let place = info.location().map_or(String::new(), |l| format!("{}:{}", short(l.file()), l.line()));
            let message = info.payload_as_str().unwrap_or("").to_string();
            LAST.set(Some(Panic { place, message }));
        }));
    });
    let was = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CAUGHT.set(was);
    let unknown = || Panic { place: "another thread".into(), message: String::new() };
    result.map_err(|_| LAST.take().unwrap_or_else(unknown))
}
