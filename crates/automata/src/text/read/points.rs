//! A thread: its registers, and a point on each line.

use super::actions;
use super::line::{Line, Result};
use crate::action::Action;
use crate::automaton::{Automaton, Kept, Point, PointId, Register};
use crate::collection::{Automata, ThreadId};
use base::table::Id;
use base::{Span, Table};

/// An automaton with its registers, and without points.
pub(super) fn declared(lines: &[Line<'_>]) -> Result<Automaton> {
    let (points, registers) = (Table::new(), Table::new());
    let mut automaton = Automaton { points, entry: PointId(0), registers, observed: Vec::new(), kept: Kept::Nothing };
    for line in lines.iter().filter(|line| line.is_next("register")) {
        let mut line = line.clone();
        line.expect("register")?;
        let name = line.word()?.to_string();
        line.expect(":")?;
        let domain = line.domain()?;
        let init = if line.eat("=") { line.number()? } else { 0 };
        let register = automaton.registers.push(Register { name, domain, init, names: Vec::new() });
        if line.eat("observed") {
            automaton.observed.push(register);
        }
        line.end()?;
    }
    Ok(automaton)
}

/// Reads the points of a thread whose registers are there.
pub(super) fn define(automata: &mut Automata, thread: ThreadId, lines: &[Line<'_>]) -> Result<()> {
    let mut automaton = automata.threads[thread].automaton.clone();
    for line in lines {
        let mut line = line.clone();
        match line.word()? {
            "register" => continue,
            "entry" => automaton.entry = line.id()?,
            "keeps" => automaton.kept = kept(&mut line)?,
            word => {
                let point = point(automata, &automaton, word, &mut line)?;
                automaton.points.push(point);
            }
        }
        line.end()?;
    }
    automata.threads[thread].automaton = automaton;
    Ok(())
}

fn kept(line: &mut Line<'_>) -> Result<Kept> {
    let is_but = line.eat("all");
    if is_but {
        line.expect("but")?;
    }
    let mut pairs = Vec::new();
    while !line.is_at_end() {
        let older = line.id()?;
        line.expect("<")?;
        pairs.push((older, line.id()?));
    }
    Ok(if is_but { Kept::AllBut(pairs) } else { Kept::Pairs(pairs) })
}

/// `p0: @label action -> p2  // procedures`, without its first word.
fn point(automata: &Automata, automaton: &Automaton, id: &str, line: &mut Line<'_>) -> Result<Point> {
    let due = PointId::new(automaton.points.len());
    if id != due.to_string() {
        return Err(line.error(format!("`{id}` where `{due}` is due")));
    }
    line.expect(":")?;
    let mut labels = Vec::new();
    while line.eat("@") {
        labels.push(line.word()?.to_string());
    }
    let action = actions::action(automata, automaton, line)?;
    let next = match action {
        Action::Branch { .. } | Action::Choose(_) | Action::Abort(_) | Action::Halt => due,
        _ if line.eat("->") => line.id()?,
        _ => PointId::new(due.index() + 1),
    };
    let procs = line.comment.map_or(Vec::new(), |procs| procs.split(" > ").map(str::to_string).collect());
    Ok(Point { action, next, span: Span::none(), labels, procs })
}
