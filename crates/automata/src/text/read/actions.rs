//! What a point does.

use super::exprs::{address, local, register};
use super::line::{Line, Result};
use crate::action::{Access, Action, Address, AddressTerm, CasResult, FetchOp, Next, Op, Region};
use crate::automaton::{Automaton, RegId};
use crate::collection::Automata;
use crate::text::write::REGIONS;
use crate::transaction::Begin;
use memory::{Fence, Order};

/// An action of a thread.
pub(super) fn action(automata: &Automata, automaton: &Automaton, line: &mut Line<'_>) -> Result<Action> {
    if line.peek(1) == Some("=") {
        let dst = register(automaton, line)?;
        line.expect("=")?;
        if is_access(line) {
            return access(automata, automaton, Some(dst), line);
        }
        return Ok(Action::Compute { dst, value: local(automaton, line)? });
    }
    if is_access(line) {
        return access(automata, automaton, None, line);
    }
    Ok(match line.word()? {
        "fence" => Action::Fence(named(line, Fence::from_name, "fence")?),
        "if" => {
            let condition = local(automaton, line)?;
            line.expect("then")?;
            let then = line.id()?;
            line.expect("else")?;
            Action::Branch { condition, then, otherwise: line.id()? }
        }
        "choose" => {
            let mut ways = Vec::new();
            while !line.is_at_end() {
                ways.push(line.id()?);
            }
            Action::Choose(ways)
        }
        "assert" => {
            let property = line.known(&automata.properties, |property| &property.name, "property")?;
            line.expect(":")?;
            Action::Assert { condition: local(automaton, line)?, property }
        }
        "cover" => {
            let cover = line.known(&automata.covers, |cover| &cover.name, "cover")?;
            line.expect(":")?;
            Action::Cover { condition: local(automaton, line)?, cover }
        }
        "assume" => Action::Assume(local(automaton, line)?),
        "discard" => {
            line.expect("unless")?;
            Action::Discard(local(automaton, line)?)
        }
        "safepoint" => Action::Safepoint,
        "perform" => Action::Perform,
        "enter" => Action::Enter(region(line)?),
        "leave" => Action::Leave,
        "begin" => Action::Begin(begin(automaton, line)?),
        "commit" => Action::Commit,
        "abort" => Action::Abort(line.number()?),
        "halt" => Action::Halt,
        word => return Err(line.error(format!("`{word}` is no action"))),
    })
}

/// Whether what follows is a memory operation: `[..].load()` or `cell.load()`.
fn is_access(line: &Line<'_>) -> bool {
    line.is_next("[") || line.peek(1).is_some_and(|word| word.starts_with('.'))
}

/// `address.operation(arguments, orders) after registers`
fn access(automata: &Automata, automaton: &Automaton, dst: Option<RegId>, line: &mut Line<'_>) -> Result<Action> {
    let (base, terms) = address(automata, automaton, line)?;
    let terms = terms.into_iter().map(|(index, stride, count)| AddressTerm { index, stride, count }).collect();
    let method = line.word()?;
    line.expect("(")?;
    let op = op(automaton, method, line)?;
    let mut access = Access { dst, ..Access::new(op, Address { base, terms }) };
    let is_first = matches!(access.op, Op::Load | Op::LoadLinked);
    if line.eat(",") || (is_first && !line.is_next(")")) {
        access.is_plain = line.eat("plain");
        if !access.is_plain {
            access.order = named(line, Order::from_name, "order")?;
        }
    }
    if line.eat(",") {
        access.failure_order = named(line, Order::from_name, "order")?;
    }
    line.expect(")")?;
    if line.eat("after") {
        access.after.push(register(automaton, line)?);
        while line.eat(",") {
            access.after.push(register(automaton, line)?);
        }
    }
    access.is_elidable = line.eat("elidable");
    Ok(Action::Access(access))
}

fn op(automaton: &Automaton, method: &str, line: &mut Line<'_>) -> Result<Op> {
    let mut value = || local(automaton, line);
    Ok(match method {
        ".load" => Op::Load,
        ".ll" => Op::LoadLinked,
        ".store" => Op::Store(value()?),
        ".swap" => Op::Swap(value()?),
        ".fetch_add" => Op::Fetch(FetchOp::Add, value()?),
        ".fetch_and" => Op::Fetch(FetchOp::And, value()?),
        ".fetch_or" => Op::Fetch(FetchOp::Or, value()?),
        ".next" => {
            let event = value()?;
            line.expect("by")?;
            let n_events = line.number()?;
            line.expect("in")?;
            let mut states = Vec::new();
            while !line.is_next(")") && !line.is_next(",") {
                states.push(line.number()?);
            }
            Op::Fetch(FetchOp::Next(Next { n_events, states: states.into() }), event)
        }
        ".sc" => Op::StoreConditional(value()?),
        ".cas" | ".cas_old" => {
            let expected = value()?;
            line.expect("->")?;
            let result = if method == ".cas" { CasResult::Success } else { CasResult::Old };
            Op::Cas { expected, new: local(automaton, line)?, result }
        }
        _ => return Err(line.error(format!("`{method}` is no memory operation"))),
    })
}

fn region(line: &mut Line<'_>) -> Result<Region> {
    for (region, name) in REGIONS {
        if name.split(' ').enumerate().all(|(n, word)| line.peek(n) == Some(word)) {
            name.split(' ').try_for_each(|word| line.expect(word))?;
            return Ok(region);
        }
    }
    Err(line.error(format!("{} is no region", line.found())))
}

fn begin(automaton: &Automaton, line: &mut Line<'_>) -> Result<Begin> {
    let capacity = if line.eat("capacity") { Some(line.number()?) } else { None };
    for token in [",", "abort", "("] {
        line.expect(token)?;
    }
    let result = |line: &mut Line<'_>| match line.is_next(")") || line.eat("_") {
        true => Ok(None),
        false => register(automaton, line).map(Some),
    };
    let cause = result(line)?;
    let code = if line.eat(",") { result(line)? } else { None };
    line.expect(")")?;
    line.expect("->")?;
    Ok(Begin { handler: line.id()?, cause, code, capacity })
}

fn named<T>(line: &mut Line<'_>, from_name: fn(&str) -> Option<T>, what: &str) -> Result<T> {
    let word = line.word()?;
    from_name(word).ok_or_else(|| line.error(format!("`{word}` is no {what}")))
}
