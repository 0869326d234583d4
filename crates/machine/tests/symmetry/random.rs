//! Random programs over objects, sets, indexed threads and an enum.

struct Random(u64);

impl Random {
    fn pick(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.pick(words.len())]
    }
}

const STATEMENTS: &[&str] = &[
    "x = choose Node",
    "y = x",
    "x = null",
    "if x != null { y = x.next }",
    "if x != null { x.next = y }",
    "if x != null { k = x.mark }",
    "if y != null { y.mark = k }",
    "k = choose Mark",
    "k = sense",
    "sense = k",
    "if k == sense { fence full }",
    "atomic { assume s != ({}); x = choose in s; s = s without x }",
    "if x != null { s = s with x }",
    "if x in own[self] { own[self] = {} }",
    "if x != null { atomic { own[self] = own[self] with x } }",
    "who = who with self",
    "atomic { if self in who { who = who without self } else { last = self } }",
    "atomic { let t = choose w; if t != self { last = t } }",
    "if y != null { let old = y.next.swap(x); x = old }",
    "if y != null { let done = y.mark.cas(k -> flagged()); if done { x = y } }",
    "assert fine: x == null or x != y or k == flagged()",
    "pair = Pair(x, k)",
    "y = pair.node",
];

/// Statements with the bus locked, which may be left so.
const LOCKING: &[&str] = &[
    "lock; if x != null { k = x.mark; x.mark = sense }; unlock",
    "lock; k = sense; if k == odd { sense = k; atomic { own[self] = {} } }; unlock",
    "lock; atomic { who = who with self }; y = x; unlock",
    "lock; if x != null { y = x.next; x.next = x }; unlock; atomic { own[self] = own[self] with a }",
    "lock; atomic { assume self in who }; unlock",
];

/// What tells something apart.
const TELLING: &[&str] = &[
    "if x == a { y = b }",
    "if k == even { x = null }",
    "if self == 0 { x = null }",
    "each o in Node { if o in s { x = o } }",
    "",
    "",
];

const STATED: &[&str] = &[
    "",
    "invariant i: all o in Node: all t in w: o in own[t] implies (o.next != o or t in who)",
    "invariant i: not (a in s)",
    "invariant i: all t in w: w[t].x != w[t].y or w[t].x == null or w[t].k != sense",
    "forbid f: exists t in w: t in who and own[t] == s and last == t",
    "cover c: sense == odd",
];

const STATED_OF_LOCKS: &[&str] = &[
    "",
    "invariant i: all t in w: locked_by(w[t]) implies w[t].x == null or w[t].k != sense or own[t] == ({})",
    "invariant i: all o in Node: all t in w: o in own[t] and locked_by(w[t]) implies o.mark == sense",
];

pub(crate) fn program(seed: u64) -> String {
    text(Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)), String::new(), STATED)
}

/// As `program`, with the bus locked in between.
#[allow(dead_code, reason = "not every test that uses this file asks for it")]
pub(crate) fn locking_program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let body = format!("    {}\n    {}\n", random.of(STATEMENTS), random.of(LOCKING));
    text(random, body, STATED_OF_LOCKS)
}

fn text(mut random: Random, mut body: String, stated: &[&str]) -> String {
    for _ in 0..3 + random.pick(3) {
        let statement = if random.pick(12) == 0 { random.of(TELLING) } else { random.of(STATEMENTS) };
        body += &match random.pick(8) {
            0 => format!("    choose {{ {statement} }} or {{ {} }}\n", random.of(STATEMENTS)),
            _ => format!("    {statement}\n"),
        };
    }
    let (stated, first) = (random.of(stated), random.of(&["null", "a", "b"]));
    format!(
        "enum Mark {{ even, odd }}\nobject Node {{ next: Node? = null, mark: Mark = even }}\n\
         heap {{ a: Node {{ next = {first} }}; b: Node }}\nword Pair {{ node: Node?, mark: Mark }}\n\
         cell sense: Mark = odd\nabstract s: set Node = {{a}}\nabstract own[w]: set Node = {{b}}\nabstract who: set w = {{}}\n\
         abstract last: w = 0\nproc flagged() -> Mark {{ return sense }}\n\
         thread w[2] {{\n    let x: Node? = null\n    let y: Node? = null\n    let k = sense\n    let pair = Pair(null, k)\n{body}}}\n{stated}\n"
    )
}

/// Statements on cells whose order matters: what is read decides branches, addresses and compare-and-swaps.
const ORDERED: &[&str] = &[
    "a = x",
    "b = y",
    "a = y",
    "b = x",
    "a = z[b]",
    "z[a] = b",
    "x = 1",
    "y = a",
    "z[0] = 1",
    "if a == 1 { y = 1 }",
    "if a == 1 { b = x } else { b = z[1] }",
    "if b == 1 { if a == 0 { a = x } }",
    "if x.cas(0 -> 1) { y = 1 }",
    "if y.cas(a -> b, release) { a = x } else { b = z[0] }",
    "a = y.swap(b)",
    "b = x.fetch_or(1)",
    "a = x.load(acquire)",
    "x.store(b, release)",
    "fence full",
    "fence acquire",
    "choose { a = x } or { b = y }",
    "atomic { c = c + 1 }",
    "assert same: a == 0 or b == 1",
    "assert other: not (b == 1 and a == 1)",
    "cover both: a == 1 and b == 1",
    "while a == 1 { a = x }",
];

/// A program of two or three threads whose loads guess, pass one another and go ahead of branches.
#[allow(dead_code, reason = "not every test that uses this file asks for it")]
pub(crate) fn ordered_program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut text = "cell x: 0..1 = 0\ncell y: 0..1 = 0\ncell z[0..1]: 0..1 = 0\nabstract c: 0..9 = 0\n".to_string();
    let mut body = |n: usize| {
        let statements: String = (0..n).map(|_| format!("    {}\n", random.of(ORDERED))).collect();
        format!("    let a: 0..1 = 0\n    let b: 0..1 = 0\n{statements}")
    };
    match seed % 3 {
        0 => text += &format!("thread t[2] {{\n{}}}\n", body(4)),
        1 => text += &format!("thread t {{\n{}}}\nthread u {{\n{}}}\n", body(4), body(4)),
        _ => text += &format!("thread t[2] {{\n{}}}\nthread u {{\n{}}}\n", body(3), body(2)),
    }
    text
}
