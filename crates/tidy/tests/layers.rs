//! The crate table of `ARCHITECTURE.md` is the rule: it says who may depend on whom, and no manifest differs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tidy::{crates, dependencies, files, files_with, manifest, root, section, short, text};

/// The crates that may contain `unsafe`: invariant 9.
const MAY_BE_UNSAFE: [&str; 3] = ["heap", "htm", "htm-emulator"];

/// The table as data: each crate with what it may depend on.
fn architecture() -> BTreeMap<String, BTreeSet<String>> {
    let rows = tidy::table(&text(&root().join("ARCHITECTURE.md")), "crate");
    let plain = |cell: &str| cell.replace('`', "");
    let names = |cell: &str| {
        let names = plain(cell);
        names.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty() && name != "-").collect()
    };
    rows.iter().map(|row| (plain(&row[0]), names(&row[2]))).collect()
}

#[test]
fn the_crate_table_lists_every_crate() {
    let listed: Vec<String> = architecture().into_keys().collect();
    assert_eq!(listed, crates(), "left: ARCHITECTURE.md, right: crates/ and collector/");
}

#[test]
fn every_manifest_depends_on_what_the_crate_table_says() {
    let mut wrong = Vec::new();
    for (name, allowed) in architecture() {
        let used = dependencies(&manifest(&name));
        if used != allowed {
            wrong.push(format!("{name}: the table says {allowed:?}, the manifest {used:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_explorer_knows_only_the_seam() {
    assert_eq!(dependencies(&manifest("explore")), BTreeSet::from(["base".to_string(), "system".to_string()]));
}

#[test]
fn every_crate_is_named_as_its_folder_and_inherits_the_lints() {
    for name in crates() {
        let manifest = manifest(&name);
        assert!(section(&manifest, "package").contains(&format!("name = \"{name}\"").as_str()), "{name}: package name");
        if !MAY_BE_UNSAFE.contains(&name.as_str()) {
            assert_eq!(section(&manifest, "lints"), ["workspace = true"], "{name}: lints");
        }
        for key in ["version", "edition", "license"] {
            let line = format!("{key}.workspace = true");
            assert!(section(&manifest, "package").contains(&line.as_str()), "{name}: {key}");
        }
    }
}

#[test]
fn unsafe_crates_have_the_lints_of_the_workspace_and_document_every_block() {
    let workspace = text(&root().join("Cargo.toml"));
    for name in crates().iter().filter(|name| MAY_BE_UNSAFE.contains(&name.as_str())) {
        let manifest = manifest(name);
        let denied = |line: &&str| line.replace("\"forbid\"", "\"deny\"");
        let rust: Vec<String> = section(&workspace, "workspace.lints.rust").iter().map(denied).collect();
        assert_eq!(section(&manifest, "lints.rust"), rust, "{name}");
        let mut clippy = section(&workspace, "workspace.lints.clippy");
        clippy.push("undocumented_unsafe_blocks = \"warn\"");
        assert_eq!(section(&manifest, "lints.clippy"), clippy, "{name}");
    }
}

/// Whether the line has an `unsafe` block, implementation or function, not only the word.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    ["{", "impl ", "fn "].iter().any(|what| code.contains(&format!("unsafe {what}")))
}

#[test]
fn unsafe_code_is_where_it_may_be_and_names_its_invariant() {
    let mut wrong = Vec::new();
    let mut n_found = 0;
    for path in ["crates", "collector", "bench"].iter().flat_map(|folder| files_with(&root().join(folder), "rs")) {
        let (name, source) = (short(&path), text(&path));
        let lines: Vec<&str> = source.lines().collect();
        for (n, _) in lines.iter().enumerate().filter(|(_, line)| is_unsafe(line) && !line.contains("format!")) {
            n_found += 1;
            if !name.starts_with("crates/htm/") && !name.starts_with("collector/heap/") {
                wrong.push(format!("{name}:{}: may not be here", n + 1));
            }
            let mut before = lines[..n].iter().rev().take_while(|line| line.trim_start().starts_with(['/', '#']));
            if !before.any(|line| line.contains("SAFETY:") || line.contains("# Safety")) {
                wrong.push(format!("{name}:{}: names no invariant", n + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_found >= 8, "the blocks of `htm` and `heap` are seen");
}

/// Wide instructions end hardware transactions (pitfall P4 in the book's chapter on the collector).
#[test]
fn no_build_asks_for_the_instructions_of_its_machine() {
    let mut settings: Vec<_> = [".cargo", ".ci"].iter().flat_map(|folder| files(&root().join(folder))).collect();
    let is_setting = |path: &PathBuf| path.extension().is_none_or(|ending| ending == "toml" || ending == "sh");
    settings.extend(files(&root()).into_iter().filter(is_setting));
    let asks = |path: &&PathBuf| std::fs::read_to_string(path).is_ok_and(|text| text.contains("target-cpu="));
    let wrong: Vec<String> = settings.iter().filter(asks).map(|path| short(path)).collect();
    assert!(settings.len() > 20 && wrong.is_empty(), "{wrong:?}");
}
