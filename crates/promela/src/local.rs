//! Local actions: what a thread does within a step until it rests.

use crate::access;
use crate::config::Config;
use crate::process::Process;
use crate::refusal;
use crate::region;
use crate::term::Term;
use crate::{Memory, interval};
use automata::{Access, Action, Automata, BinaryOp, Expr, Op, RegId};
use base::table::Id;
use memory::Fence;

impl Process<'_> {
    /// The local action of a configuration, or its rest.
    pub(crate) fn local(&mut self, config: &Config) {
        let this = self.this();
        let walk = this.walk();
        let targets = walk.local(config);
        let at = &this.automaton.points[config.point];
        let register = &mut |r: &RegId| this.register(*r);
        if targets.is_empty() {
            let rest = self.rest(config);
            return self.line(&format!("{rest};"));
        }
        match &at.action {
            Action::Access(access) => self.issue(config, access),
            Action::Fence(Fence::Full) if this.plan.is_buffered => self.fence(config, &targets),
            Action::Perform if this.plan.is_buffered => {
                let (go, rest) = (self.go(config, &targets[0]), self.rest(config));
                self.line(&format!("if :: {} -> {go} :: else -> {rest} fi;", this.is_drained()));
            }
            Action::Branch { condition, .. } => {
                self.fail_without(condition);
                let (then, otherwise) = (self.go(config, &targets[0]), self.go(config, &targets[1]));
                let condition = Term::of(condition, register);
                self.line(&format!("if :: {condition} -> {then} :: else -> {otherwise} fi;"));
            }
            Action::Choose(_) => {
                let ways: Vec<Term> = targets.iter().map(|target| self.way(target)).collect();
                self.line("if");
                for (target, way) in targets.iter().zip(&ways) {
                    let go = self.go(config, target);
                    self.line(&format!(":: {way} -> {go}"));
                }
                if !ways.contains(&Term::TRUE) {
                    let discard = self.discard();
                    self.line(&format!(":: else -> {discard}"));
                }
                self.line("fi;");
            }
            Action::Assume(condition) => {
                self.fail_without(condition);
                let (go, rest) = (self.go(config, &targets[0]), self.rest(config));
                let condition = Term::of(condition, register);
                self.line(&format!("if :: {condition} -> {go} :: else -> {rest} fi;"));
            }
            Action::Compute { dst, value: Expr::Leaf(source) } if config.coming.contains(source) => {
                let go = self.go(config, &targets[0]);
                self.line(&format!("{} = 0; {go};", this.register(*dst)));
            }
            action => {
                self.plain(action);
                let go = self.go(config, &targets[0]);
                self.line(&format!("{go};"));
            }
        }
    }

    /// An action that neither branches nor touches memory, without the way on.
    pub(crate) fn plain(&mut self, action: &Action) {
        let this = self.this();
        let register = &mut |r: &RegId| this.register(*r);
        match action {
            Action::Compute { dst, value } => {
                self.fail_without(value);
                let (domain, values) = (this.automaton.registers[*dst].domain, refusal::values(this.automaton, value));
                let value = Term::of(value, register);
                let (low, high) = interval::of_domain(domain);
                if values.is_none_or(|(least, most)| least < low || most > high) {
                    self.fail_if(&value.clone().outside(domain.low, domain.high), Automata::IN_RANGE);
                }
                self.line(&format!("{} = {value};", this.register(*dst)));
            }
            Action::Assert { condition, property } => {
                self.fail_without(condition);
                let condition = Term::of(condition, register);
                self.fail_if(&condition.negated(), *property);
            }
            Action::Cover { condition, cover } => {
                self.fail_without(condition);
                let condition = Term::of(condition, register);
                self.line(&format!("if :: {condition} -> reached({}) :: else fi;", cover.index() + 1));
            }
            Action::Discard(condition) => {
                self.fail_without(condition);
                let (condition, discard) = (Term::of(condition, register), self.discard());
                self.line(&format!("if :: {condition} :: else -> {discard} fi;"));
            }
            Action::Assume(condition) => self.fail_without(condition),
            _ => self.line("skip;"),
        }
    }

    /// This run is none.
    pub(crate) fn discard(&self) -> String {
        format!("discarded = true; {} = 0; v = 0; goto {}", self.this().at(), self.end())
    }

    /// Whether a choice may go this way: one that is discarded at once is no way.
    fn way(&self, target: &Config) -> Term {
        let this = self.this();
        match &this.automaton.points[target.point].action {
            Action::Discard(condition) if !this.walk().waits(target) => {
                let register = &mut |r: &RegId| this.register(*r);
                let is_none = crate::value::is_none(this.automaton, condition, register);
                is_none.or(Term::of(condition, register))
            }
            _ => Term::TRUE,
        }
    }

    /// The cell of an access is there, and its operands have values, or the step fails.
    pub(crate) fn check_operands(&mut self, access: &Access) {
        let this = self.this();
        // An index without value is no cell (rule 1.8).
        for term in &access.address.terms {
            let is_none = self.is_none(&term.index);
            self.fail_if(&is_none, Automata::VALID_REFERENCE);
        }
        let mut operands = Vec::new();
        access.op.exprs(&mut |expr| operands.push(expr));
        operands.into_iter().for_each(|expr| self.fail_without(expr));
        let nowhere = access::is_nowhere(&access.address, &mut |r| this.register(*r));
        self.fail_if(&nowhere, Automata::VALID_REFERENCE);
    }

    /// Whether there is a place for one more operation, or store.
    pub(crate) fn has_place(&self, access: &Access) -> Term {
        let (this, model) = (self.this(), self.model);
        if !this.plan.is_buffered {
            return Term::TRUE;
        }
        let most = if matches!(access.op, Op::Store(_)) { model.slots } else { model.bound };
        if most > model.slots {
            return Term::TRUE;
        }
        Term::binary(BinaryOp::Less, this.length(), Term::Const(most as i64))
    }

    fn issue(&mut self, config: &Config, access: &Access) {
        let rest = self.rest(config);
        let place = self.has_place(access);
        if place != Term::TRUE {
            self.line(&format!("if :: {place} :: else -> {rest} fi;"));
        }
        self.enqueue(config, access);
        let to = self.this().walk().issued(config);
        let go = self.go(config, &to);
        self.line(&format!("{go};"));
    }

    /// Puts an access into the thread's buffer, or remembers it as the one that nothing overtakes.
    pub(crate) fn enqueue(&mut self, config: &Config, access: &Access) {
        let this = self.this();
        let register = &mut |r: &RegId| this.register(*r);
        self.check_operands(access);
        let number = access::number(&access.address, register);
        match &access.op {
            Op::Store(value) if this.plan.is_buffered => {
                let value = Term::of(value, register);
                let (name, length) = (&this.name, this.length());
                self.line(&format!("{name}_cells[{length}] = {number}; {name}_values[{length}] = {value};"));
                self.line(&format!("{length} = {length} + 1;"));
            }
            _ => {
                for (variable, term) in captured(this.name.as_str(), access, number, register) {
                    self.line(&format!("{variable} = {term};"));
                }
                if let Some(dst) = access.dst.filter(|dst| this.is_live(*dst, this.automaton.points[config.point].next))
                {
                    self.line(&format!("{} = 0;", this.register(dst)));
                }
            }
        }
    }

    /// A full fence: waits in the queue while there are stores.
    fn fence(&mut self, config: &Config, targets: &[Config]) {
        let this = self.this();
        let pass = self.go(config, &targets[0]);
        self.line("if");
        self.line(&format!(":: {} -> {pass}", this.is_drained()));
        match targets.get(1) {
            Some(pending) => {
                let (go, rest) = (self.go(config, pending), self.rest(config));
                if self.model.bound > self.model.slots {
                    self.line(&format!(":: else -> {go}"));
                } else {
                    let has_place = Term::binary(BinaryOp::Less, this.length(), Term::Const(self.model.bound as i64));
                    self.line(&format!(":: {} && {has_place} -> {go}", this.is_drained().negated()));
                    self.line(&format!(":: else -> {rest}"));
                }
            }
            None => {
                let rest = self.rest(config);
                self.line(&format!(":: else -> {rest}"));
            }
        }
        self.line("fi;");
    }

    /// Whether drained stores may let the thread continue from a configuration.
    pub(crate) fn waits_for_drain(&self, config: &Config) -> bool {
        let this = self.this();
        let at = &this.automaton.points[config.point];
        if config.mode != crate::config::Mode::Going || self.model.memory == Memory::Sc {
            return false;
        }
        match &at.action {
            Action::Access(_) => config.pending.is_none() && !region::is_issued(&this.automaton.points[at.next].action),
            Action::Fence(Fence::Full) => true,
            Action::Perform => config.pending.is_none(),
            _ => false,
        }
    }
}

/// What is remembered of an operation: the cell's number and operands that are no constants.
pub(crate) fn captured(
    name: &str,
    access: &Access,
    number: Term,
    register: &mut impl FnMut(&RegId) -> Term,
) -> Vec<(String, Term)> {
    let mut parts = vec![(format!("{name}_cell"), number)];
    let operands = operands(access).into_iter().zip(["a", "b"]);
    parts.extend(operands.map(|(expr, part)| (format!("{name}_{part}"), Term::of(expr, register))));
    parts.retain(|(_, term)| !matches!(term, Term::Const(_)));
    parts
}

/// The operands of an operation, apart from its address.
pub(crate) fn operands(access: &Access) -> Vec<&Expr> {
    match &access.op {
        Op::Load | Op::LoadLinked => Vec::new(),
        Op::Store(value) | Op::Swap(value) | Op::Fetch(_, value) | Op::StoreConditional(value) => vec![value],
        Op::Cas { expected, new, .. } => vec![expected, new],
    }
}
