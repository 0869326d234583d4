//! The tests of `programs`, in one binary, which links once.

mod interleavings;
mod omissions;
mod pitfalls;
mod scheduled;
mod schedules;
mod slots;
mod workloads;
