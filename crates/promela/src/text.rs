//! The whole model as text.

use crate::config::{Config, Mode};
use crate::judge::Reached;
use crate::model::Model;
use crate::process::{Block, Process};
use crate::refusal::Refusal;
use crate::term::Term;
use crate::{Memory, interval, temporal};
use automata::{Action, Automata, Moment, PropertyKind, StateExpr, StateProperty, Stated};
use base::table::Id;
use std::fmt::Write;

const HEAD: &str = "\
#ifndef PROPERTY
#define PROPERTY 0 /* 0: everything that is labelled of states; n: the temporal property n */
#endif
#if PROPERTY == 0
#define violates(n) assert(n == 0) /* property n is violated */
#define reached(n) assert(n < 0) /* cover n is reached */
#else
#define violates(n) skip
#define reached(n) skip
#endif
#define going (!failed && !discarded)

bool started; /* every thread has done its local actions before the first step */
bool failed; /* a step has violated a property: nobody goes on */
bool discarded; /* this run is none */
int v; /* the result of the operation being performed; 0 in every state */
";

/// Writes the model.
pub(crate) fn write(model: &Model<'_>, title: &str) -> Result<String, Refusal> {
    let mut out = String::new();
    let _ = writeln!(out, "/* {} */", title.replace("*/", "* /"));
    properties(model, &mut out);
    out.push_str(HEAD);
    variables(model, &mut out);
    temporal::atoms(model, &mut out)?;
    let judge = judge(model);
    init(model, &judge, &mut out)?;
    for thread in 0..model.threads.len() {
        process(model, thread, &judge, &mut out)?;
    }
    deadlock(model, &mut out);
    temporal::claims(model, &mut out);
    Ok(out)
}

fn properties(model: &Model<'_>, out: &mut String) {
    for (id, property) in model.automata.properties.iter() {
        let _ = writeln!(out, "/* property {}: {} */", id.index() + 1, property.name);
    }
    for (id, cover) in model.automata.covers.iter() {
        let _ = writeln!(out, "/* cover {}: {} */", id.index() + 1, cover.name);
    }
}

fn variables(model: &Model<'_>, out: &mut String) {
    let n_cells = model.automata.cells.len().max(1);
    let _ = writeln!(out, "\n{} cell[{n_cells}];", model.cell_type());
    for (id, cell) in model.automata.cells.iter() {
        let _ = writeln!(out, "/* cell[{}]: {} */", id.index(), cell.name);
    }
    for (position, _) in model.reached.iter().enumerate() {
        let _ = writeln!(out, "int reached_{position}; int open_{position};");
    }
    for (index, thread) in model.threads.iter().enumerate() {
        let name = &thread.name;
        let places = interval::type_of((0, thread.plan.configs.len() as i64));
        let _ = writeln!(out, "\n/* thread {} */\n{places} {name}_at;", model.automata.threads[Id::new(index)].name);
        for (id, register) in thread.automaton.registers.iter() {
            let (low, high) = interval::of_domain(register.domain);
            let of_type = interval::type_of((low.min(0), high.max(0)));
            let _ = writeln!(out, "{of_type} {};", thread.register(id));
        }
        let number = model.number_type();
        let _ = writeln!(
            out,
            "{number} {name}_cell; int {name}_a; int {name}_b; /* of the operation that nothing overtakes */"
        );
        if thread.reserves {
            let _ = writeln!(out, "bit {name}_reserved[{n_cells}];");
        }
        if thread.plan.is_buffered {
            let (slots, values) = (model.slots, interval::type_of(model.buffered(index)));
            let _ = writeln!(
                out,
                "byte {name}_length; {number} {name}_cells[{slots}]; {values} {name}_values[{slots}]; /* the store buffer */"
            );
        }
    }
}

/// All threads do their first local actions, in one step.
fn init(model: &Model<'_>, judge: &str, out: &mut String) -> Result<(), Refusal> {
    out.push_str("\ninit {\n  atomic {\n");
    for (id, cell) in model.automata.cells.iter().filter(|(_, cell)| cell.init != 0) {
        let _ = writeln!(out, "    cell[{}] = {};", id.index(), Term::Const(i64::from(cell.init)));
    }
    for (index, thread) in model.threads.iter().enumerate() {
        let automaton = thread.automaton;
        for (id, register) in automaton.registers.iter() {
            if register.init != 0 && thread.is_live(id, automaton.entry) {
                let _ = writeln!(out, "    {} = {};", thread.register(id), Term::Const(i64::from(register.init)));
            }
        }
        let mut process = Process::new(model, index);
        let entry = thread.plan.number(&Config::at(automaton.entry));
        let goto = process.goto(Block::Config(entry));
        process.line(&format!("{goto};"));
        process.blocks();
        let _ = writeln!(out, "{}{}: skip;", process.out, process.end());
        process.refused.map_or(Ok(()), Err)?;
    }
    out.push_str(&temporal::begin(model));
    let _ = writeln!(out, "    started = true;\n{judge}  }};\nend: false\n}}");
    Ok(())
}

/// The process of a thread, and that of its store buffer.
fn process(model: &Model<'_>, thread: usize, judge: &str, out: &mut String) -> Result<(), Refusal> {
    let this = &model.threads[thread];
    let mut processes = vec![(this.name.clone(), false)];
    if model.memory == Memory::Tso && this.plan.is_buffered {
        processes.push((format!("{}_memory", this.name), true));
    }
    for (name, is_memory) in processes {
        let mut process = Process::new(model, thread);
        if is_memory {
            process.drain()
        } else {
            process.steps()
        }
        // A process without steps is none.
        let has_steps = !process.out.is_empty();
        let options = std::mem::take(&mut process.out);
        process.blocks();
        process.refused.take().map_or(Ok(()), Err)?;
        let options = if has_steps { options } else { "    :: false -> skip\n".into() };
        let _ = writeln!(out, "\nactive proctype {name}_steps() {{\nend: do\n:: atomic {{\n    if\n{options}    fi;");
        let _ = writeln!(out, "{}{}: skip;\n{judge}}}\nod\n}}", process.out, process.end());
    }
    Ok(())
}

/// SPIN takes no more steps than 2048 in one `d_step`.
const MAX_STEPS: usize = 1500;

/// What is looked at in every state, at the end of every step.
fn judge(model: &Model<'_>) -> String {
    let sets = (0..model.reached.len()).map(|position| reach(model, position));
    let groups = packed(sets.chain(of_states(model)).chain([temporal::update(model)]));
    groups
        .into_iter()
        .filter(|group| !group.is_empty())
        .map(|group| {
            let is_short = n_steps(&group) <= MAX_STEPS;
            let (open, close) = if is_short { ("d_step {", "}") } else { ("", "") };
            format!("    {open} skip; /* what properties ask of the state */\n{group}    {close}\n")
        })
        .collect()
}

/// Roughly how many steps a text takes.
fn n_steps(text: &str) -> usize {
    4 * text.matches("::").count()
}

/// Texts joined as long as they are short.
fn packed(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut groups = vec![String::new()];
    for text in texts {
        match groups.last_mut() {
            Some(last) if n_steps(last) + n_steps(&text) <= MAX_STEPS => last.push_str(&text),
            _ => groups.push(text),
        }
    }
    groups
}

/// The conditions of properties and covers, each a text.
fn of_states<'m>(model: &'m Model<'_>) -> impl Iterator<Item = String> + 'm {
    let is_quiet = is_all_quiet(model);
    let properties = model.automata.properties.iter().map(move |(id, property)| {
        let mut text = String::new();
        let fails = format!("violates({})", id.index() + 1);
        if let Some(StateProperty { condition, moment, violating }) = property.kind.state_property() {
            let truth = model.truth(condition);
            let judged = match moment {
                Moment::Always => sees(model, &[condition]),
                Moment::Quiescent => is_quiet.clone(),
            };
            let judged = judged.and(has_values(model, Stated::Property(id)));
            when(&mut text, &judged.and(if violating { truth.is_true } else { truth.is_false }), &fails);
        }
        of_safety(text)
    });
    let covers = model.automata.covers.iter().map(move |(id, cover)| {
        let mut text = String::new();
        if let Some(condition) = &cover.condition {
            let (truth, seen) = (model.truth(condition), sees(model, &[condition]));
            let seen = seen.and(has_values(model, Stated::Cover(id)));
            when(&mut text, &seen.and(truth.is_true), &format!("reached({})", id.index() + 1));
        }
        of_safety(text)
    });
    let is_quiet = is_all_quiet(model);
    let defined = model.automata.definedness.iter().map(move |defined| {
        let mut text = String::new();
        let when_judged = match defined.moment {
            // At the labels that it names, and at those of what needs it.
            Moment::Always => sees(model, &[stated(model.automata, &defined.of), vec![&defined.condition]].concat()),
            Moment::Quiescent => is_quiet.clone(),
        };
        let fails = format!("violates({})", defined.property.index() + 1);
        when(&mut text, &when_judged.and(model.truth(&defined.condition).is_false), &fails);
        of_safety(text)
    });
    properties.chain(covers).chain(defined)
}

/// Whether all threads have ended with nothing pending.
fn is_all_quiet(model: &Model<'_>) -> Term {
    Term::all((0..model.threads.len()).map(|t| model.has_ended(t).and(model.is_parked(t))))
}

/// What is not looked at when a temporal property is.
fn of_safety(text: String) -> String {
    if text.is_empty() { text } else { format!("#if PROPERTY == 0\n{text}#endif\n") }
}

fn when(out: &mut String, condition: &Term, what: &str) {
    if *condition != Term::FALSE {
        let _ = writeln!(out, "    if :: {condition} -> {what} :: else fi;");
    }
}

/// Whether no part of what is stated is without value: else it is not judged (rule 8.4).
fn has_values(model: &Model<'_>, stated: Stated) -> Term {
    let own = model.automata.definedness.iter().filter(|defined| defined.of == stated);
    Term::all(own.map(|defined| model.truth(&defined.condition).is_false.negated()))
}

/// The conditions that a property or a cover states.
fn stated<'a>(automata: &'a Automata, of: &Stated) -> Vec<&'a StateExpr> {
    match of {
        Stated::Cover(id) => automata.covers[*id].condition.iter().collect(),
        Stated::Property(id) => match &automata.properties[*id].kind {
            PropertyKind::Ltl(ltl) => ltl.atoms.iter().collect(),
            kind => kind.state_property().map(|property| property.condition).into_iter().collect(),
        },
    }
}

/// Whether conditions are judged: no step has failed (rule 8.5), and every thread that pauses does so where they ask.
fn sees(model: &Model<'_>, conditions: &[&StateExpr]) -> Term {
    Term::var("going").and(Term::all(model.threads.iter().enumerate().map(|(index, thread)| {
        let labelled = crate::conditions::points(model.automata, Id::new(index), conditions.iter().copied());
        let others = thread.plan.numbers(|c| c.mode == Mode::Paused && !labelled.contains(&c.point));
        thread.is_among(&others).negated()
    })))
}

/// Follows paths through a graph until no more is reached.
fn reach(model: &Model<'_>, position: usize) -> String {
    let Reached { graph, from } = &model.reached[position];
    let nodes = &model.automata.graphs[*graph].nodes;
    let all = (1i64 << nodes.len()) - 1;
    let (reached, open) = (format!("reached_{position}"), format!("open_{position}"));
    let start = model.state_value(from);
    let mut out = format!("    {reached} = {start} & {all}; {open} = 1;\n");
    let _ = writeln!(out, "    do\n    :: {open} == 0 -> break\n    :: else -> {open} = 0;");
    let is_open: Vec<Term> = nodes
        .iter()
        .map(|to| to.condition.as_ref().map_or(Term::TRUE, |condition| model.truth(condition).is_true))
        .collect();
    for (bit, node) in nodes.iter().enumerate() {
        for (field, (target, is_open)) in
            node.fields.iter().flat_map(|f| is_open.iter().enumerate().map(move |t| (f, t)))
        {
            let cell = Term::cell(Term::Const(i64::from(field.0)));
            let leads = cell.equals(Term::Const(target as i64)).and(is_open.clone());
            let steps = format!("({reached} >> {bit}) % 2 == 1 && ({reached} >> {target}) % 2 == 0 && {leads}");
            let more = 1i64 << target;
            let _ = writeln!(out, "      if :: {steps} -> {reached} = {reached} + {more}; {open} = 1 :: else fi;");
        }
    }
    out + "    od;\n"
}

/// A state without steps that is no proper end.
fn deadlock(model: &Model<'_>, out: &mut String) {
    if !model.check_deadlock {
        return;
    }
    let is_proper = Term::all(model.threads.iter().map(|thread| {
        let is_end = |config: &Config| {
            let action = &thread.automaton.points[config.point].action;
            let is_over = config.mode == Mode::Spinning || matches!(action, Action::Halt);
            config.pending.is_none() && is_over
        };
        thread.is_among(&thread.plan.numbers(is_end)).and(thread.is_drained())
    }));
    let number = Automata::DEADLOCK.index() + 1;
    let _ = writeln!(
        out,
        "\n#if PROPERTY == 0\nactive proctype deadlock() {{\nend: do\n:: atomic {{ timeout && started && going && {} -> violates({number}); failed = true }}\nod\n}}\n#endif",
        is_proper.negated()
    );
}
