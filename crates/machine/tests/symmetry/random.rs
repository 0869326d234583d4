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
