//! What can be checked of the page's files without a browser.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// The names and texts of the files with this ending.
fn files(ending: &str) -> Vec<(String, String)> {
    let paths = std::fs::read_dir(folder()).expect("there are assets").flatten().map(|entry| entry.path());
    let mut files: Vec<(String, String)> = paths
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("text"))
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn every_file_is_part_of_the_page() {
    let list = include_str!("../src/assets.rs");
    for (name, _) in ["js", "css", "html"].iter().flat_map(|ending| files(ending)) {
        assert!(list.contains(&format!("assets/{name}\"")), "{name} is not in the page");
    }
}

#[test]
fn no_two_scripts_use_one_name() {
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for (file, text) in files("js") {
        for line in text.lines() {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let declared = ["function ", "const ", "let ", "class "].iter().find_map(|word| line.strip_prefix(word));
            let Some(rest) = declared else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let other = owners.insert(name.clone(), file.clone());
            assert!(name.is_empty() || other.is_none(), "{name} is in {file} and in {other:?}");
        }
    }
}

#[test]
fn imports_fit_on_a_line_and_name_what_the_other_file_exports() {
    let files = files("js");
    for (file, text) in &files {
        for line in text.lines().filter(|line| line.starts_with("import ")) {
            let from = line.split("from \"./").nth(1).and_then(|rest| rest.strip_suffix("\";"));
            let from = from.unwrap_or_else(|| panic!("{file}: `{line}` is not of the form that can be inlined"));
            let other = files.iter().find(|(name, _)| name == from).unwrap_or_else(|| panic!("{file}: no {from}"));
            let names = line.split(['{', '}']).nth(1).expect("names in braces").split(',').map(str::trim);
            for name in names {
                let is_exported = ["function", "async function", "class", "const"]
                    .iter()
                    .any(|word| other.1.contains(&format!("export {word} {name}")));
                assert!(is_exported, "{file}: {from} does not export {name}");
            }
        }
    }
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    for (file, text) in ["js", "css", "html"].iter().flat_map(|ending| files(ending)) {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("://") && !text.contains("@import"), "{file}");
    }
}

/// The colours of one scheme by name.
fn colours(text: &str) -> BTreeMap<&str, [f64; 3]> {
    let part = |hex: &str, i: usize| u8::from_str_radix(&hex[i..i + 2], 16).map(|v| f64::from(v) / 255.0);
    text.lines()
        .filter_map(|line| {
            let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
            Some((name, [part(value, 0).ok()?, part(value, 2).ok()?, part(value, 4).ok()?]))
        })
        .collect()
}

/// The contrast of two colours, as the guidelines for accessible content define it.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let linear = |v: f64| if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    let light = |c: [f64; 3]| 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]) + 0.05;
    let (one, other) = (light(one), light(other));
    if one > other { one / other } else { other / one }
}

#[test]
fn text_is_readable_in_both_schemes() {
    let text = std::fs::read_to_string(folder().join("colours.css")).expect("colours");
    let (light, dark) = text.split_once("@media").expect("two schemes");
    let light = colours(light);
    let mut dark_over_light = light.clone();
    dark_over_light.extend(colours(dark));
    let mut wrong = BTreeSet::new();
    for (scheme, colours) in [("light", &light), ("dark", &dark_over_light)] {
        let threads = (0..6).map(|i| format!("thread-{i}"));
        for name in ["text", "soft", "faint", "arc"].map(String::from).into_iter().chain(threads) {
            for ground in ["panel", "sunken", "accent-soft"] {
                let found = contrast(colours[name.as_str()], colours[ground]);
                if found < 4.5 {
                    wrong.insert(format!("{scheme}: {name} on {ground} has {found:.2}"));
                }
            }
        }
        for (name, ground) in [("bad", "bad-soft"), ("bad", "panel"), ("good", "panel"), ("text", "changed")] {
            let found = contrast(colours[name], colours[ground]);
            if found < 4.5 {
                wrong.insert(format!("{scheme}: {name} on {ground} has {found:.2}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
