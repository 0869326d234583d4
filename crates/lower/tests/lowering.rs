//! Small programs and the automata they become.

use program::Settings;
use std::path::Path;

/// The printed automata of a program.
fn lowered(text: &str) -> String {
    let loaded = program::load(&|_: &Path| Ok(text.to_string()), Path::new("p.lac"));
    let (program, diagnostics) = program::check(&loaded, &Settings::default());
    let complaints: Vec<String> =
        loaded.diagnostics.iter().chain(&diagnostics).map(|d| d.render(&loaded.sources)).collect();
    let program = program.unwrap_or_else(|| panic!("{}", complaints.concat()));
    let automata = lower::lower(&program);
    assert_eq!(automata::validate(&automata), Ok(()));
    automata::text::program(&automata)
}

/// Checks the points of thread `t` of a program whose cells `x`, `y`, `z`, `o` and abstract `a`, `b` are given.
#[track_caller]
fn points(body: &str, wanted: &str) {
    let text = format!(
        "object Node {{ next: Node? = null, data[0..1]: 0..3 = 0 }}\nheap {{ n0: Node; n1: Node }}\n\
         cell x: 0..3 = 0\ncell y: 0..3 = 0\ncell z: bool = false\ncell o: Node = n0\n\
         abstract a: 0..3 = 0\nghost g: 0..3 = 0\n\
         proc incremented(v: 0..3) -> 0..7 {{ v = v + 1; return v }}\n\
         proc twice(v: 0..3) -> 0..6 {{ return v + v }}\n\
         proc first(p: Node?) -> 0..3 {{ if p == null {{ return 0 }}; return p.data[0] }}\n{body}"
    );
    let all = lowered(&text);
    let thread = all.split("thread t\n").nth(1).unwrap_or("").split("thread ").next().unwrap_or("");
    let found: Vec<&str> = thread.lines().map(str::trim).filter(|l| l.starts_with('p')).collect();
    let wanted: Vec<&str> = wanted.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(found, wanted, "\n{thread}");
}

#[test]
fn loads_are_split_from_left_to_right() {
    points(
        "thread t { x = x + y; let r = o.next; r.data[x] = r.data[1] }",
        "p0: %0 = x.load()
         p1: %1 = y.load()
         p2: x.store(%0 + %1)
         p3: %2 = o.load()
         p4: r = [n0.next + %2*3 of 2].load()
         p5: %3 = x.load()
         p6: %4 = [n0.data[1] + r*3 of 2].load()
         p7: [n0.data[0] + r*3 of 2 + %3*1 of 2].store(%4)
         p8: halt",
    );
}

#[test]
fn a_right_side_that_loads_is_evaluated_only_if_needed() {
    points(
        "thread t { if x == 0 and not (y == 1 or z) { x = 1 } else { x = 2 } }",
        "p0: %0 = x.load()
         p1: if %0 == 0 then p2 else p7
         p2: %1 = y.load()
         p3: if %1 == 1 then p7 else p4
         p4: %2 = z.load()
         p5: if %2 then p7 else p6
         p6: x.store(1) -> p8
         p7: x.store(2)
         p8: halt",
    );
    points(
        "thread t { let r = x; let s = r == 1 and r != 2; let u = s or z; assert u }",
        "p0: r = x.load()
         p1: s = (r == 1) and (r != 2)
         p2: if s then p4 else p3
         p3: u = z.load() -> p5
         p4: u = 1
         p5: assert assert_line_12: u
         p6: halt",
    );
}

#[test]
fn constants_are_folded_and_branches_on_them_left_out() {
    points(
        "const K = 2\nthread t { let c = K * 2 - 1; if K == 2 { x = c } else { y = 1 }; while K == 3 { x = 1 }; each i in 0..1 { n1.data[i] = i } }",
        "p0: x.store(3)
         p1: n1.data[0].store(0)
         p2: n1.data[1].store(1)
         p3: halt",
    );
}

#[test]
fn procedures_are_inlined_without_copies() {
    points(
        "thread t { let r = x; let s = twice(r); let u = incremented(2); let v = first(o); assert s == u and v == 0 }",
        "p0: r = x.load()
         p1: s = r + r  // twice
         p2: incremented.v = 2
         p3: incremented.v = incremented.v + 1  // incremented
         p4: u = incremented.v  // incremented
         p5: first.p = o.load()
         p6: if first.p == -1 then p7 else p8  // first
         p7: v = 0 -> p9  // first
         p8: v = [n0.data[0] + first.p*3 of 2].load()  // first
         p9: assert assert_line_12: (s == u) and (v == 0)
         p10: halt",
    );
}

#[test]
fn a_result_goes_through_its_own_range() {
    points(
        "proc small(v: 0..3) -> 0..1 { return v + 1 }\nthread t { let w: 0..9 = small(2); let n: 0..1 = small(0); assert w == n }",
        "p0: %0 = 3  // small
         p1: w = %0  // small
         p2: n = 1  // small
         p3: assert assert_line_13: w == n
         p4: halt",
    );
}

#[test]
fn loops_have_no_jumps_of_their_own() {
    points(
        "thread t { while x == 0 { if z { continue }; y = 1; break }; loop { if z { stop } } }",
        "p0: %0 = x.load()
         p1: if %0 == 0 then p2 else p5
         p2: %1 = z.load()
         p3: if %1 then p0 else p4
         p4: y.store(1)
         p5: %2 = z.load()
         p6: if %2 then p7 else p5
         p7: halt",
    );
    points("thread t { loop { skip } }", "p0: if 1 then p0 else p0");
    points(
        "thread t { each i in 0..1 { if z { break }; x = i } }",
        "p0: %0 = z.load()
         p1: if %0 then p6 else p2
         p2: x.store(0)
         p3: %1 = z.load()
         p4: if %1 then p6 else p5
         p5: x.store(1)
         p6: halt",
    );
}

#[test]
fn abstract_state_is_touched_in_regions_of_its_own() {
    points(
        "thread t { a = x; a = a + 1; x = a; if a == 1 { g = 2 }; assert g == 2; assume a == 0 }",
        "p0: %0 = x.load()
         p1: enter atomic
         p2: a.store(%0)
         p3: leave
         p4: enter atomic
         p5: %1 = a.load()
         p6: a.store(%1 + 1)
         p7: leave
         p8: enter atomic
         p9: %2 = a.load()
         p10: leave
         p11: x.store(%2)
         p12: enter atomic
         p13: %3 = a.load()
         p14: leave
         p15: if %3 == 1 then p16 else p19
         p16: enter unordered atomic
         p17: g.store(2)
         p18: leave
         p19: enter unordered atomic
         p20: %4 = g.load()
         p21: assert assert_line_12: %4 == 2
         p22: leave
         p23: enter atomic
         p24: %5 = a.load()
         p25: assume %5 == 0
         p26: leave
         p27: halt",
    );
}

#[test]
fn jumps_leave_the_region_they_are_in() {
    points(
        "thread t { loop { atomic { assume a != 3; if a == 1 { break }; a = 1 } }; stop_the_world { x = 1; stop } }",
        "p0: enter atomic
         p1: %0 = a.load()
         p2: assume %0 != 3
         p3: %1 = a.load()
         p4: if %1 == 1 then p5 else p6
         p5: leave -> p8
         p6: a.store(1)
         p7: leave -> p0
         p8: enter stop_the_world
         p9: x.store(1)
         p10: leave
         p11: halt",
    );
}

#[test]
fn choices_orders_fences_and_labels() {
    points(
        "thread t { @pick let r = choose 0..1; choose { x.store(r, release) } or { } or { fence full }; @done skip; let k = x.cas_old(0 -> 1, acq_rel); assert k == 0 }\ninvariant somewhere: at(t, pick) or at(t, d*)",
        "p0: @pick choose p1 p2
         p1: r = 0 -> p3
         p2: r = 1
         p3: choose p4 p5 p6
         p4: x.store(r, release) -> p6
         p5: fence full
         p6: @done assume 1
         p7: k = x.cas_old(0 -> 1, acq_rel, acquire)
         p8: assert assert_line_12: k == 0
         p9: halt",
    );
}

#[test]
fn a_divisor_that_may_be_zero_is_behind_the_branch_that_excludes_it() {
    points(
        "thread t { let r = x; let s = 3 / r; assert r == 0 or s / r == 1 }",
        "p0: r = x.load()
         p1: s = 3 / r
         p2: if r == 0 then p4 else p3
         p3: %0 = (s / r) == 1 -> p5
         p4: %0 = 1
         p5: assert assert_line_12: %0
         p6: halt",
    );
}

#[test]
fn words_are_packed_lowest_field_first() {
    let text = lowered(
        "enum Colour { white, black }
object Node { link: bool = false }
heap { n0: Node; n1: Node }
word Header { age: 1..3, to: Node?, colour: Colour }
cell h: Header = Header(2, null, black)
thread t {
    let w = h
    h.cas(w -> Header(w.age, n1, white))
    let v = w.age
    h = Header(v + 1, w.to, w.colour)
}
invariant young: h.age == 1 implies h.colour == white
",
    );
    assert_eq!(
        text,
        "cell n0.link: 0..1 = 0
cell n1.link: 0..1 = 0
cell h: 0..26 = 17
invariant young: (((h & 3) + 1) == 1) implies ((h >> 4) == 0)
thread t
  register w: 0..26
  register v: 1..3 = 1
  p0: w = h.load()
  p1: h.cas(w -> (w & 3) | 8)
  p2: v = (w & 3) + 1
  p3: h.store(((((v + 1) + (0 / ((1 <= (v + 1)) and ((v + 1) <= 3)))) - 1) | (((w >> 2) & 3) << 2)) | ((w >> 4) << 4))
  p4: halt
"
    );
}

#[test]
fn copies_of_a_thread_have_their_index_as_a_constant() {
    let text = lowered(
        "param N: 1..3 = 2
cell raised[m]: bool = false
cell turn: m = 0
thread m[N] {
    raised[self] = true
    let r = raised[1 - self]
    turn = self
}
forbid both: all i in m: m[i].r
forbid computed: raised[turn]
",
    );
    assert_eq!(
        text,
        "cell raised[0]: 0..1 = 0
cell raised[1]: 0..1 = 0
cell turn: 0..1 = 0
forbid both: m[0].r and m[1].r
forbid computed: [raised[0] + turn*1 of 2]
thread m[0]
  register r: 0..1 observed
  p0: raised[0].store(1)
  p1: r = raised[1].load()
  p2: turn.store(0)
  p3: halt
thread m[1]
  register r: 0..1 observed
  p0: raised[1].store(1)
  p1: r = raised[0].load()
  p2: turn.store(1)
  p3: halt
"
    );
}

#[test]
fn every_copy_starts_with_its_own_values() {
    let text = lowered(
        "register n[m]: 0..9 = [3, 5]
register k[m]: 0..9 = 1
register alike: 0..9 = 2
cell x: 0..9 = 0
thread m[2] { x = n + k + alike }
forbid both: m[0].n == m[1].n
",
    );
    assert_eq!(
        text,
        "cell x: 0..9 = 0
forbid both: m[0].n == m[1].n
thread m[0]
  register n: 0..9 = 3 observed
  register k: 0..9 = 1
  register alike: 0..9 = 2
  p0: x.store((n + k) + alike)
  p1: halt
thread m[1]
  register n: 0..9 = 5 observed
  register k: 0..9 = 1
  register alike: 0..9 = 2
  p0: x.store((n + k) + alike)
  p1: halt
"
    );
}

#[test]
fn sets_are_bit_masks() {
    points(
        "abstract s: set Node = {n0}\nabstract k: set 2..4 = {}
         thread t {
             let r = o
             atomic { s = s with r without n1; k = k with a + 1 }
             let u = s
             let v = u union {n0} minus {r}
             assert r in v and 3 in ({2, 3}) and size(v) == 1 and v == {r} and not null in v
         }",
        "p0: r = o.load()
         p1: enter atomic
         p2: %0 = s.load()
         p3: s.store((%0 | (1 << r)) & 1)
         p4: %1 = k.load()
         p5: %2 = a.load()
         p6: k.store(%1 | (((2 <= ((%2 + 1) + (0 / ((2 <= (%2 + 1)) and ((%2 + 1) <= 4))))) & (((%2 + 1) + (0 / ((2 <= (%2 + 1)) and ((%2 + 1) <= 4)))) <= 4)) * (1 << (((2 <= ((%2 + 1) + (0 / ((2 <= (%2 + 1)) and ((%2 + 1) <= 4))))) & (((%2 + 1) + (0 / ((2 <= (%2 + 1)) and ((%2 + 1) <= 4)))) <= 4)) * (((%2 + 1) + (0 / ((2 <= (%2 + 1)) and ((%2 + 1) <= 4)))) - 2)))))
         p7: leave
         p8: enter atomic
         p9: u = s.load()
         p10: leave
         p11: v = (u | 1) & ((1 << r) ^ 3)
         p12: assert assert_line_19: ((((v >> r) & 1) and (((v & 1) + ((v >> 1) & 1)) == 1)) and (v == (1 << r))) and (not (0 & (v & 1)))
         p13: halt",
    );
}

#[test]
fn an_element_is_chosen_among_those_there_are() {
    points(
        "abstract s: set Node = {n0}
         thread t {
             let o1 = choose in s
             let o2 = choose in {n1}
             let u: set Node = {}
             atomic { assume size(s) == 2; let o3 = choose in s minus {o1}; s = {o3, o2} }
             let o4 = choose in u
             assert o4 == n0
         }",
        "p0: enter atomic
         p1: %0 = s.load()
         p2: choose p3 p5
         p3: assume %0 & 1
         p4: o1 = 0 -> p7
         p5: assume (%0 >> 1) & 1
         p6: o1 = 1
         p7: leave
         p8: o2 = 1
         p9: enter atomic
         p10: %1 = s.load()
         p11: assume ((%1 & 1) + ((%1 >> 1) & 1)) == 2
         p12: %2 = s.load()
         p13: choose p14 p16
         p14: assume (%2 & ((1 << o1) ^ 3)) & 1
         p15: o3 = 0 -> p18
         p16: assume ((%2 & ((1 << o1) ^ 3)) >> 1) & 1
         p17: o3 = 1
         p18: s.store((1 << o3) | (1 << o2))
         p19: leave
         p20: assume 0
         p21: assert assert_line_19: o4 == 0
         p22: halt",
    );
}

#[test]
fn sets_in_properties_and_their_names() {
    let text = lowered(
        "enum Phase { Idle, Busy }
         abstract s: set Phase = {Busy}
         ghost x: 0..5 = 0
         abstract n: set 1..3 = {1, 3}
         thread t { s = {}; n = {}; x = 1 }
         invariant i: all p in Phase: p in s implies size(s) >= 1
         invariant j: x in n or n without x == n
         forbid f: s minus {Idle} != {Busy}",
    );
    let stated: Vec<&str> = text.lines().take_while(|line| !line.starts_with("thread")).collect();
    let wanted = [
        "abstract s: 0..3 = 2",
        "abstract x: 0..5 = 0",
        "abstract n: 0..7 = 5",
        "invariant i: ((s & 1) implies (((s & 1) + ((s >> 1) & 1)) >= 1)) and (((s >> 1) & 1) implies (((s & 1) + ((s >> 1) & 1)) >= 1))",
        "invariant j: (((1 <= x) & (x <= 3)) & ((n >> (((1 <= x) & (x <= 3)) * (x - 1))) & 1)) or ((n & ((((1 <= x) & (x <= 3)) * (1 << (((1 <= x) & (x <= 3)) * (x - 1)))) ^ 7)) == n)",
        "forbid f: (s & 2) != 2",
    ];
    assert_eq!(stated, wanted);
}
