//! The tests of `page`, in one binary, which links once.

mod assets;
