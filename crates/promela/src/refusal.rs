//! What cannot be said in Promela, or not as we write it.

use crate::interval::{self, Interval};
use crate::{Memory, Options};
use automata::{Access, Action, Automata, Automaton, Expr, FetchOp, Kept, Op, PointId, RegId};
use base::Span;
use memory::{FailedCas, Locks, MemoryModel};

/// Why a system cannot be exported, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The construct, in words.
    pub what: String,
    /// Where it stands; perhaps nowhere.
    pub span: Span,
}

impl Refusal {
    pub(crate) fn new(what: impl Into<String>, span: Span) -> Self {
        Refusal { what: what.into(), span }
    }
}

/// The memory model as we write it: by what it says, whatever its name.
pub(crate) fn memory_of(model: &MemoryModel) -> Result<Memory, Refusal> {
    let refuse = |what: String| Err(Refusal::new(what, Span::none()));
    let is_as = |name: &str| memory::builtin::find(name).is_some_and(|known| known.reorder == model.reorder);
    if model.speculate > 0 {
        return refuse("speculation (`--speculate`): guesses are not exported".into());
    }
    if model.histories.is_some() {
        return refuse(format!("the memory model `{}`: only `sc` and `tso` are exported", model.name));
    }
    if model.locks == Locks::Elided {
        return refuse("lock elision (`locks: elided`): transactions are not exported".into());
    }
    if is_as("sc") {
        return Ok(Memory::Sc);
    }
    if is_as("tso") && model.failed_cas == FailedCas::Full {
        return Ok(Memory::Tso);
    }
    refuse(format!("the memory model `{}`: only `sc` and `tso` are exported", model.name))
}

/// Looks for constructs that are not exported.
pub(crate) fn check(automata: &Automata, memory: Memory, options: &Options) -> Result<(), Refusal> {
    if options.queue_bound == 0 {
        return Err(Refusal::new("a queue bound of 0", Span::none()));
    }
    for thread in automata.threads.values() {
        if thread.automaton.kept != Kept::Nothing {
            return Err(Refusal::new("pairs of operations that are kept in order", Span::none()));
        }
        if let (Memory::Tso, Some(load)) = (memory, thread.automaton.ordered_load()) {
            return Err(Refusal::new("a `seq_cst` load under `tso`, which waits for `seq_cst` stores", load));
        }
        for (id, point) in thread.automaton.points.iter() {
            let refuse = |what: &str| Err(Refusal::new(what, point.span));
            match &point.action {
                Action::Begin(_) | Action::Commit | Action::Abort(_) => return refuse("a transaction"),
                Action::Access(access)
                    if memory == Memory::Tso && matches!(access.op, Op::LoadLinked | Op::StoreConditional(_)) =>
                {
                    return refuse(
                        "`ll` and `sc` under `tso`: what a reservation means with a store buffer is not exported",
                    );
                }
                Action::Access(Access { op: Op::Fetch(FetchOp::Next(_), _), .. }) => {
                    return refuse("`refines`: the automaton of a specification is not exported");
                }
                _ => expressions(automata, &thread.automaton, id)?,
            }
        }
    }
    Ok(())
}

/// The values of an expression of a thread, if they fit.
pub(crate) fn values(automaton: &Automaton, expr: &Expr) -> Option<Interval> {
    interval::of(expr, &mut |r: &RegId| Some(interval::of_domain(automaton.registers[*r].domain)))
}

/// Promela's numbers have 32 bits; arithmetic of the language is exact.
fn expressions(automata: &Automata, automaton: &Automaton, id: PointId) -> Result<(), Refusal> {
    let point = &automaton.points[id];
    let mut fit = true;
    point.action.exprs(&mut |expr| fit &= values(automaton, expr).is_some());
    if let Action::Access(Access { op: Op::Fetch(_, operand), address, .. }) = &point.action {
        fit &= crate::access::candidates(address).into_iter().all(|cell| {
            let (low, high) = interval::of_domain(automata.cells[cell].domain);
            values(automaton, operand)
                .is_some_and(|(a, b)| low + a >= i64::from(i32::MIN) && high + b <= i64::from(i32::MAX))
        });
    }
    let what = "an expression whose values may leave 32 bits (or a shift by 31 or more, or by a negative amount)";
    if fit { Ok(()) } else { Err(Refusal::new(what, point.span)) }
}
