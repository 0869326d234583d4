//! Changes to texts: an `Edit` is a span and what stands there instead; `Patched` is files with edits made, as a program
//! and as a patch. Knows nothing of what is changed, or why.

mod edit;
mod patched;

pub use edit::{Edit, indent};
pub use patched::Patched;
