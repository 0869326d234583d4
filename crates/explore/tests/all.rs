//! The tests of `explore`, in one binary, which links once.

mod checkpoints;
mod economy;
mod stores;
mod toys;
