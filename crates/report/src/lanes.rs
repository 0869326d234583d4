//! A trace in lanes: one column per thread, a line per thing that happened.

use crate::arcs::Arcs;
use crate::rounds::{Item, items};
use crate::words::{EventKind, TraceEvent, phrase, source_line, trace_events, value_name};
use automata::{Action, Automata, ThreadId};
use base::Sources;
use base::table::Id;
use machine::{Local, PlainState};
use std::fmt::Write;
use workbench::Trace;

/// What else to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneOptions {
    /// The cells that changed, after each step.
    pub cells: bool,
    /// What each thread has issued and not yet performed, after each step.
    pub queues: bool,
    /// The width of the whole; 0 chooses.
    pub width: usize,
}

/// The trace as text.
pub fn lanes(automata: &Automata, sources: &Sources, trace: &Trace, options: LaneOptions) -> String {
    lanes_of(automata, sources, trace, options, None)
}

/// The trace as text, or those of its steps that are listed.
pub fn lanes_of(
    automata: &Automata,
    sources: &Sources,
    trace: &Trace,
    options: LaneOptions,
    steps: Option<&[usize]>,
) -> String {
    let is_shown = |step: usize| steps.is_none_or(|steps| steps.contains(&step));
    let events: Vec<TraceEvent> =
        trace_events(automata, trace).into_iter().filter(|what| is_shown(what.step)).collect();
    let lanes = Lanes::new(automata, &events, options.width);
    let mut out = lanes.header(automata);
    let mut last = 0;
    let mut loop_rules = LoopRules::new(trace);
    let mut arcs = Arcs::new(&events, automata.threads.len());
    let mut before: Option<&TraceEvent> = None;
    let items = items(&events);
    for (i, item) in items.iter().enumerate() {
        let what = match item {
            Item::Events(events) => &events[0],
            Item::Again { last: what, times } => {
                let line = format!("↻ looks {times} more times");
                out.push_str(&lanes.row("", Some(what.thread), &line, &arcs.between()));
                last = what.step;
                continue;
            }
        };
        loop_rules.before(what.step, &mut out);
        let is_new = before.is_none() || what.step != last;
        if what.step > last + 1 && steps.is_some() {
            out.push_str(&lanes.row("⋮", None, "", &arcs.between()));
        }
        last = what.step;
        let number = if is_new { what.step.to_string() } else { String::new() };
        let room = lanes.width - 2 - arcs.width(what.thread.index());
        let shown_before = before.filter(|_| !is_new);
        let Item::Events(shown) = item else { continue };
        for (n, line) in text(automata, sources, shown, shown_before, room).into_iter().enumerate() {
            let (number, gutters) = if n == 0 { (number.as_str(), arcs.row(what)) } else { ("", arcs.between()) };
            out.push_str(&lanes.row(number, Some(what.thread), &line, &gutters));
        }
        before = shown.last();
        let next = items.get(i + 1);
        if next.is_none_or(|next| !matches!(next, Item::Events(next) if next[0].step == what.step)) {
            details(&mut out, automata, sources, trace, what.step, options);
        }
    }
    loop_rules.end(&mut out);
    spinning(&mut out, automata, trace);
    lanes.idle(&mut out, automata);
    out
}

/// The lanes that are shown: those of threads that do something; all if none does.
struct Lanes {
    is_shown: Vec<bool>,
    /// The width of one.
    width: usize,
}

impl Lanes {
    fn new(automata: &Automata, events: &[TraceEvent], total: usize) -> Self {
        let acts = |thread: ThreadId| events.is_empty() || events.iter().any(|event| event.thread == thread);
        let is_shown: Vec<bool> = automata.threads.ids().map(acts).collect();
        let n = is_shown.iter().filter(|is| **is).count().max(1);
        let width = match total {
            0 => (108 / n).clamp(30, 54),
            total => (total.saturating_sub(5) / n).saturating_sub(1).clamp(24, 80),
        };
        Lanes { is_shown, width }
    }

    fn header(&self, automata: &Automata) -> String {
        let shown = || automata.threads.values().zip(&self.is_shown).filter(|(_, is)| **is);
        let name = |name: &str| format!("│ {:<1$}", clip(name, self.width - 2), self.width - 1);
        let names: String = shown().map(|(thread, _)| name(&thread.name)).collect();
        let rule: String = shown().map(|_| format!("┼{}", "─".repeat(self.width))).collect();
        format!("{}\n─────{rule}\n", format!("     {names}").trim_end())
    }

    /// One line: `line` in the lane of its thread, and beside each lane its arcs.
    fn row(&self, number: &str, thread: Option<ThreadId>, line: &str, gutters: &[String]) -> String {
        let mut row = format!("{number:>4} ");
        for (n, gutter) in gutters.iter().enumerate().filter(|(n, _)| self.is_shown[*n]) {
            let content = if Some(ThreadId::new(n)) == thread { line } else { "" };
            let _ = write!(row, "│ {:<1$}", format!("{gutter}{content}"), self.width - 1);
        }
        format!("{}\n", row.trim_end())
    }

    /// Who has no lane.
    fn idle(&self, out: &mut String, automata: &Automata) {
        let idle = automata.threads.values().zip(&self.is_shown).filter(|(_, is)| !**is);
        let names: Vec<&str> = idle.map(|(thread, _)| thread.name.as_str()).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "     ╎ without a step here: {}", names.join(", "));
        }
    }
}

/// The threads that touch nothing shared any more, below a run that repeats.
fn spinning(out: &mut String, automata: &Automata, trace: &Trace) {
    let Some(state) = trace.loop_start.and_then(|start| trace.states.get(start)) else { return };
    let spins = |local: &Local| local.mode.is_looping();
    for (thread, _) in automata.threads.values().zip(&state.locals).filter(|(_, local)| spins(local)) {
        let _ = writeln!(out, "     ╎ {} goes round forever and touches nothing shared", thread.name);
    }
}

/// The lines that say where a run repeats.
struct LoopRules {
    /// After how many steps it is where it repeats, and how many it has; none once that is said, or if it ends.
    start: Option<usize>,
    is_begun: bool,
    n_steps: usize,
}

impl LoopRules {
    fn new(trace: &Trace) -> Self {
        LoopRules { start: trace.loop_start, is_begun: false, n_steps: trace.steps.len() }
    }

    /// Before the first event of a step.
    fn before(&mut self, step: usize, out: &mut String) {
        if !self.is_begun && self.start.is_some_and(|start| step > start) {
            self.is_begun = true;
            let _ = writeln!(out, "── loop: repeats from here ──");
        }
    }

    fn end(&mut self, out: &mut String) {
        let _ = match self.start {
            None => Ok(()),
            Some(start) if start == self.n_steps => writeln!(out, "── nothing happens any more, forever ──"),
            Some(start) => {
                self.before(self.n_steps, out);
                writeln!(out, "── back to step {} ──", start + 1)
            }
        };
    }
}

/// The source line, unless what was shown before in the same step is of it too; and under it what it did. Several events are
/// what one step reads.
fn text(
    automata: &Automata,
    sources: &Sources,
    events: &[TraceEvent],
    before: Option<&TraceEvent>,
    width: usize,
) -> Vec<String> {
    let first = first_line(automata, sources, &events[0]);
    let phrases: Vec<String> =
        events.iter().map(|event| phrase(automata, event)).filter(|phrase| !phrase.is_empty()).collect();
    let joined = format!("{first}  {}", phrases.join(", "));
    if before.is_some_and(|before| first_line(automata, sources, before) == first) {
        below(&phrases, width)
    } else if !phrases.is_empty() && joined.chars().count() <= width {
        vec![joined]
    } else {
        [vec![clip(&first, width)], below(&phrases, width)].concat()
    }
}

/// Phrases on as few lines as hold them.
fn below(phrases: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for phrase in phrases {
        match lines.last_mut() {
            Some(line) if line.chars().count() + phrase.chars().count() + 2 < width => *line += &format!(", {phrase}"),
            _ => lines.push(format!("    {phrase}")),
        }
    }
    lines.iter().map(|line| clip(line, width)).collect()
}

/// What happened how, and where in the source.
fn first_line(automata: &Automata, sources: &Sources, what: &TraceEvent) -> String {
    let point = &automata.threads[what.thread].automaton.points[what.point];
    let (line, source) = source_line(sources, point.span);
    let within = point.procs.last().map_or(String::new(), |name| format!(" [{name}]"));
    let mark = match what.kind {
        EventKind::Issued => "○",
        EventKind::Performed { issued_in: Some(_), .. } => "◑",
        EventKind::Performed { .. } | EventKind::Published { .. } | EventKind::Raced { .. } => "●",
        EventKind::Tracked { .. } => "◌",
        EventKind::Failed(_) | EventKind::At => "✗",
        _ => "·",
    };
    let line = line.map_or(String::new(), |line| format!("{line}: "));
    format!("{mark} {line}{source}{within}")
}

fn details(out: &mut String, automata: &Automata, sources: &Sources, trace: &Trace, step: usize, options: LaneOptions) {
    let state = &trace.shown(step);
    if options.cells && step > 0 {
        let before = &trace.states[step - 1];
        for (id, cell) in automata.cells.iter().filter(|(id, _)| state.cells[id.index()] != before.cells[id.index()]) {
            let _ = writeln!(out, "     ╎ {} = {}", cell.name, value_name(automata, id, state.cells[id.index()]));
        }
    }
    if options.queues {
        for (id, thread) in automata.threads.iter() {
            let queue = queue(automata, sources, id, &state.locals[id.index()]);
            if !queue.is_empty() {
                let _ = writeln!(out, "     ╎ {} waits with: {}", thread.name, queue.join("; "));
            }
        }
    }
}

/// What a thread has issued and not yet performed, as source text.
pub fn queue(automata: &Automata, sources: &Sources, thread: ThreadId, local: &Local) -> Vec<String> {
    let points = &automata.threads[thread].automaton.points;
    let entry = |entry: &machine::Entry| {
        let point = &points[entry.point];
        matches!(point.action, Action::Access(_) | Action::Fence(_)).then(|| source_line(sources, point.span).1)
    };
    local.queue.iter().filter_map(entry).collect()
}

/// The final values of the cells, `name = value`.
pub fn cells(automata: &Automata, state: &PlainState) -> Vec<String> {
    let show = |(id, cell): (automata::CellId, &automata::Cell)| {
        format!("{} = {}", cell.name, value_name(automata, id, state.cells[id.index()]))
    };
    automata.cells.iter().map(show).collect()
}

fn clip(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let mut clipped: String = text.chars().take(width.saturating_sub(1)).collect();
    clipped.push('…');
    clipped
}
