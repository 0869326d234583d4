//! Whatever the text, nothing panics: mangled protocols are complained of, or become valid automata.

use program::Settings;
use std::path::{Path, PathBuf};

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Pieces of a text: words, and signs one by one.
fn pieces(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match all.last_mut() {
            Some(last) if is_word && last.chars().all(|l| l.is_alphanumeric() || l == '_') => last.push(c),
            _ => all.push(c.to_string()),
        }
    }
    all
}

/// Replaces, drops, doubles or swaps a few pieces.
fn mangle(pieces: &[String], dice: &mut Dice) -> String {
    let mut mangled = pieces.to_vec();
    for _ in 0..1 + dice.below(3) {
        let (i, j) = (dice.below(mangled.len()), dice.below(mangled.len()));
        match dice.below(4) {
            0 => mangled[i] = mangled[j].clone(),
            1 => drop(mangled.remove(i)),
            2 => mangled.insert(i, mangled[j].clone()),
            _ => mangled.swap(i, j),
        }
    }
    mangled.concat()
}

#[test]
fn mangled_protocols_never_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols/copying");
    let turns: usize = std::env::var("MANGLED").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for name in ["stopless/stopless.lac", "staccato/staccato.lac", "copying.lac", "sapphire/sapphire_llsc.lac"] {
        let path = root.join(name).components().collect::<PathBuf>();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let pieces = pieces(&text);
        for _ in 0..turns {
            let mangled = mangle(&pieces, &mut dice);
            check(&root, &path, mangled);
        }
    }
}

/// Checks and lowers a protocol with one file replaced.
fn check(root: &Path, path: &Path, text: String) {
    let replaced = normal(path);
    let world = |path: &Path| if path == replaced { Ok(text.clone()) } else { std::fs::read_to_string(path) };
    let program = if path.ends_with("copying.lac") { root.join("staccato/staccato.lac") } else { path.to_path_buf() };
    let loaded = program::load(&world, &program);
    for scenario in ["general", "WR"] {
        let settings = Settings { scenario: Some(scenario.into()), ..Settings::default() };
        let (program, diagnostics) = program::check(&loaded, &settings);
        for diagnostic in loaded.diagnostics.iter().chain(&diagnostics) {
            diagnostic.render(&loaded.sources);
        }
        if let Some(program) = program {
            assert_eq!(automata::validate(&lower::lower(&program)), Ok(()));
        }
    }
}

/// The path as the loader spells it.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

#[test]
fn long_and_deep_texts_are_refused_or_read() {
    let sum = format!("const C = {}1\nthread t {{ skip }}\n", "1 + ".repeat(20_000));
    let conditions = format!("cell x: 0..1 = 0\nthread t {{ assert {}true }}\n", "x == 1 and ".repeat(5_000));
    let calls: String = (0..500).map(|i| format!("proc p{i}() {{ p{}() }}\n", i + 1)).collect();
    let calls = format!("{calls}proc p500() {{ skip }}\nthread t {{ p0() }}\n");
    let ifs = format!("cell x: 0..1 = 0\nthread t {{ {}skip {} }}\n", "if x == 1 { ".repeat(150), "}".repeat(150));
    for text in [sum, conditions, calls, ifs] {
        let path = Path::new("/p.lac");
        let loaded = program::load(&|_: &Path| Ok(text.clone()), path);
        if let Some(program) = program::check(&loaded, &Settings::default()).0 {
            lower::lower(&program);
        }
    }
}
