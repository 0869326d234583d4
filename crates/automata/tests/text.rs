//! What is written reads back; what is no text gets an error with its line. (`lower` reads back every file of the repository.)

use automata::text::{read, write};

/// Everything that a text may have.
const SYSTEM: &str = r#"cell x: 0..3 = 0
cell n0.next: -1..1 = 1
cell n1.next: -1..1 = -1
cell n0.data[0]: -5..-1 = -2
cell n1.data[0]: -5..-1 = -2
abstract a: 0..3 = 0
abstract marked[n[0]]: 0..1 = 0
bus bus: -1..1 = -1
graph0
  n0: n0.next
  n1: n1.next if x == 1
assert mine
invariant small level 2: ((x < 3) and (not ([n0.next + x*2 of 2] == 1))) or (t[0].%0 == -1)
forbid both: ((pending(u, x)) > 0) or ((oldest(u, [n0.next + (x - 1)*1 of 2])) == 1)
forbid any: ((pending(u, x, 3)) and performed(t[0])) and ((reached(graph0, 1)) == 3)
ltl answered: always (atom_0 implies eventually atom_1) fairly
  at(t[0], p0 p1)
  ended(u)
unchecked later
cover reached: marked[n[0]] == 1
cover passed
defined in_range of property small: x != 0
defined valid_reference of cover reached at the end: x >= 0
thread t[0]
  register r: 0..3 = 1 observed
  register %0: -1..3
  register cause: 0..3
  entry p1
  keeps p0<p1 p1<p4
  p0: @first @again r = x.load(acquire)  // outer > inner
  p1: [n0.next + r*2 of 2 + (r + 1)*1 of 1].store(-r, release) after r, %0
  p2: r = x.cas(1 -> r + 2, acq_rel, acquire)
  p3: r = x.fetch_add(2) -> p5
  p4: enter unordered atomic -> p6
  p5: begin capacity 2, abort(cause, r) -> p9
  p6: commit
  p7: choose p0 p9
  p8: if (r % 2) == 0 then p0 else p9
  p9: halt
thread u
  keeps all but
  p0: begin, abort(_, r) -> p3
  p1: abort -7
  p2: enter when issued
  p3: discard unless 1
  p4: assert mine: 0
  p5: cover passed: 1
  p6: fence full
  p7: halt
names x: 0 "Idle" 1 "a {b}"
place a: "" "b.a" "0"
names t[0].r: -1 "null"
guarantee both level 2: t[0] p1 u p2
requires both t[0]: a == 1
ensures both t[0]: a == (old(a + 1))
modifies both t[0]: a [n0.next + a*1 of 1]
requires both u: 1
sort Node: 2
sort t: 1 from t[0]
role x: 0 plain
role n0.next: 1 [sort0 0] sort0
shapes t[0]: plain set(-1 sort0) word(0 2 0 3 sort1, 2 1 0 1 thread)
"#;

#[test]
fn what_is_written_reads_back() {
    let text = SYSTEM.replace("abort(_, r)", "abort()");
    let automata = read(&text).expect("a system");
    assert_eq!(write(&automata), text);
    assert_eq!(read(&write(&automata)), Ok(automata));
}

#[test]
fn an_error_has_its_line() {
    let errors = [
        ("cell x: 0..3", "line 1: the end of the line where `=` is due"),
        ("cell x: three = 0", "line 1: `three` where a range is due"),
        ("  p0: halt", "line 1: indented, and nothing is above it"),
        ("walk x", "line 1: `walk` begins no line"),
        ("thread t\n  p1: halt", "line 2: `p1` where `p0` is due"),
        ("thread t\n  p0: x.load()", "line 2: there is no cell `x`"),
        ("thread t\n  p0: jump", "line 2: `jump` is no action"),
        ("thread t\n  p0: fence big", "line 2: `big` is no fence"),
        ("thread t\n  p0: enter house", "line 2: `house` is no region"),
        ("thread t\n  p0: if 1 then p0", "line 2: the end of the line where `else` is due"),
        ("thread t\n  p0: halt halt", "line 2: `halt` is too much"),
        ("cell x: 0..1 = 0\ninvariant i: x == ", "line 2: the line ends too early"),
        ("cell x: 0..1 = 0\ninvariant i: y == 1", "line 2: there is no cell or register `y`"),
        ("cell x: 0..1 = 0\ninvariant i: x == ?", "line 2: unexpected `?`"),
    ];
    for (text, wanted) in errors {
        assert_eq!(read(text).expect_err(text).to_string(), wanted, "{text}");
    }
}
