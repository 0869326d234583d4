//! The tests of `mutate`, in one binary, which links once.

mod derivation;
