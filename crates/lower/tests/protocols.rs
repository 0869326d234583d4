//! Every file of the repository that is free of errors becomes automata that obey the rules, in every variant and scenario, and
//! their text reads back.

use automata::Automata;
use base::Span;
use program::{Loaded, Settings};
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// All `.lac` files under `folder`, sorted, each with the files that it uses.
fn programs(folder: &str) -> Vec<(PathBuf, Loaded)> {
    let read = |path: &Path| std::fs::read_to_string(path);
    files(&Path::new(ROOT).join(folder)).into_iter().map(|path| (path.clone(), program::load(&read, &path))).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|dir| dir.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    entries.sort();
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.into_iter().partition(|path| path.is_dir());
    let own = files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "lac"));
    own.chain(folders.iter().flat_map(|folder| self::files(folder))).collect()
}

/// The automata of one in so many variants and scenarios, if it is free of errors.
fn systems(loaded: &Loaded, set: &[(String, String)], one_in: usize) -> Vec<Automata> {
    let outline = program::outline(loaded);
    let mut systems = Vec::new();
    for (i, variant) in outline.variants.iter().enumerate() {
        for scenario in outline.scenarios.iter().skip(i % one_in).step_by(one_in) {
            let (variant, scenario) = (Some(variant.name.clone()), Some(scenario.name.clone()));
            let program = program::check(loaded, &Settings { variant, scenario, set: set.to_vec() }).0;
            systems.extend(program.map(|program| lower::lower(&program)));
        }
    }
    systems
}

fn without_spans(mut automata: Automata) -> Automata {
    automata.parts.clear();
    automata.properties.values_mut().for_each(|property| property.span = Span::none());
    automata.covers.values_mut().for_each(|cover| cover.span = Span::none());
    automata.guarantees.iter_mut().for_each(|guarantee| guarantee.span = Span::none());
    for thread in automata.threads.values_mut() {
        thread.automaton.points.values_mut().for_each(|point| point.span = Span::none());
    }
    automata
}

#[track_caller]
fn reads_back(automata: Automata, path: &Path) {
    let text = automata::text::write(&automata);
    let read = automata::text::read(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
    assert_eq!(automata::text::write(&read), text, "{}", path.display());
    assert!(read == without_spans(automata), "{}: another system\n{text}", path.display());
}

#[test]
fn protocols_are_free_of_errors() {
    let programs = programs("protocols");
    let is_used = |path: &Path| {
        let stem = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        programs.iter().any(|(_, loaded)| loaded.sources.iter().skip(1).any(|(_, source)| source.name.ends_with(&stem)))
    };
    let mut complaints = String::new();
    for (_, loaded) in programs.iter().filter(|(path, _)| !is_used(path)) {
        for diagnostic in loaded.diagnostics.iter().chain(&program::check_all(loaded)).filter(|d| d.is_error()) {
            complaints.push_str(&diagnostic.render(&loaded.sources));
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn protocols_become_valid_automata_whose_text_reads_back() {
    let one_in = if std::env::var_os("LACUNA_FULL").is_some() { 1 } else { 3 };
    for (path, loaded) in programs("protocols") {
        for set in [vec![], vec![("FIELDS".into(), "2".into()), ("MUTATORS".into(), "2".into())]] {
            let systems = systems(&loaded, &set, one_in);
            for automata in &systems {
                assert_eq!(automata::validate(automata), Ok(()), "{}", path.display());
            }
            // Variants differ little: the text of the first one stands for all.
            systems.into_iter().take(1).for_each(|automata| reads_back(automata, &path));
        }
    }
}

#[test]
fn the_text_of_small_programs_reads_back() {
    let mut n_systems = 0;
    for (path, loaded) in ["litmus", "tests"].into_iter().flat_map(programs) {
        for automata in systems(&loaded, &[], 1) {
            n_systems += 1;
            reads_back(automata, &path);
        }
    }
    assert!(n_systems > 200, "{n_systems}");
}
