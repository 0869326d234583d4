//! Every mutant of a protocol is caught: one fence, order, handshake or CAS taken away gives the
//! violation that its file names.

use crate::mutant_files::{Expectation, Mutant, load, mutants, read, root};
use lacuna::session::{Scope, Switches, memories};
use program::Settings;
use std::collections::BTreeMap;
use std::path::PathBuf;
use workbench::{Question, RunOptions, System};

/// What is not as the mutant's file says.
fn judge(mutant: &Mutant) -> Vec<String> {
    let loaded = load(mutant);
    let scope = Scope::new(&mutant.set, None, Switches::default()).expect("settings");
    let mut wrong = Vec::new();
    for expectation in &mutant.expectations {
        let settings = Settings {
            variant: mutant.variant.clone(),
            scenario: Some(expectation.scenario.clone()),
            set: scope.set.clone(),
        };
        let system = System::of(&loaded, &settings).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", mutant.name));
        let memory = &memories(std::slice::from_ref(&expectation.memory), &scope.switches).expect("built in")[0];
        let mut options = RunOptions::default();
        options.machine.queue_bound = scope.queue_bound;
        options.machine.buffer = scope.switches.buffer;
        let outcome = Question::new(&system.automata, memory, &options).answer();
        let is_right = outcome.word() == expectation.verdict
            && (expectation.property.is_none() || expectation.property == outcome.property);
        if !is_right {
            let (word, property) = (outcome.word(), &outcome.property);
            wrong.push(format!("{}: {word} {property:?}, but {expectation:?}", mutant.name));
        }
    }
    wrong
}

#[test]
fn every_mutant_is_caught() {
    let wrong: Vec<String> = mutants().iter().flat_map(judge).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_protocol_has_three_mutants_and_each_names_its_violation() {
    let mut count: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for mutant in mutants() {
        let named = |e: &&Expectation| e.verdict == "violated" && e.property.is_some();
        assert!(mutant.expectations.iter().any(|e| named(&e)), "{} names no violation", mutant.name);
        let folder = mutant.protocol.parent().expect("a folder").to_path_buf();
        *count.entry(folder).or_default() += 1;
    }
    let protocols = std::fs::read_dir(root().join("protocols/copying")).expect("readable");
    for folder in protocols.map(|entry| entry.expect("readable").path()).filter(|path| path.is_dir()) {
        let n = count.get(&folder).copied().unwrap_or(0);
        assert!(n >= 3, "{} has {n} mutants", folder.display());
    }
}

/// The file that a page of the book titles so.
fn titled(page: &str, title: &str) -> String {
    let after = page.split_once(&format!("title={title}\n")).unwrap_or_else(|| panic!("{title} is not there")).1;
    after.split_once("```").expect("the block ends").0.to_string()
}

#[test]
fn the_mutant_of_the_recipe_is_caught() {
    let page = std::fs::read_to_string(root().join("docs/book/src/add-a-protocol.md")).expect("the recipe is here");
    let folder = std::env::temp_dir().join(format!("lacuna-recipe-{}", std::process::id()));
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(&path, text).expect("writable");
        path
    };
    let framework = "protocols/copying/copying.lac";
    put(framework, &std::fs::read_to_string(root().join(framework)).expect("the framework is here"));
    let protocol = "protocols/copying/naive/naive.lac";
    put(protocol, &titled(&page, protocol));
    let mutant = "tests/mutants/naive/concurrent_copy.mutant";
    let path = put(mutant, &titled(&page, mutant));
    let wrong = judge(&read(&folder, &path));
    std::fs::remove_dir_all(&folder).expect("it was made above");
    assert_eq!(wrong, Vec::<String>::new());
}
