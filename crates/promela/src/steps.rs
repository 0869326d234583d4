//! The steps of a thread, and those of its memory.

use crate::access;
use crate::config::{Config, Mode};
use crate::local::captured;
use crate::process::{Block, Process};
use crate::region::{self, Waits};
use crate::term::Term;
use automata::{Access, Action, CellId, Op, PointId, RegId};

impl Process<'_> {
    /// The steps of the thread itself.
    pub(crate) fn steps(&mut self) {
        for config in self.this().plan.configs.clone() {
            self.steps_from(&config);
        }
    }

    fn steps_from(&mut self, config: &Config) {
        let this = self.this();
        let here = this.is_among(&[this.plan.number(config)]);
        let at = &this.automaton.points[config.point];
        if let Some(pending) = config.pending
            && let Action::Access(access) = &this.automaton.points[pending].action
        {
            // Also while it is seen at a label that it only passes: then it may stop there again.
            self.perform_pending(config, access, here.clone());
        }
        if config.mode == Mode::Paused {
            let number = this.plan.number(&config.in_mode(Mode::Going));
            self.goto(Block::Config(number));
            return self.line(&format!(":: going && {here} -> goto t{}_g{number}", self.thread));
        }
        if config.mode == Mode::Spinning {
            // To go round is a step of a run, and changes nothing (semantics 2.6).
            let end = self.end();
            return self.line(&format!(":: PROPERTY != 0 && going && {here} -> goto {end}"));
        }
        match &at.action {
            Action::Safepoint => {
                let go = self.go(config, &config.moved(at.next));
                self.line(&format!(":: going && {here} -> {go}"));
            }
            Action::Enter(region) if config.pending.is_none() => {
                let waits = match region::waits(*region) {
                    Waits::Performed => this.is_drained(),
                    Waits::Walls => Term::TRUE,
                    Waits::World => {
                        let others = (0..self.model.threads.len()).filter(|other| *other != self.thread);
                        this.is_drained().and(Term::all(others.map(|other| self.model.is_parked(other))))
                    }
                    Waits::Operation | Waits::Issue => return,
                };
                let guard = here.and(waits).and(self.completes(at.next));
                let enter = self.enter(config.point, None);
                self.line(&format!(":: going && {guard} -> {enter}"));
            }
            Action::Access(access)
                if config.pending.is_none() && region::is_issued(&this.automaton.points[at.next].action) =>
            {
                let inside = this.automaton.points[at.next].next;
                let guard = here.and(self.has_place(access)).and(self.completes(inside));
                self.line(&format!(":: going && {guard} ->"));
                self.enqueue(config, access);
                let issued = this.walk().issued(config);
                let forget = self.forget(config.point, at.next);
                let enter = self.enter(at.next, Some(this.plan.number(&issued)));
                self.line(&format!("{forget}{enter}"));
            }
            _ => {}
        }
    }

    /// Goes into the region that is entered at a point.
    fn enter(&mut self, entry: PointId, issued: Option<usize>) -> String {
        let next = self.this().automaton.points[entry].next;
        let goto = self.goto(Block::Inside(next, issued));
        format!("{}{goto}", self.forget(entry, next))
    }

    /// The step that performs the operation which nothing overtakes.
    fn perform_pending(&mut self, config: &Config, access: &Access, here: Term) {
        let (this, model) = (self.this(), self.model);
        let name = &this.name;
        let register = &mut |r: &RegId| this.register(*r);
        let number = access::number(&access.address, register);
        let held = |part: &str, term: Term| match term {
            Term::Const(_) => term,
            _ => Term::var(format!("{name}_{part}")),
        };
        let used = captured(name, access, number.clone(), register);
        let number = held("cell", number);
        let operands: Vec<Term> = crate::local::operands(access)
            .into_iter()
            .zip(["a", "b"])
            .map(|(expr, part)| held(part, Term::of(expr, register)))
            .collect();
        let forwarded = self.forwarded(&number);
        let guard = match access.op {
            Op::Load => model.has_bus(self.thread).or(forwarded).and(self.is_unfit(access, &number).negated()),
            _ => model.has_bus(self.thread).and(this.is_drained()),
        };
        self.line(&format!(":: going && {} ->", here.and(guard)));
        let read = if matches!(access.op, Op::Load) { self.read(&number) } else { Term::cell(number.clone()) };
        self.perform(access, &number, &read, &operands);
        for (variable, _) in &used {
            self.line(&format!("{variable} = 0;"));
        }
        let receivers: Vec<RegId> = config.coming.iter().copied().collect();
        self.receive(access, &receivers, config.point);
        let to = if region::is_then(&this.automaton.points[config.point].action) {
            self.enter(config.point, None)
        } else {
            let number = this.plan.number(&Config::at(config.point));
            self.goto(Block::Config(number))
        };
        self.line(&format!("v = 0; {to}"));
    }

    /// Whether the buffer has a store to the cell.
    fn forwarded(&self, number: &Term) -> Term {
        Term::any(self.slots().map(|(_, is_there, cell, _)| is_there.and(cell.equals(number.clone()))))
    }

    /// Whether a load finds an own store whose value does not fit the cell: then it waits (semantics 4.3).
    fn is_unfit(&self, access: &Access, number: &Term) -> Term {
        let (cells, stored) = (access::candidates(&access.address), self.model.buffered(self.thread));
        match self.this().plan.is_buffered {
            true => access::is_out_of_range(self.model.automata, &cells, number, &self.read(number), stored),
            false => Term::FALSE,
        }
    }

    /// What a load finds: the youngest own store to the cell, else the cell.
    fn read(&self, number: &Term) -> Term {
        self.slots().fold(Term::cell(number.clone()), |older, (_, is_there, cell, value)| {
            Term::choice(is_there.and(cell.equals(number.clone())), value, older)
        })
    }

    /// The places of the buffer, the oldest first: position, whether it is taken, cell, value.
    fn slots(&self) -> impl Iterator<Item = (usize, Term, Term, Term)> + use<> {
        let this = self.this();
        let (name, length) = (this.name.clone(), this.length());
        let n_slots = if this.plan.is_buffered { self.model.slots } else { 0 };
        (0..n_slots).map(move |slot| {
            let is_there = Term::binary(automata::BinaryOp::Greater, length.clone(), Term::Const(slot as i64));
            let (cell, value) = (format!("{name}_cells[{slot}]"), format!("{name}_values[{slot}]"));
            (slot, is_there, Term::var(cell), Term::var(value))
        })
    }

    /// The step of the memory: the oldest store of the buffer is performed.
    pub(crate) fn drain(&mut self) {
        let (this, model) = (self.this(), self.model);
        let name = this.name.clone();
        let guard = this.is_drained().negated().and(model.has_bus(self.thread));
        self.line(&format!(":: going && {guard} ->"));
        let (number, value) = (Term::var(format!("{name}_cells[0]")), Term::var(format!("{name}_values[0]")));
        self.check_drained(&number, &value);
        self.line(&format!("cell[{number}] = {value};"));
        self.tell(&number);
        self.line(&format!("{} = {} - 1;", this.length(), this.length()));
        for (slot, ..) in self.slots().skip(1) {
            let before = slot - 1;
            self.line(&format!(
                "{name}_cells[{before}] = {name}_cells[{slot}]; {name}_values[{before}] = {name}_values[{slot}];"
            ));
        }
        let last = model.slots - 1;
        self.line(&format!("{name}_cells[{last}] = 0; {name}_values[{last}] = 0;"));
        self.line("if");
        for config in this.plan.configs.clone() {
            self.after_drain(&config);
        }
        let end = self.end();
        self.line(&format!(":: else -> goto {end}"));
        self.line("fi");
    }

    /// The stores of the thread that may violate `in_range` are looked at as they are performed.
    fn check_drained(&mut self, number: &Term, value: &Term) {
        let this = self.this();
        let inside = region::points_inside(this.automaton);
        let mut tight: Vec<CellId> = Vec::new();
        for (_, point) in this.automaton.points.iter().filter(|(id, _)| !inside.contains(id)) {
            if let Action::Access(Access { op: Op::Store(stored), address, .. }) = &point.action {
                let values = crate::refusal::values(this.automaton, stored).unwrap_or((i64::MIN, i64::MAX));
                let cells = access::candidates(address);
                let is_tight = |cell: &&CellId| {
                    let one = [**cell];
                    access::is_out_of_range(self.model.automata, &one, number, value, values) != Term::FALSE
                };
                tight.extend(cells.iter().filter(is_tight));
            }
        }
        tight.sort();
        tight.dedup();
        let is_outside = Term::any(tight.iter().map(|cell| {
            let domain = self.model.automata.cells[*cell].domain;
            let is_this = number.clone().equals(Term::Const(cell.0 as i64));
            is_this.and(value.clone().outside(domain.low, domain.high))
        }));
        self.fail_if(&is_outside, automata::Automata::IN_RANGE);
    }

    /// What the thread does from a configuration once a store has left its buffer.
    fn after_drain(&mut self, config: &Config) {
        let this = self.this();
        let here = this.is_among(&[this.plan.number(config)]);
        let at = &this.automaton.points[config.point];
        let pending = config.pending.map(|pending| &this.automaton.points[pending].action);
        if matches!(pending, Some(Action::Fence(_))) {
            let to = Config::at(config.point);
            let goto = self.goto(Block::Config(this.plan.number(&to)));
            self.line(&format!(":: {here} && {} -> {goto}", this.is_drained()));
        } else if config.pending.is_none() && config.mode == Mode::Going && region::is_then(&at.action) {
            let enter = self.enter(config.point, None);
            self.line(&format!(":: {here} && {} -> {enter}", this.is_drained()));
        } else if self.waits_for_drain(config) {
            let goto = self.goto(Block::Config(this.plan.number(config)));
            self.line(&format!(":: {here} -> {goto}"));
        }
    }
}
