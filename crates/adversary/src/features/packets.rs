//! Work packets: kinds of work, buckets, the releaser, requests.

use super::{Feature, nothing};
use crate::generate::{Builder, Scope};

/// See the head of this file.
pub(super) const PACKETS: Feature =
    Feature { name: "packets", prepare, statements: &[(5, request)], finish, properties };

fn prepare(b: &mut Builder) {
    b.n_threads = 1;
    b.n_statements = 1;
    b.replicate = 5;
}

fn request(b: &mut Builder) -> bool {
    if !b.is_free() && b.scope.place != crate::generate::Place::Atomic {
        return false;
    }
    if !b.scope.in_thread {
        return false;
    }
    let text: String = match b.random.below(4) {
        0 => "request wa()".into(),
        1 => format!("request wb({})", b.random.pick(&["choose 0..1", "0", "1"])),
        _ => format!("request wb({})", b.random.below(2)),
    };
    let unordered = b.perhaps_unordered();
    b.line(format!("{unordered}{text}"));
    true
}

fn finish(b: &mut Builder) {
    let guard =
        b.random.pick(&["done(wa) == 1", "drained(ba)", "is_open(ba)", "unclaimed(wb) == 1", "requested(wb) > 0"]);
    let closes = b.random.pick(&["", "", " closes when done(wb) == 1", " closes when is_open(ba)"]);
    let ends = b.random.pick(&["drained(bb)", "done(wa) == 1", "drained(ba)", "done(wb) == 2", "claimed(wb) == 1"]);
    b.items.push("bucket ba { wa } open".into());
    b.items.push(format!("bucket bb {{ wb }} opens when {guard}{closes}"));
    b.items.push(format!("releaser ends when {ends}"));
    let pool = b.random.pick(&["set", "multiset", "multiset workers 2", "set workers 2"]);
    let first = body(b, "request wb(1)");
    let second = body(b, "skip");
    let unordered = b.random.pick(&["", "", "", "unordered "]);
    b.items.push(format!("{unordered}work wa() set {first}"));
    b.items.push(format!("work wb(u: 0..1) {pool} {second}"));
}

/// The body of a kind of work, which does this and perhaps something more.
fn body(b: &mut Builder, line: &str) -> String {
    let outer = std::mem::replace(&mut b.scope, Scope { depth: 1, in_thread: false, ..Scope::default() });
    let more = b.random.percent(60);
    let line = line.to_string();
    let text = b.block_of(|b| {
        b.line(line);
        if more {
            b.statement();
        }
    });
    b.scope = outer;
    text
}

fn properties(b: &mut Builder) {
    if b.random.percent(50) {
        let condition = b.random.pick(&[
            "claimed(wb) <= 1",
            "requested(wb) == unclaimed(wb) + claimed(wb)",
            "is_open(bb) implies done(wa) == 1",
            "done(wb) == 0 or is_open(bb)",
            "ended(releaser) implies unclaimed(wb) == 0",
            "unclaimed(wb) <= 1",
        ]);
        let name = b.fresh("i");
        b.items.push(format!("invariant {name}: {condition}"));
    }
    if b.random.percent(20) {
        nothing(b);
        b.items.push("ltl elast: eventually ended(releaser) fairly".into());
    }
}
