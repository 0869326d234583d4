//! The tests of `explore`, in one binary, which links once.

mod checkpoints;
mod economy;
mod formats;
mod least_cost;
mod stores;
mod toys;
