//! What runs under the memory models of languages and processors say to people who write collectors: right in Rust and C++, right
//! as compiled, or wrong.

use super::Run;
use report::table::wrap;
use workbench::Verdict;

/// Whose code a memory model is that of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Language,
    Arm,
    X86,
}

fn whose(run: &Run<'_>) -> Option<Whose> {
    match run.memory.name.as_str() {
        _ if run.memory.histories.is_some() => Some(Whose::Language),
        name if name.starts_with("armv8") => Some(Whose::Arm),
        "tso" => Some(Whose::X86),
        _ => None,
    }
}

/// One line for each variant, if a language and a processor were asked about.
pub(super) fn in_words(runs: &[Run<'_>]) -> String {
    let is_asked = |of: &[Whose]| runs.iter().any(|run| whose(run).is_some_and(|whose| of.contains(&whose)));
    if !is_asked(&[Whose::Language]) || !is_asked(&[Whose::Arm, Whose::X86]) {
        return String::new();
    }
    let variants = runs.chunk_by(|a, b| std::ptr::eq(a.request, b.request) && a.system.variant == b.system.variant);
    format!("\nin short:\n{}", variants.map(of_variant).collect::<String>())
}

fn of_variant(runs: &[Run<'_>]) -> String {
    let all = || runs.iter().filter(|run| whose(run).is_some());
    let broken = |of: Whose| all().find(|run| whose(run) == Some(of) && run.is_violated());
    let is_known =
        |of: Whose| all().filter(|run| whose(run) == Some(of)).all(|run| run.answer.verdict == Verdict::Holds);
    let processors = processors(&all().filter_map(whose).collect::<Vec<_>>());
    let (words, decisive) = match (broken(Whose::Language), broken(Whose::Arm), broken(Whose::X86)) {
        (_, Some(arm), Some(_)) => ("wrong on ARMv8 and x86".to_string(), Some(arm)),
        (_, None, Some(x86)) => ("wrong on x86".into(), Some(x86)),
        (None, Some(arm), None) => ("wrong on ARMv8, though RC11 allows no such run".into(), Some(arm)),
        (Some(_), Some(arm), None) => ("wrong on ARMv8".into(), Some(arm)),
        _ if !is_known(Whose::Arm) || !is_known(Whose::X86) => ("not known: a search was not finished".into(), None),
        (Some(language), None, None) => {
            (format!("right on {processors} as compiled, not by the language"), Some(language))
        }
        _ if !is_known(Whose::Language) => {
            (format!("right on {processors} as compiled; by the language not known"), None)
        }
        (None, None, None) => (format!("right in Rust and C++, and on {processors}"), None),
    };
    let words = if words.starts_with("right") { words + caveat(runs) } else { words };
    let sentences = decisive.and_then(|run| run.explanation()).map_or(&[][..], |explanation| &explanation.sentences);
    let why: String = sentences.iter().map(|sentence| wrap("      ", sentence, 114)).collect();
    format!("  {}: {words}\n{why}", runs[0].request.variant(runs[0].system))
}

/// What those runs that hold leave open.
fn caveat(runs: &[Run<'_>]) -> &'static str {
    let holding = || runs.iter().filter(|run| whose(run).is_some() && run.answer.verdict == Verdict::Holds);
    if holding().any(|run| run.answer.is_vacuous() || !run.answer.unreached.is_empty()) {
        ", but not all was reached: this shows nothing yet"
    } else if holding().any(|run| !run.answer.bounds_hit.is_empty()) {
        ", within the bound that was hit"
    } else {
        ""
    }
}

fn processors(asked: &[Whose]) -> &'static str {
    match (asked.contains(&Whose::Arm), asked.contains(&Whose::X86)) {
        (true, true) => "ARMv8 and x86",
        (true, false) => "ARMv8",
        _ => "x86",
    }
}
