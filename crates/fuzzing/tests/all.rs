//! The tests of `fuzzing`, in one binary, which links once.

mod short_run;
