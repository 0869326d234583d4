//! Temporal properties: atoms as macros or variables, formulas for SPIN to translate.
//!
//! An atom whose value is still to come has the value that it had last. Before it had any it has the one that it has
//! first: that is guessed, and a run whose guess turns out wrong is none.

use crate::model::{Model, ThreadModel};
use crate::refusal::Refusal;
use crate::term::Term;
use crate::{conditions, judge};
use automata::{Action, Fairness, Ltl, RegId, StateExpr, StateLeaf};
use base::table::Id;
use ltl::Formula;
use std::fmt::Write;

/// Whether the atom speaks of a register of which that is true.
fn speaks_of(model: &Model<'_>, atom: &StateExpr, is_it: impl Fn(&ThreadModel<'_>, RegId) -> bool) -> bool {
    let mut found = false;
    model.automata.leaves(atom, &mut |leaf| {
        if let StateLeaf::Register(thread, register) = leaf {
            found |= is_it(&model.threads[thread.index()], *register);
        }
    });
    found
}

/// Whether a register that the atom speaks of may be still to come.
fn may_come(model: &Model<'_>, atom: &StateExpr) -> bool {
    speaks_of(model, atom, |thread, register| !thread.coming(register).is_empty())
}

/// Whether it may be so from the beginning.
fn comes_first(model: &Model<'_>, atom: &StateExpr) -> bool {
    speaks_of(model, atom, |thread, register| thread.plan.first_to_come.contains(&register))
}

/// What a temporal property has that no model has.
fn refused(model: &Model<'_>, ltl: &Ltl) -> Option<&'static str> {
    let has_buffers = model.threads.iter().any(|thread| thread.plan.is_buffered);
    let mut points = model.threads.iter().flat_map(|thread| thread.automaton.points.values());
    match ltl.fairness {
        Fairness::Thread(_) => Some("fairness to one thread: SPIN's is to all processes"),
        Fairness::All if model.automata.bus.is_some() && has_buffers => {
            Some("`fairly` with store buffers and the bus lock: SPIN's fairness knows processes only")
        }
        Fairness::All if points.any(|point| matches!(point.action, Action::Discard(_))) => {
            Some("`fairly` with `discard unless`: to SPIN a step that is discarded is one")
        }
        Fairness::None if ltl.atoms.iter().any(|atom| comes_first(model, atom)) => {
            Some("a register whose first value may never come, because nothing is `fairly`: a model has to guess it")
        }
        _ if ltl.formula.has_next() => Some("`next`: SPIN is usually built without it"),
        _ => None,
    }
}

/// The number of the search that looks at a property. Those that see the same states share one.
pub(crate) fn search(model: &Model<'_>, property: usize) -> usize {
    let is_plain = |(position, ltl): &(usize, &Ltl)| {
        let pauses = model.threads.iter().flat_map(|thread| &thread.pauses_at);
        let has_none = pauses.filter(|(of, _)| of == position).all(|(_, points)| points.is_empty());
        has_none && !ltl.atoms.iter().any(|atom| may_come(model, atom))
    };
    let mut plain = conditions::temporal(model.automata).filter(is_plain).map(|(position, _)| position);
    let first = plain.next();
    let shares = first == Some(property) || plain.any(|position| position == property);
    first.filter(|_| shares).unwrap_or(property) + 1
}

fn name(property: usize, atom: usize) -> String {
    format!("atom_{}_{atom}", property + 1)
}

/// Declares the atoms of every temporal property.
pub(crate) fn atoms(model: &Model<'_>, out: &mut String) -> Result<(), Refusal> {
    judge::check(model)?;
    for (property, ltl) in conditions::temporal(model.automata) {
        if let Some(what) = refused(model, ltl) {
            return Err(Refusal::new(what, model.automata.properties[Id::new(property)].span));
        }
        let _ = writeln!(out, "\n#if PROPERTY == {}", search(model, property));
        for (atom, condition) in ltl.atoms.iter().enumerate() {
            let name = name(property, atom);
            if may_come(model, condition) {
                let _ = writeln!(out, "bool {name}; bool {name}_is_guessed;");
            } else {
                let _ = writeln!(out, "#define {name} ({})", model.truth(condition).is_true);
            }
        }
        out.push_str("#endif\n");
    }
    Ok(())
}

/// Before the first state: values that are still to come are guessed.
pub(crate) fn begin(model: &Model<'_>) -> String {
    each(model, |name, is_true, is_false| {
        let is_open = is_true.or(is_false).negated();
        format!(
            "    if :: {is_open} -> {name}_is_guessed = true; if :: {name} = true :: {name} = false fi :: else fi;\n"
        )
    })
}

/// In every state: what has a value takes it.
pub(crate) fn update(model: &Model<'_>) -> String {
    each(model, |name, is_true, is_false| {
        let guess = format!("{name}_is_guessed");
        format!(
            "    if\n    :: {is_true} -> discarded = (discarded || ({guess} && !{name})); {name} = true; {guess} = false\n    \
             :: {is_false} -> discarded = (discarded || ({guess} && {name})); {name} = false; {guess} = false\n    \
             :: else\n    fi;\n"
        )
    })
}

fn each(model: &Model<'_>, text: impl Fn(&str, Term, Term) -> String) -> String {
    let mut out = String::new();
    for (property, ltl) in conditions::temporal(model.automata) {
        let coming = ltl.atoms.iter().enumerate().filter(|(_, condition)| may_come(model, condition));
        let texts: String = coming
            .map(|(atom, condition)| {
                let truth = model.truth(condition);
                text(&name(property, atom), truth.is_true, truth.is_false)
            })
            .collect();
        if !texts.is_empty() {
            let _ = write!(out, "#if PROPERTY == {}\n{texts}#endif\n", property + 1);
        }
    }
    out
}

/// The claims: the script has SPIN translate each formula.
pub(crate) fn claims(model: &Model<'_>, out: &mut String) {
    for (property, _) in conditions::temporal(model.automata) {
        let (search, number) = (search(model, property), property + 1);
        let _ = writeln!(out, "\n#if PROPERTY == {search}\n#include \"claim{number}.pml\"\n#endif");
    }
}

/// The formula of a temporal property, as SPIN reads it.
pub(crate) fn stated(model: &Model<'_>, property: usize, ltl: &Ltl) -> String {
    let formula = formula(&ltl.formula, property);
    let guesses = model.may_discard() || ltl.atoms.iter().any(|atom| may_come(model, atom));
    if guesses { format!("((<> discarded) || {formula})") } else { formula }
}

fn formula(of: &Formula, property: usize) -> String {
    let part = |f: &Formula| formula(f, property);
    match of {
        Formula::True => "(true)".into(),
        Formula::False => "(false)".into(),
        Formula::Atom(atom) => format!("({})", name(property, *atom as usize)),
        Formula::Not(f) => format!("(! {})", part(f)),
        Formula::And(f, g) => format!("({} && {})", part(f), part(g)),
        Formula::Or(f, g) => format!("({} || {})", part(f), part(g)),
        Formula::Implies(f, g) => format!("({} -> {})", part(f), part(g)),
        Formula::Next(f) => format!("(X {})", part(f)),
        Formula::Until(f, g) => format!("({} U {})", part(f), part(g)),
        Formula::Release(f, g) => format!("({} V {})", part(f), part(g)),
        // SPIN has no word for it in formulas that it translates.
        Formula::WeakUntil(f, g) => format!("({g} V ({f} || {g}))", f = part(f), g = part(g)),
        Formula::Eventually(f) => format!("(<> {})", part(f)),
        Formula::Always(f) => format!("([] {})", part(f)),
    }
}
