//! Procedures that refine others: a register that is swapped, read and tested, right or wrong, in one step or in two.

use super::basic::into_register;
use super::{Feature, nothing};
use crate::generate::{Builder, Ty};

/// See the head of this file.
pub(super) const REFINED: Feature = Feature {
    name: "refined",
    prepare,
    statements: &[(4, swap), (3, read), (2, set)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 3;
    b.items.push("cell real: 0..1 = 0".into());
    b.items.push("ghost ideal: 0..1 = 0".into());
    let swapped = b.random.pick(&[
        "let old = ideal; ideal = v; return old",
        "let old = ideal; ideal = v; return old",
        "assume ideal != v; ideal = v; return 1 - v",
        "let old = ideal; choose { ideal = v } or { return 1 - old }; return old",
    ]);
    b.items.push(format!("proc ideal_swap(v: 0..1) -> 0..1 {{ {swapped} }}"));
    b.items.push("proc ideal_read() -> 0..1 { return ideal }".into());
    b.items.push("proc ideal_set() { if ideal == 0 { atomic { ideal = 1 } } }".into());
    let when = b.random.pick(&["", "", " when performed"]);
    let swap = b.random.pick(&[
        "return real.swap(v, acq_rel)",
        "return real.swap(v)",
        "let old = real; real = v; return old",
        "if real.cas(1 - v -> v) { return 1 - v }; return v",
        "let old = real.load(acquire); if old == v { return v }; real.store(v, release); fence full; return 1 - v",
    ]);
    b.items.push(format!("proc real_swap(v: 0..1) -> 0..1 refines ideal_swap{when} {{ {swap} }}"));
    let read =
        b.random.pick(&["return real", "return real.load(acquire)", "let r = real; if r == 1 { return r }; return 0"]);
    b.items.push(format!("proc real_read() -> 0..1 refines ideal_read{when} {{ {read} }}"));
    let set = b.random.pick(&[
        "real = 1",
        "real = 1; return",
        "real.store(1, release); fence full",
        "if real == 0 { real = 1 }",
    ]);
    b.items.push(format!("proc real_set() refines ideal_set{when} {{ {set} }}"));
}

/// A call, of which the result goes somewhere.
fn call(b: &mut Builder, call: &str) -> bool {
    if b.is_free() {
        into_register(b, &Ty::Num(0, 1), call);
    }
    b.is_free()
}

fn swap(b: &mut Builder) -> bool {
    let value = b.random.pick(&["0", "1"]);
    call(b, &format!("real_swap({value})"))
}

fn read(b: &mut Builder) -> bool {
    call(b, "real_read()")
}

fn set(b: &mut Builder) -> bool {
    if b.is_free() {
        b.line("real_set()");
    }
    b.is_free()
}
