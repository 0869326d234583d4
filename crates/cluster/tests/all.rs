//! The tests of this crate: systems searched by several processes, which are threads here.

mod together;
mod toys;
