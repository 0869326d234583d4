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

pub(crate) fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut body = String::new();
    for _ in 0..3 + random.pick(3) {
        let statement = if random.pick(12) == 0 { random.of(TELLING) } else { random.of(STATEMENTS) };
        body += &match random.pick(8) {
            0 => format!("    choose {{ {statement} }} or {{ {} }}\n", random.of(STATEMENTS)),
            _ => format!("    {statement}\n"),
        };
    }
    let (stated, first) = (random.of(STATED), random.of(&["null", "a", "b"]));
    format!(
        "enum Mark {{ even, odd }}\nobject Node {{ next: Node? = null, mark: Mark = even }}\n\
         heap {{ a: Node {{ next = {first} }}; b: Node }}\nword Pair {{ node: Node?, mark: Mark }}\n\
         cell sense: Mark = odd\nabstract s: set Node = {{a}}\nabstract own[w]: set Node = {{b}}\nabstract who: set w = {{}}\n\
         abstract last: w = 0\nproc flagged() -> Mark {{ return sense }}\n\
         thread w[2] {{\n    let x: Node? = null\n    let y: Node? = null\n    let k = sense\n    let pair = Pair(null, k)\n{body}}}\n{stated}\n"
    )
}
