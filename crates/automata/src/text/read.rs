//! Text to automata, in two passes: first what has a name is declared, then what speaks of names is read.

mod actions;
mod exprs;
mod line;
mod notes;
mod points;

use crate::collection::{
    Automata, Cell, CellId, CellKind, Cover, CoverId, Definedness, Fairness, Ltl, Moment, Property, PropertyId,
    PropertyKind, Stated, Thread, ThreadId,
};
use crate::graph::{Graph, GraphId, GraphNode};
use base::table::Id;
use base::{Span, Table};
use line::{Line, Result};

/// Why a text is no system of automata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads what `write` writes.
pub fn read(text: &str) -> std::result::Result<Automata, ReadError> {
    let entries = line::entries(text)?;
    let mut automata = Automata::new();
    for entry in &entries {
        declare(&mut automata, entry)?;
    }
    for entry in &entries {
        define(&mut automata, entry)?;
    }
    Ok(automata)
}

/// A line without indentation, and the indented lines below it.
struct Entry<'t> {
    head: Line<'t>,
    children: Vec<Line<'t>>,
}

/// Gives what an entry names an id, and cells and registers all that they have.
fn declare(automata: &mut Automata, entry: &Entry<'_>) -> Result<()> {
    let mut line = entry.head.clone();
    match line.word()? {
        kind @ ("cell" | "abstract" | "bus") => {
            let cell = cell(&mut line, kind)?;
            let id = automata.cells.push(cell);
            if kind == "bus" {
                automata.bus = Some(id);
            }
        }
        "invariant" | "forbid" | "ltl" | "assert" | "unchecked" => {
            let name = line.word()?.to_string();
            if !automata.properties.values().any(|property| property.name == name) {
                automata.properties.push(Property { name, kind: PropertyKind::Unchecked, span: Span::none() });
            }
        }
        "data_race" => automata.forbid_races(),
        "cover" => {
            let name = line.word()?.to_string();
            automata.covers.push(Cover { name, condition: None, span: Span::none() });
        }
        "thread" => {
            let name = line.word()?;
            automata.threads.push(Thread::new(name, points::declared(&entry.children)?));
        }
        word if GraphId::parse(word).is_some() => {
            automata.graphs.push(Graph { nodes: Vec::new() });
        }
        _ => {}
    }
    Ok(())
}

fn cell(line: &mut Line<'_>, kind: &str) -> Result<Cell> {
    let kind = if kind == "cell" { CellKind::Memory } else { CellKind::Abstract };
    let name = line.word()?;
    line.expect(":")?;
    let domain = line.domain()?;
    line.expect("=")?;
    let cell = Cell::new(name, kind, domain, line.number()?);
    line.end()?;
    Ok(cell)
}

/// Reads what an entry says of what is declared.
fn define(automata: &mut Automata, entry: &Entry<'_>) -> Result<()> {
    let mut line = entry.head.clone();
    match line.word()? {
        "cell" | "abstract" | "bus" | "data_race" => Ok(()),
        kind @ ("invariant" | "forbid" | "ltl" | "assert" | "unchecked") => property(automata, kind, line, entry),
        "cover" => {
            let id: CoverId = line.known(&automata.covers, |cover| &cover.name, "cover")?;
            if line.eat(":") {
                automata.covers[id].condition = Some(exprs::state(automata, &mut line)?);
            }
            line.end()
        }
        "defined" => definedness(automata, line),
        "thread" => {
            let id: ThreadId = line.known(&automata.threads, |thread| &thread.name, "thread")?;
            points::define(automata, id, &entry.children)
        }
        word => match GraphId::parse(word) {
            Some(id) => graph(automata, id, &entry.children),
            None => notes::define(automata, word, line),
        },
    }
}

fn property(automata: &mut Automata, kind: &str, mut line: Line<'_>, entry: &Entry<'_>) -> Result<()> {
    let id: PropertyId = line.known(&automata.properties, |property| &property.name, "property")?;
    if line.eat("level") {
        automata.levels.push((id, line.number()?));
    }
    let of_states = PropertyKind::of_states(kind);
    if of_states.is_some() || kind == "ltl" {
        line.expect(":")?;
    }
    automata.properties[id].kind = match (kind, of_states) {
        (_, Some(of_states)) => of_states(exprs::state(automata, &mut line)?),
        ("ltl", _) => PropertyKind::Ltl(ltl(automata, &mut line, &entry.children)?),
        ("assert", _) => PropertyKind::Assert,
        _ => PropertyKind::Unchecked,
    };
    line.end()
}

fn ltl(automata: &Automata, line: &mut Line<'_>, atoms: &[Line<'_>]) -> Result<Ltl> {
    let text = line.rest();
    let (text, fairness) = match (text.strip_suffix(" fairly"), text.rsplit_once(" fairly to ")) {
        (Some(text), _) => (text, Fairness::All),
        (None, Some((text, name))) => {
            let thread = automata.threads.iter().find(|(_, thread)| thread.name == name);
            let (thread, _) = thread.ok_or_else(|| line.error(format!("there is no thread `{name}`")))?;
            (text, Fairness::Thread(thread))
        }
        (None, None) => (text, Fairness::None),
    };
    let names: Vec<String> = (0..atoms.len()).map(|atom| format!("atom_{atom}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let formula = ltl::read(text, &names).map_err(|error| line.error(error.to_string()))?;
    let atom = |line: &Line<'_>| {
        let mut line = line.clone();
        let atom = exprs::state(automata, &mut line)?;
        line.end().map(|()| atom)
    };
    Ok(Ltl { formula, atoms: atoms.iter().map(atom).collect::<Result<_>>()?, fairness })
}

fn definedness(automata: &mut Automata, mut line: Line<'_>) -> Result<()> {
    let property: PropertyId = line.known(&automata.properties, |property| &property.name, "property")?;
    line.expect("of")?;
    let of = match line.word()? {
        "property" => Stated::Property(line.known(&automata.properties, |property| &property.name, "property")?),
        "cover" => Stated::Cover(line.known(&automata.covers, |cover| &cover.name, "cover")?),
        word => return Err(line.error(format!("`{word}` where `property` or `cover` is due"))),
    };
    let moment = if line.eat("at") { Moment::Quiescent } else { Moment::Always };
    if moment == Moment::Quiescent {
        line.expect("the")?;
        line.expect("end")?;
    }
    line.expect(":")?;
    let condition = exprs::state(automata, &mut line)?;
    automata.definedness.push(Definedness { of, property, condition, moment });
    line.end()
}

fn graph(automata: &mut Automata, id: GraphId, nodes: &[Line<'_>]) -> Result<()> {
    for line in nodes {
        let mut line = line.clone();
        let name = line.word()?.to_string();
        line.expect(":")?;
        let mut fields: Vec<CellId> = Vec::new();
        while !line.is_at_end() && !line.is_next("if") {
            fields.push(line.known(&automata.cells, |cell| &cell.name, "cell")?);
        }
        let condition = if line.eat("if") { Some(exprs::state(automata, &mut line)?) } else { None };
        line.end()?;
        match automata.graphs.get(id) {
            Some(_) => automata.graphs[id].nodes.push(GraphNode { name, fields, condition }),
            None => return Err(line.error(format!("`{id}` is not there"))),
        }
    }
    Ok(())
}

/// An id as it is printed: its family's prefix and a number.
trait Printed: Id + std::fmt::Display {
    fn parse(word: &str) -> Option<Self> {
        let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
        let id = Self::new(digits.parse::<u32>().ok()? as usize);
        (id.to_string() == word).then_some(id)
    }
}

impl<I: Id + std::fmt::Display> Printed for I {}

/// The position of what has this name.
fn position<I: Id, T>(table: &Table<I, T>, name: impl Fn(&T) -> &str, word: &str) -> Option<I> {
    table.iter().find(|(_, item)| name(item) == word).map(|(id, _)| id)
}
