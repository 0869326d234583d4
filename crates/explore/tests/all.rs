//! The tests of `explore`, in one binary, which links once.

mod stores;
mod toys;
