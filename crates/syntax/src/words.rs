//! What the user may have meant: words of other languages, and keywords nearly right.

use base::suggest::distance;

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
