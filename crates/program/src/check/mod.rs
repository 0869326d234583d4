//! Trees to the typed program. Every pass reports what it finds and continues.
//!
//! Reading order: `select` (variant, scenario, settings), `constants`, `type_names` (both in the order of `definitions`) and `state`
//! with `registers` (declarations), `scope` (names of a body), `expressions` with `operators`, `sets`, `queues`, `places`, `methods`
//! and `calls`, `statements`, `properties` with `predicates`, `reaches`, `pending`, `thread_names`, `labels` and `temporal`; then
//! passes over the typed bodies: `recursion`,
//! `regions` (what may be touched where), `returns`, `size`; then `requirements` and `expectations`.

mod advice;
mod arithmetic;
mod calls;
mod conditionals;
mod constants;
mod definitions;
mod expectations;
mod expressions;
mod guarantees;
mod instances;
mod labels;
mod methods;
mod operators;
mod order;
mod pending;
mod places;
mod predicates;
mod properties;
mod queues;
mod reaches;
mod recursion;
mod refines;
mod regions;
mod registers;
mod requirements;
mod returns;
mod scope;
pub(crate) mod select;
mod sets;
mod size;
mod state;
mod statements;
mod temporal;
mod thread_names;
mod transactions;
mod type_names;

use crate::Loaded;
use crate::codes;
use crate::names::Names;
use crate::typed::{
    Body, Cover, CoverId, Graph, GraphId, Guarantee, Proc, ProcId, Program, Property, PropertyId, Register, RegisterId,
    Shared, SharedId, Thread, ThreadId,
};
use crate::types::{ObjectId, Type, Types, Wide};
use base::table::Id;
use base::{Code, Diagnostic, Span, Table};
use rustc_hash::FxHashMap;
pub use select::Settings;
use syntax::tree;

/// Whether a file is a program by itself, and no part of others.
pub fn stands_alone(loaded: &Loaded) -> bool {
    let is_read = !loaded.diagnostics.iter().any(Diagnostic::is_error);
    is_read && check(loaded, &Settings::default()).0.is_some()
}

/// Checks the program of one variant and one scenario. Gives it only if nothing is wrong.
pub fn check(loaded: &Loaded, settings: &Settings) -> (Option<Program>, Vec<Diagnostic>) {
    let mut checker = Checker::new(loaded, settings);
    let program = checker.program();
    let mut diagnostics = checker.out;
    hide_consequences(&mut diagnostics);
    advice::complete(&mut diagnostics);
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    // A field's first value is looked at once for each object.
    diagnostics.dedup_by(|a, b| is_same(a, b));
    let is_wrong = loaded.diagnostics.iter().chain(&diagnostics).any(Diagnostic::is_error);
    ((!is_wrong).then_some(program), diagnostics)
}

/// Checks every variant with every scenario, with default parameters; each complaint once.
pub fn check_all(loaded: &Loaded) -> Vec<Diagnostic> {
    check_all_while(loaded, &|| true).unwrap_or_default()
}

/// The same, while somebody wants to know it.
pub fn check_all_while(loaded: &Loaded, is_wanted: &dyn Fn() -> bool) -> Option<Vec<Diagnostic>> {
    let outline = crate::outline(loaded);
    let mut all: Vec<Diagnostic> = Vec::new();
    for variant in &outline.variants {
        for scenario in &outline.scenarios {
            let settings = Settings {
                variant: Some(variant.name.clone()),
                scenario: Some(scenario.name.clone()),
                set: Vec::new(),
            };
            if !is_wanted() {
                return None;
            }
            for diagnostic in check(loaded, &settings).1 {
                if !all.iter().any(|d| is_same(d, &diagnostic)) {
                    all.push(diagnostic);
                }
            }
        }
    }
    all.sort_by_key(|d| (d.span.file, d.span.start));
    Some(all)
}

/// What else is wrong with files of which some part could not be read: complaints that may only follow from
/// the unread parts are left out.
pub fn check_rest(loaded: &Loaded) -> Vec<Diagnostic> {
    let line = |d: &Diagnostic| loaded.sources.place(d.span).map(|(_, place)| (d.span.file, place.line));
    let unread: Vec<_> = loaded.diagnostics.iter().map(line).collect();
    let mut rest = check(loaded, &Settings::default()).1;
    rest.retain(|d| d.is_error() && !CONSEQUENCES.contains(&d.code) && !unread.contains(&line(d)));
    rest
}

/// What is said of names that are not found, which is not reported if something is missing as a whole.
const CONSEQUENCES: [Code; 7] = [
    codes::UNKNOWN_NAME,
    codes::UNKNOWN_TYPE,
    codes::UNKNOWN_LABEL,
    codes::UNKNOWN_PROPERTY,
    codes::MISPLACED_SELF,
    codes::NOTHING_TO_RUN,
    codes::NO_OBJECTS,
];

/// If something required is missing, names that are not found are not reported.
fn hide_consequences(diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.iter().any(|d| d.code == codes::UNMET_REQUIRE) {
        diagnostics.retain(|d| !CONSEQUENCES.contains(&d.code));
    }
}

/// Whether two complaints are of the same thing: the numbers in a message may differ between variants.
fn is_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.code == b.code && a.span == b.span && (!a.span.is_none() || a.message == b.message)
}

/// What a name of a constant came to.
type Constant = (Type, Wide);

/// What a declaration that may speak of others came to, so far.
#[derive(Clone, Copy)]
enum Definition<T> {
    Begun,
    Done(T),
}

/// The state of one check.
struct Checker<'a> {
    names: Names<'a>,
    loaded: &'a Loaded,
    settings: &'a Settings,
    variant: String,
    scenario: String,
    /// What `--set`, the scenario and the variant set, by the order of precedence.
    overrides: FxHashMap<&'a str, select::Override<'a>>,
    constants: FxHashMap<&'a str, Definition<Constant>>,
    type_names: FxHashMap<&'a str, Definition<Type>>,
    counts: FxHashMap<ThreadId, Definition<u32>>,
    followed: definitions::Followed,
    /// For each line of the heap the type and the indices there of the objects it gives.
    instances: Vec<Option<(ObjectId, std::ops::Range<usize>)>>,
    types: Types,
    shared: Table<SharedId, Shared>,
    registers: Table<RegisterId, Register>,
    procs: Table<ProcId, Proc>,
    /// Procedures for the places that calls give them.
    for_places: instances::Instances,
    threads: Table<ThreadId, Thread>,
    properties: Table<PropertyId, Property>,
    covers: Table<CoverId, Cover>,
    guarantees: Vec<Guarantee>,
    specifications: Vec<std::sync::Arc<crate::typed::Specification>>,
    graphs: Table<GraphId, Graph>,
    /// Registers that no statement reads.
    unread: Vec<(Span, String)>,
    /// How often predicates were used, and whether it was reported that this is too often.
    n_uses: usize,
    is_use_limit_reported: bool,
    out: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    fn new(loaded: &'a Loaded, settings: &'a Settings) -> Self {
        let mut out = Vec::new();
        let names = Names::collect(loaded, &mut out);
        Checker {
            names,
            loaded,
            settings,
            variant: String::new(),
            scenario: String::new(),
            overrides: FxHashMap::default(),
            constants: FxHashMap::default(),
            type_names: FxHashMap::default(),
            counts: FxHashMap::default(),
            followed: definitions::Followed::default(),
            instances: Vec::new(),
            types: Types::default(),
            shared: Table::new(),
            registers: Table::new(),
            procs: Table::new(),
            for_places: Default::default(),
            threads: Table::new(),
            properties: Table::new(),
            covers: Table::new(),
            guarantees: Vec::new(),
            specifications: Vec::new(),
            graphs: Table::new(),
            unread: Vec::new(),
            n_uses: 0,
            is_use_limit_reported: false,
            out,
        }
    }

    /// Runs all passes.
    fn program(&mut self) -> Program {
        self.select();
        self.declare_types();
        self.check_constants();
        self.check_state();
        self.check_registers();
        self.check_signatures();
        self.check_requirements();
        self.check_properties_named();
        self.check_refinements();
        self.check_bodies();
        self.check_predicates();
        self.check_properties();
        self.check_guarantees();
        self.report_unused();
        if self.check_recursion() {
            self.check_regions();
            self.check_owners();
            self.check_transactions();
            self.check_size();
        }
        self.check_expectations();
        self.refine();
        self.take_program()
    }

    fn take_program(&mut self) -> Program {
        let constants = self.shown_constants();
        Program {
            name: crate::outline::stem(self.loaded),
            variant: std::mem::take(&mut self.variant),
            scenario: std::mem::take(&mut self.scenario),
            constants,
            types: std::mem::take(&mut self.types),
            shared: std::mem::take(&mut self.shared),
            registers: std::mem::take(&mut self.registers),
            procs: std::mem::take(&mut self.procs),
            threads: std::mem::take(&mut self.threads),
            properties: std::mem::take(&mut self.properties),
            covers: std::mem::take(&mut self.covers),
            guarantees: std::mem::take(&mut self.guarantees),
            specifications: std::mem::take(&mut self.specifications),
            graphs: std::mem::take(&mut self.graphs),
        }
    }

    /// Resolves the parameters and results of all procedures, and the counts of all threads.
    fn check_signatures(&mut self) {
        for i in 0..self.names.procs.len() {
            let (signature, _) = self.names.procs[i];
            let proc = self.signature(signature);
            self.procs.push(proc);
        }
        for i in 0..self.names.threads.len() {
            let thread = self.names.threads[i];
            let count = thread.count.is_some().then(|| self.thread_count(ThreadId::new(i)));
            self.threads.push(Thread {
                name: thread.name.text.clone(),
                span: thread.name.span,
                count,
                body: Body::default(),
                observed: Vec::new(),
            });
        }
        if self.names.threads.is_empty() {
            self.nothing_to_run();
        }
    }

    fn check_bodies(&mut self) {
        for i in 0..self.names.procs.len() {
            if !instances::takes_places(self.names.procs[i].0) {
                self.proc_body(ProcId::new(i), self.names.procs[i].1);
            }
        }
        for i in 0..self.names.threads.len() {
            self.thread_body(ThreadId::new(i), &self.names.threads[i].body);
        }
        self.check_instances();
    }

    /// Reports an error.
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.out.push(Diagnostic::error(code, span, message));
        self.out.last_mut().expect("one was just pushed")
    }

    /// Reports that `name` is not among the `known` names.
    fn unknown(&mut self, code: Code, name: &tree::Name, what: &str, known: &[&str]) {
        self.unknown_of(code, name, "there is", what, known);
    }

    /// Reports that `owner`, as in "`Node` has", has no `what` of that name among the `known` names.
    fn unknown_of<S: AsRef<str>>(&mut self, code: Code, name: &tree::Name, owner: &str, what: &str, known: &[S]) {
        let hint = base::suggest::hint(&name.text, known.iter().map(AsRef::as_ref));
        self.error(code, name.span, format!("{owner} no {what} `{}`", name.text)).hint = hint;
    }
}
