//! What no run depends on: names of values, guarantees, and what a symmetry may permute.

use super::exprs::{register_of, state, state_place};
use super::line::{Line, Result};
use super::position;
use crate::collection::{Automata, CellId, Effect, Guarantee, Relation, ThreadId};
use crate::expr::Value;
use crate::name::CellPlace;
use crate::scalars::{CellRole, Part, Shape, Sort};
use base::Span;

/// Reads a line that begins with `word`.
pub(super) fn define(automata: &mut Automata, word: &str, mut line: Line<'_>) -> Result<()> {
    match word {
        "names" => names(automata, &mut line)?,
        "place" => place(automata, &mut line)?,
        "guarantee" => guarantee(automata, &mut line)?,
        "requires" | "ensures" | "modifies" => relation(automata, word, &mut line)?,
        "absent" => {
            let of = line.known(&automata.properties, |property| &property.name, "property")?;
            line.expect(":")?;
            automata.absent.push((of, line.rest().to_string()));
        }
        "sort" => sort(automata, &mut line)?,
        "role" => {
            let of = line.word()?;
            let cell = position(&automata.cells, |cell| &cell.name, of);
            if cell.map(|cell| cell.0 as usize) != Some(automata.scalars.cells.len()) {
                return Err(line.error(format!("`{of}` is not the next cell")));
            }
            automata.scalars.cells.push(role(&mut line)?);
        }
        "shapes" => {
            let of = thread(automata, &mut line)?;
            if of.0 as usize != automata.scalars.registers.len() {
                return Err(line.error("this is not the next thread"));
            }
            line.expect(":")?;
            let mut shapes = base::Table::new();
            while !line.is_at_end() {
                shapes.push(shape(&mut line)?);
            }
            automata.scalars.registers.push(shapes);
        }
        _ => return Err(line.error(format!("`{word}` begins no line"))),
    }
    line.end()
}

fn thread(automata: &Automata, line: &mut Line<'_>) -> Result<ThreadId> {
    line.known(&automata.threads, |thread| &thread.name, "thread")
}

/// `pool.open: "" "pool.open" ""`: object, field, index.
fn place(automata: &mut Automata, line: &mut Line<'_>) -> Result<()> {
    let cell: CellId = line.known(&automata.cells, |cell| &cell.name, "cell")?;
    line.expect(":")?;
    let mut part = || line.word().map(|word| word.trim_matches('"').to_string());
    let (object, field, index) = (part()?, part()?, part()?);
    let some = |part: String| Some(part).filter(|part| !part.is_empty());
    automata.cells[cell].place = CellPlace { object: some(object), field, index: some(index) };
    Ok(())
}

/// `x: 0 "Idle" 1 "Init"`
fn names(automata: &mut Automata, line: &mut Line<'_>) -> Result<()> {
    let of = line.word()?;
    line.expect(":")?;
    let mut names: Vec<(Value, String)> = Vec::new();
    while !line.is_at_end() {
        names.push((line.number()?, line.word()?.trim_matches('"').to_string()));
    }
    if let Some(cell) = position(&automata.cells, |cell| &cell.name, of) {
        automata.cells[cell].names = names;
        return Ok(());
    }
    let (thread, register) =
        register_of(automata, of).ok_or_else(|| line.error(format!("there is no cell or register `{of}`")))?;
    automata.threads[thread].automaton.registers[register].names = names;
    Ok(())
}

fn guarantee(automata: &mut Automata, line: &mut Line<'_>) -> Result<()> {
    let name = line.word()?.to_string();
    let level = if line.eat("level") { line.number()? } else { 1 };
    line.expect(":")?;
    let mut points = Vec::new();
    while !line.is_at_end() {
        points.push((thread(automata, line)?, line.id()?));
    }
    automata.guarantees.push(Guarantee { name, level, span: Span::none(), points, relations: Vec::new() });
    Ok(())
}

/// `requires name thread: condition`, then what it `ensures`, then what it `modifies`: of the guarantee stated last.
fn relation(automata: &mut Automata, word: &str, line: &mut Line<'_>) -> Result<()> {
    let name = line.word()?;
    let thread = thread(automata, line)?;
    line.expect(":")?;
    let n_known = automata.guarantees.len();
    let is_last = automata.guarantees.last().is_some_and(|guarantee| guarantee.name == name);
    let last = n_known.checked_sub(1).filter(|_| is_last);
    let last = last.ok_or_else(|| line.error(format!("`{name}` is not the guarantee above")))?;
    match word {
        "requires" => {
            let requires = state(automata, line)?;
            automata.guarantees[last].relations.push(Relation { thread, requires, effect: None });
            return Ok(());
        }
        "ensures" => {
            let effect = Some(Effect { modifies: None, ensures: state(automata, line)? });
            let relation = automata.guarantees[last].relations.last_mut().filter(|of| of.thread == thread);
            relation.ok_or_else(|| line.error("`requires` comes first"))?.effect = effect;
        }
        _ => {
            let mut places = Vec::new();
            while !line.is_at_end() {
                places.push(state_place(automata, line)?);
            }
            let relation = automata.guarantees[last].relations.last_mut().filter(|of| of.thread == thread);
            let effect = relation.and_then(|of| of.effect.as_mut());
            effect.ok_or_else(|| line.error("`ensures` comes first"))?.modifies = Some(places);
        }
    }
    Ok(())
}

fn sort(automata: &mut Automata, line: &mut Line<'_>) -> Result<()> {
    let name = line.word()?.to_string();
    line.expect(":")?;
    let size = line.number()?;
    let threads = if line.eat("from") { Some(thread(automata, line)?) } else { None };
    automata.scalars.sorts.push(Sort { name, size, threads });
    Ok(())
}

/// `: family [shape value].. shape`
fn role(line: &mut Line<'_>) -> Result<CellRole> {
    line.expect(":")?;
    let family = line.number()?;
    let mut indices = Vec::new();
    while line.eat("[") {
        let of = shape(line)?;
        indices.push((of, line.number()?));
        line.expect("]")?;
    }
    Ok(CellRole { family, indices, shape: shape(line)? })
}

fn shape(line: &mut Line<'_>) -> Result<Shape> {
    if !["plain", "thread", "set", "word"].iter().any(|word| line.is_next(word)) {
        return line.id().map(Shape::Element);
    }
    match line.word()? {
        "plain" => Ok(Shape::Plain),
        "thread" => Ok(Shape::Thread),
        "set" => {
            line.expect("(")?;
            let low = line.number()?;
            let of = Box::new(shape(line)?);
            line.expect(")").map(|()| Shape::Set { low, of })
        }
        _ => {
            line.expect("(")?;
            let mut parts = Vec::new();
            while !line.eat(")") {
                let (shift, bits) = (line.number()?, line.number()?);
                let (low, high) = (line.number()?, line.number()?);
                parts.push(Part { shift, bits, low, high, shape: shape(line)? });
                line.eat(",");
            }
            Ok(Shape::Word(parts))
        }
    }
}
