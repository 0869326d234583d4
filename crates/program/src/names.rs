//! Every declared name of a program, and the items by kind in the order of the text.

use crate::Loaded;
use crate::check::select::MACHINE_SWITCHES;
use crate::codes;
use crate::typed::{Expr, ProcId, PropertyKind, RegisterId, SharedId, ThreadId};
use crate::types::{EnumId, ObjectId};
use base::table::Id;
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use syntax::tree::{self, ItemKind, Name};

/// What a name stands for.
#[derive(Clone, Copy)]
pub(crate) enum Decl<'a> {
    Param(&'a tree::Type, &'a tree::Expr),
    Flag(&'a [Name], &'a Name),
    Const(&'a tree::Expr),
    Alias(&'a tree::Type),
    Enum(EnumId),
    EnumVariant(EnumId, usize),
    Word(&'a [tree::FieldDecl]),
    Object(ObjectId),
    /// The object of this position in `Names::heap`.
    Instance(usize),
    Shared(SharedId),
    Register(RegisterId),
    Proc(ProcId),
    Thread(ThreadId),
    /// The predicate of this position in `Names::predicates`.
    Predicate(usize),
}

impl Decl<'_> {
    /// What it is, for messages.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Decl::Param(..) => "a parameter",
            Decl::Flag(..) => "a flag",
            Decl::Const(_) => "a constant",
            Decl::Alias(_) => "a type",
            Decl::Enum(_) => "an enum",
            Decl::EnumVariant(..) => "a variant of an enum",
            Decl::Word(_) => "a word type",
            Decl::Object(_) => "an object type",
            Decl::Instance(_) => "an object of the heap",
            Decl::Shared(_) => "shared state",
            Decl::Register(_) => "a register of threads",
            Decl::Proc(_) => "a procedure",
            Decl::Thread(_) => "a thread",
            Decl::Predicate(_) => "a predicate",
        }
    }

    /// Whether it stands for a value.
    pub(crate) fn is_value(&self) -> bool {
        matches!(
            self,
            Decl::Param(..)
                | Decl::Flag(..)
                | Decl::Const(_)
                | Decl::EnumVariant(..)
                | Decl::Instance(_)
                | Decl::Shared(_)
                | Decl::Register(_)
        )
    }

    /// Whether it may stand where a type is wanted.
    pub(crate) fn is_type(&self) -> bool {
        matches!(self, Decl::Alias(_) | Decl::Enum(_) | Decl::Word(_) | Decl::Object(_) | Decl::Thread(_))
    }
}

/// A declaration with its place.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) decl: Decl<'a>,
    pub(crate) span: Span,
}

/// A variant's settings.
pub(crate) struct VariantItem<'a> {
    pub(crate) name: &'a Name,
    pub(crate) settings: &'a [tree::Setting],
}

/// A predicate's parameters and what it stands for.
#[derive(Clone, Copy)]
pub(crate) struct Predicate<'a> {
    pub(crate) name: &'a Name,
    pub(crate) params: &'a [(Name, tree::Type)],
    pub(crate) condition: &'a tree::Expr,
}

/// `invariant`, `forbid`, `ltl` or `cover` as an item.
#[derive(Clone, Copy)]
pub(crate) enum PropertyItem {
    /// Of single states, with its level.
    State(fn(Expr) -> PropertyKind, u32),
    Ltl {
        is_fair: bool,
    },
    Cover,
}

/// All items by kind, root file first.
#[derive(Default)]
pub(crate) struct Names<'a> {
    entries: FxHashMap<&'a str, Entry<'a>>,
    /// The names in the order of their declarations.
    pub(crate) order: Vec<&'a str>,
    pub(crate) enums: Vec<(&'a Name, &'a [Name])>,
    pub(crate) objects: Vec<(&'a Name, &'a [tree::FieldDecl])>,
    pub(crate) heap: Vec<&'a tree::HeapObject>,
    pub(crate) shared: Vec<&'a tree::SharedDecl>,
    pub(crate) registers: Vec<&'a tree::RegisterDecl>,
    pub(crate) procs: Vec<(&'a tree::Signature, &'a tree::Block)>,
    pub(crate) threads: Vec<&'a tree::ThreadDecl>,
    pub(crate) scenarios: Vec<&'a tree::Scenario>,
    pub(crate) variants: Vec<VariantItem<'a>>,
    pub(crate) requires: Vec<&'a tree::Require>,
    pub(crate) predicates: Vec<Predicate<'a>>,
    pub(crate) properties: Vec<(PropertyItem, &'a Name, &'a tree::Expr)>,
    pub(crate) guarantees: Vec<&'a tree::Guarantee>,
    pub(crate) expects: Vec<&'a tree::Expect>,
}

impl<'a> Names<'a> {
    /// Collects all items of all files; a name declared twice is reported and the first counts.
    pub(crate) fn collect(loaded: &'a Loaded, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut names = Names::default();
        for item in loaded.modules.iter().flat_map(|module| &module.items) {
            names.item(&item.kind, diagnostics);
        }
        unique(names.scenarios.iter().map(|s| &s.name), "scenario", diagnostics);
        unique(names.variants.iter().map(|v| v.name), "variant", diagnostics);
        names
    }

    /// Adds the threads of the chosen scenario.
    pub(crate) fn enter_scenario(&mut self, scenario: &'a tree::Scenario, diagnostics: &mut Vec<Diagnostic>) {
        for thread in &scenario.threads {
            self.thread(thread, diagnostics);
        }
    }

    /// What `name` stands for.
    pub(crate) fn get(&self, name: &str) -> Option<Entry<'a>> {
        self.entries.get(name).copied()
    }

    /// The names for which `wanted` holds.
    pub(crate) fn all(&self, wanted: impl Fn(&Decl<'a>) -> bool) -> Vec<&'a str> {
        self.order.iter().copied().filter(|n| self.entries.get(n).is_some_and(|e| wanted(&e.decl))).collect()
    }

    /// A scenario that has a thread of that name, for those that do not run.
    pub(crate) fn scenario_with_thread(&self, name: &str) -> Option<&'a tree::Scenario> {
        self.scenarios.iter().copied().find(|s| s.threads.iter().any(|t| t.name.text == name))
    }

    fn item(&mut self, kind: &'a ItemKind, out: &mut Vec<Diagnostic>) {
        match kind {
            ItemKind::Use(_) | ItemKind::Error => {}
            ItemKind::Work(_) | ItemKind::Bucket(_) | ItemKind::Releaser(_) => {
                unreachable!("`packets::expand` leaves none")
            }
            ItemKind::Param { name, ty, default } => {
                no_switch(name, out);
                self.declare(name, Decl::Param(ty, default), out);
            }
            ItemKind::Flag { name, alternatives, default, .. } => {
                no_switch(name, out);
                unique(alternatives.iter(), "word of this flag", out);
                self.declare(name, Decl::Flag(alternatives, default), out);
            }
            ItemKind::Const { name, value } => self.declare(name, Decl::Const(value), out),
            ItemKind::TypeAlias { name, ty } => self.declare(name, Decl::Alias(ty), out),
            ItemKind::Enum { name, variants } => self.enumeration(name, variants, out),
            ItemKind::Word { name, fields } => {
                unique(fields.iter().map(|f| &f.name), "field of this word", out);
                self.declare(name, Decl::Word(fields), out);
            }
            ItemKind::Object { name, fields } => {
                unique(fields.iter().map(|f| &f.name), "field of this object", out);
                self.declare(name, Decl::Object(ObjectId::new(self.objects.len())), out);
                self.objects.push((name, fields));
            }
            ItemKind::Heap(objects) => {
                for object in objects {
                    self.declare(&object.name, Decl::Instance(self.heap.len()), out);
                    self.heap.push(object);
                }
            }
            ItemKind::Shared(shared) => {
                self.declare(&shared.name, Decl::Shared(SharedId::new(self.shared.len())), out);
                self.shared.push(shared);
            }
            ItemKind::Register(register) => {
                self.declare(&register.name, Decl::Register(RegisterId::new(self.registers.len())), out);
                self.registers.push(register);
            }
            ItemKind::Require(require) => self.requires.push(require),
            ItemKind::Proc { signature, body } => {
                self.declare(&signature.name, Decl::Proc(ProcId::new(self.procs.len())), out);
                self.procs.push((signature, body));
            }
            ItemKind::Thread(thread) => self.thread(thread, out),
            ItemKind::Scenario(scenario) => self.scenarios.push(scenario),
            ItemKind::Variant { name, settings, .. } => self.variants.push(VariantItem { name, settings }),
            ItemKind::Predicate { name, params, condition } => {
                self.declare(name, Decl::Predicate(self.predicates.len()), out);
                self.predicates.push(Predicate { name, params, condition });
            }
            ItemKind::Invariant { name, level, condition } => {
                let level = level.map_or(1, |level| level.number);
                self.properties.push((PropertyItem::State(PropertyKind::Invariant, level), name, condition));
            }
            ItemKind::Guarantee(guarantee) => self.guarantees.push(guarantee),
            ItemKind::Forbid { name, condition } => {
                self.properties.push((PropertyItem::State(PropertyKind::Forbid, 1), name, condition));
            }
            ItemKind::Ltl { name, formula, is_fair } => {
                self.properties.push((PropertyItem::Ltl { is_fair: *is_fair }, name, formula));
            }
            ItemKind::Cover { name, condition } => self.properties.push((PropertyItem::Cover, name, condition)),
            ItemKind::Expect(expect) => self.expects.push(expect),
        }
    }

    fn thread(&mut self, thread: &'a tree::ThreadDecl, out: &mut Vec<Diagnostic>) {
        self.declare(&thread.name, Decl::Thread(ThreadId::new(self.threads.len())), out);
        self.threads.push(thread);
    }

    fn enumeration(&mut self, name: &'a Name, variants: &'a [Name], out: &mut Vec<Diagnostic>) {
        let id = EnumId::new(self.enums.len());
        self.declare(name, Decl::Enum(id), out);
        for (i, variant) in variants.iter().enumerate() {
            self.declare(variant, Decl::EnumVariant(id, i), out);
        }
        self.enums.push((name, variants));
    }

    fn declare(&mut self, name: &'a Name, decl: Decl<'a>, out: &mut Vec<Diagnostic>) {
        if let Some(first) = self.entries.get(name.text.as_str()) {
            out.push(duplicate(name, first.span, first.decl.what()));
            return;
        }
        self.entries.insert(&name.text, Entry { decl, span: name.span });
        self.order.push(&name.text);
    }
}

/// Reports what could not be set, because a setting of that name is one of the machine's.
fn no_switch(name: &Name, out: &mut Vec<Diagnostic>) {
    if MACHINE_SWITCHES.contains(&name.text.as_str()) {
        let message = format!("`{}` is the name of a switch of the machine", name.text);
        let hint = "`--set`, `with` and `scope` would set the switch: choose another name";
        out.push(Diagnostic::error(codes::NAME_OF_SWITCH, name.span, message).hint(hint));
    }
}

/// The complaint that `name` was declared before, at `first`, as `what`.
pub(crate) fn duplicate(name: &Name, first: Span, what: &str) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE, name.span, format!("`{}` is declared twice", name.text))
        .note(first, format!("`{}` is already {what} here", name.text))
        .hint("all names of a program are in one name space: rename one of them")
}

/// Reports every name that comes a second time.
fn unique<'n>(names: impl Iterator<Item = &'n Name>, what: &str, out: &mut Vec<Diagnostic>) {
    let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
    for name in names {
        if let Some(first) = seen.get(name.text.as_str()) {
            out.push(
                Diagnostic::error(codes::DUPLICATE, name.span, format!("`{}` is a {what} twice", name.text))
                    .note(*first, "the first is here"),
            );
        } else {
            seen.insert(&name.text, name.span);
        }
    }
}
