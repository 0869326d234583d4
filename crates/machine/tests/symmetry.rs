//! Permutations of objects, threads and enums: a search that identifies states by them finds as many states as there are
//! classes of the states that one without finds, and says the same.

pub(crate) mod random;
pub(crate) mod states;

use automata::Automata;
use explore::{Control, SearchOptions, search};
use machine::{Compiled, Options, Reductions};
use memory::MemoryModel;
use program::{Settings, World};
use states::states;
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use system::Verdict;

struct Text(String);

impl World for Text {
    fn read(&self, _: &Path) -> io::Result<String> {
        Ok(self.0.clone())
    }
}

struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> io::Result<String> {
        std::fs::read_to_string(path)
    }
}

/// The automata of a program.
pub(crate) fn lowered(text: &str, variant: Option<&str>, set: &[(String, String)]) -> Automata {
    lowered_from(&Text(text.to_string()), Path::new("p.lac"), variant, set)
}

fn lowered_from(world: &dyn World, path: &Path, variant: Option<&str>, set: &[(String, String)]) -> Automata {
    let loaded = program::load(world, path);
    let settings = Settings { variant: variant.map(String::from), set: set.to_vec(), ..Settings::default() };
    let (program, diagnostics) = program::check(&loaded, &settings);
    let complaints: Vec<String> =
        loaded.diagnostics.iter().chain(&diagnostics).map(|d| d.render(&loaded.sources)).collect();
    lower::lower(&program.unwrap_or_else(|| panic!("{}", complaints.concat())))
}

fn model(name: &str) -> MemoryModel {
    memory::builtin::find(name).expect("it is built in")
}

fn options(symmetry: bool) -> Options {
    Options { reductions: Reductions { symmetry, ..Reductions::ALL }, ..Options::default() }
}

fn verdict(automata: &Automata, memory: &MemoryModel, options: &Options) -> (Option<u32>, usize) {
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
    let compiled = Compiled::new(automata, memory, options);
    match search(&compiled, &SearchOptions::default(), &control).verdict {
        Verdict::Holds => (None, 0),
        Verdict::Violated { property, path } => (Some(property), path.len()),
        Verdict::Inconclusive(limit) => panic!("{limit:?}"),
    }
}

/// Compares a system with its quotient; gives the numbers of states of both, unless there are more than `most`.
fn compare(automata: &Automata, memory: &MemoryModel, most: usize) -> Option<(usize, usize)> {
    let (with, without) = (options(true), options(false));
    let (quotient, full) = (Compiled::new(automata, memory, &with), Compiled::new(automata, memory, &without));
    let all = states(&full, most)?;
    let classes: HashSet<Vec<u32>> = all.iter().map(|state| quotient.pack(&full.unpack(state))).collect();
    let found = states(&quotient, most).expect("a quotient is not larger");
    assert_eq!(found, classes);
    let ((a, n), (b, m)) = (verdict(automata, memory, &with), verdict(automata, memory, &without));
    assert_eq!((a.is_some(), n), (b.is_some(), m), "violated by {a:?} and {b:?}");
    Some((all.len(), found.len()))
}

#[test]
fn objects_threads_and_marks_of_a_collector_are_interchangeable() {
    let text = include_str!("../../../tests/symmetry/heap.lac");
    for variant in ["original", "no_barrier"] {
        let automata = lowered(text, Some(variant), &[("STEPS".into(), "1".into())]);
        let (with, tso) = (options(true), model("tso"));
        assert_eq!(Compiled::new(&automata, &tso, &with).n_permutations(), 8, "{variant}");
        for name in ["sc", "tso"] {
            let (all, found) = compare(&automata, &model(name), 400_000).expect("not so many");
            assert!(all > found * 19 / 10, "{all} states, {found} classes");
        }
    }
}

/// A system with objects, threads and an enum that nothing names, and one change each that tells them apart.
#[test]
fn what_is_told_apart_is_not_permuted() {
    let text = |init: &str, body: &str, stated: &str| {
        format!(
            "enum Mark {{ even, odd }}\nobject Node {{ mark: Mark = even }}\nheap {{ a: Node; b: Node }}\n\
             abstract held[t]: Node? = null\nabstract turn: set t = {{}}\nabstract sense: Mark = even\n\
             thread t[2] {{ let o: Node? = {init}; o = choose Node; held[self] = o; let m = o.mark\n\
             let n = choose Mark; assume n != m; o.mark = n; turn = turn with self; sense = n\n{body} }}\n{stated}"
        )
    };
    let count = |init: &str, body: &str, stated: &str| {
        let automata = lowered(&text(init, body, stated), None, &[]);
        Compiled::new(&automata, &model("sc"), &options(true)).n_permutations()
    };
    assert_eq!(count("null", "", ""), 8);
    assert_eq!(
        count("null", "", "invariant i: all x in Node: all y in t: held[y] == x implies x.mark != sense or y in turn"),
        8
    );
    for (body, stated, n) in [
        ("if o == a { skip; sense = n }", "", 4),
        ("if self == 0 { sense = n }", "", 4),
        ("if n == even { turn = {} }", "", 4),
        ("each x in Node { let k = x.mark }", "", 4),
        ("let u = turn; if u == ({1}) { turn = {} }", "", 4),
        ("", "invariant i: held[0] != a", 2),
        ("", "invariant i: all x in t: held[x] != b", 4),
        ("", "invariant i: a.mark == even or b.mark == odd", 2),
        ("", "invariant i: not (0 in turn)", 4),
        ("", "invariant i: t[1].o != b or sense == odd", 1),
        ("", "cover c: turn == {1}", 4),
        ("if self < 1 { sense = n }", "", 4),
        ("atomic { let all_held = all x in t: held[x] != null; if all_held { sense = n } }", "", 4),
        ("atomic { each x in t { held[x] = null } }", "", 8),
    ] {
        assert_eq!(count("null", body, stated), n, "{body} {stated}");
    }
}

#[test]
fn random_programs_have_as_many_classes_as_states_with_symmetry() {
    let mut reduced = 0;
    for seed in 1..250 {
        let text = random::program(seed);
        let automata = lowered(&text, None, &[]);
        for name in ["sc", "tso", "relaxed"] {
            if let Some((all, found)) = compare(&automata, &model(name), 6_000) {
                reduced += usize::from(all > found);
            }
        }
    }
    assert!(reduced > 100, "{reduced} programs are reduced");
}

/// The collectors that this is for.
#[test]
fn objects_mutators_and_senses_of_the_on_the_fly_collectors_are_interchangeable() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols/marking");
    for (file, mutators, refs, n) in
        [("schism", 1, 2, 4), ("schism", 2, 2, 8), ("schism", 1, 3, 12), ("domani", 1, 2, 2), ("domani", 2, 3, 12)]
    {
        let set = [("MUTATORS".into(), mutators.to_string()), ("REFS".into(), refs.to_string())];
        let automata = lowered_from(&Disk, &root.join(file).join("small.lac"), None, &set);
        let compiled = options(true);
        let memory = model("tso");
        assert_eq!(Compiled::new(&automata, &memory, &compiled).n_permutations(), n, "{file} {mutators} x {refs}");
    }
}

/// `one` is passed in the step that leads to `two`, where the same is asked of the object, in other words.
#[test]
fn a_location_is_forgotten_for_every_object_or_for_none() {
    let text = "object Node { mark: 0..1 = 0 }\nheap { a: Node; b: Node }\nabstract free: set Node = {}\n\
                abstract n: 0..1 = 0\n\
                thread t { let ref: Node = choose Node; let roots: set Node = {} with ref; let left: set Node = {} with ref\n\
                atomic { n = 1 }\n@one left = left without ref\n@two atomic { n = 0 }\natomic { free = {} with ref } }\n\
                thread u { atomic { let o = choose Node; free = {} with o } }\n\
                invariant valid: (at(t, one) implies not (t.ref in free)) and\n\
                (at(t, two) implies all r in Node: r in t.roots implies not (r in free))\n";
    let automata = lowered(text, None, &[]);
    assert_eq!(Compiled::new(&automata, &model("sc"), &options(true)).n_permutations(), 2);
    for name in ["sc", "relaxed"] {
        let (all, found) = compare(&automata, &model(name), 10_000).expect("not so many");
        assert_eq!(all, 2 * found);
    }
}
