//! The tests of `explore`, in one binary, which links once.

mod economy;
mod stores;
mod toys;
