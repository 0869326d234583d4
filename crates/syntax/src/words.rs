//! What the user may have meant: words of other languages, and keywords nearly right.

/// Keywords that begin items.
pub(crate) const ITEMS: &[&str] = &[
    "use",
    "param",
    "flag",
    "const",
    "type",
    "enum",
    "word",
    "object",
    "heap",
    "cell",
    "abstract",
    "ghost",
    "register",
    "require",
    "proc",
    "thread",
    "work",
    "bucket",
    "releaser",
    "scenario",
    "variant",
    "invariant",
    "guarantee",
    "forbid",
    "ltl",
    "predicate",
    "cover",
    "expect",
];

/// Keywords that begin statements.
pub(crate) const STATEMENTS: &[&str] = &[
    "let",
    "if",
    "while",
    "loop",
    "each",
    "choose",
    "atomic",
    "directly",
    "stop_the_world",
    "transaction",
    "abort",
    "fence",
    "assert",
    "assume",
    "cover",
    "request",
    "perform",
    "safepoint",
    "return",
    "break",
    "continue",
    "stop",
    "skip",
];

/// Words of other languages with ours.
const FOREIGN: &[(&str, &str)] = &[
    ("fn", "proc"),
    ("func", "proc"),
    ("function", "proc"),
    ("def", "proc"),
    ("proctype", "thread"),
    ("procedure", "proc"),
    ("process", "thread"),
    ("import", "use"),
    ("include", "use"),
    ("mod", "use"),
    ("struct", "object"),
    ("class", "object"),
    ("record", "word"),
    ("shared", "cell"),
    ("global", "cell"),
    ("static", "cell"),
    ("define", "const"),
    ("property", "invariant"),
    ("test", "scenario"),
    ("for", "each"),
    ("foreach", "each"),
    ("forall", "all"),
    ("var", "let"),
    ("var", "cell"),
    ("yield", "safepoint"),
    ("poll", "safepoint"),
    ("select", "choose"),
    ("do", "loop"),
    ("exit", "stop"),
    ("barrier", "fence"),
    ("mfence", "fence"),
    ("pass", "skip"),
    ("nop", "skip"),
    ("check", "assert"),
    ("packet", "work"),
    ("drain", "perform"),
    ("await", "assume"),
    ("stw", "stop_the_world"),
    ("xbegin", "transaction"),
    ("xabort", "abort"),
];

/// The word of `candidates` that `word` was likely meant to be.
pub(crate) fn meant(word: &str, candidates: &[&'static str]) -> Option<&'static str> {
    if word.len() > 24 {
        return None;
    }
    if let Some(ours) = translated(word, candidates) {
        return Some(ours);
    }
    let lower = word.to_ascii_lowercase();
    let allowed = if lower.len() <= 3 { 1 } else { 2 };
    candidates
        .iter()
        .map(|candidate| (distance(&lower, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

/// The word of `candidates` that says the same as `word` of another language.
pub(crate) fn translated(word: &str, candidates: &[&'static str]) -> Option<&'static str> {
    let is_it = |(theirs, ours): &&(&str, &'static str)| theirs.eq_ignore_ascii_case(word) && candidates.contains(ours);
    FOREIGN.iter().find(is_it).map(|(_, ours)| *ours)
}

/// The number of letters to insert, drop or replace, or of neighbours to swap, to get from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + changed);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
