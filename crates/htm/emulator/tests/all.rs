//! The tests of `emulator`, in one binary, which links once.

mod alone;
mod inside;
mod isolation;
mod rollback;
