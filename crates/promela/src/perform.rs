//! What an operation does when it is performed.

use crate::access;
use crate::guard::combined;
use crate::interval::{self, Interval};
use crate::process::Process;
use crate::refusal;
use crate::term::Term;
use automata::{Access, Automata, CasResult, FetchOp, Op, PointId, RegId, Value};

impl Process<'_> {
    /// Inside a region: at once, and past every queue.
    pub(crate) fn directly(&mut self, access: &Access) {
        let this = self.this();
        let register = &mut |r: &RegId| this.register(*r);
        self.check_operands(access);
        let number = access::number(&access.address, register);
        let operands: Vec<Term> =
            crate::local::operands(access).into_iter().map(|expr| Term::of(expr, register)).collect();
        self.perform(access, &number, &Term::cell(number.clone()), &operands);
        if let Some(dst) = access.dst {
            let domain = this.automaton.registers[dst].domain;
            if !self.fits(self.results(access), interval::of_domain(domain)) {
                self.fail_if(&Term::var("v").outside(domain.low, domain.high), Automata::IN_RANGE);
            }
            self.line(&format!("{} = v; v = 0;", this.register(dst)));
        } else if access.op.is_read() {
            self.line("v = 0;");
        }
    }

    /// The operation; its result is in `v`.
    pub(crate) fn perform(&mut self, access: &Access, number: &Term, read: &Term, operands: &[Term]) {
        let this = self.this();
        let operand = |index: usize| operands.get(index).cloned().unwrap_or(Term::FALSE);
        match &access.op {
            Op::Load => self.line(&format!("v = {read};")),
            Op::LoadLinked => {
                self.line(&format!("v = {read}; {}_reserved[{number}] = 1;", this.name));
            }
            Op::Store(_) => self.store(access, number, &operand(0)),
            Op::Swap(_) => {
                self.line(&format!("v = {read};"));
                self.store(access, number, &operand(0));
            }
            Op::Fetch(how, _) => {
                self.line(&format!("v = {read};"));
                self.store(access, number, &combined(how, Term::var("v"), operand(0)));
            }
            Op::Cas { result, .. } => {
                let is_old = *result == CasResult::Old;
                self.line(&format!("if :: {read} == {} ->", operand(0)));
                self.line(&if is_old { format!("v = {read};") } else { "v = 1;".into() });
                self.store(access, number, &operand(1));
                self.line(&if is_old { format!(":: else -> v = {read}") } else { ":: else -> v = 0".into() });
                self.line("fi;");
            }
            Op::StoreConditional(_) => {
                let reserved = format!("{}_reserved[{number}]", this.name);
                self.line(&format!("if :: {reserved} == 1 -> v = 1;"));
                self.store(access, number, &operand(0));
                if self.model.may_fail {
                    self.line(":: true -> v = 0");
                }
                self.line(&format!(":: {reserved} == 0 -> v = 0"));
                self.line(&format!("fi; {reserved} = 0;"));
            }
        }
    }

    fn store(&mut self, access: &Access, number: &Term, value: &Term) {
        let cells = access::candidates(&access.address);
        let is_outside = access::is_out_of_range(self.model.automata, &cells, number, value, self.stored(access));
        self.fail_if(&is_outside, Automata::IN_RANGE);
        self.line(&format!("cell[{number}] = {value};"));
        self.tell(number);
    }

    /// A store takes the reservations of all other threads away.
    pub(crate) fn tell(&mut self, number: &Term) {
        let others = self.model.threads.iter().enumerate().filter(|(other, _)| *other != self.thread);
        let lost: Vec<String> = others
            .filter(|(_, other)| other.reserves)
            .map(|(_, other)| format!("{}_reserved[{number}] = 0;", other.name))
            .collect();
        lost.iter().for_each(|text| self.line(text));
    }

    /// The values that an operation may store.
    fn stored(&self, access: &Access) -> Interval {
        let automaton = self.this().automaton;
        let of = |expr| refusal::values(automaton, expr).unwrap_or((i64::MIN, i64::MAX));
        match &access.op {
            Op::Load | Op::LoadLinked => (0, 0),
            Op::Store(value) | Op::Swap(value) | Op::StoreConditional(value) => of(value),
            Op::Cas { new, .. } => of(new),
            Op::Fetch(FetchOp::Add, value) => {
                let ((a, b), (c, d)) = (self.held(access), of(value));
                (a.saturating_add(c), b.saturating_add(d))
            }
            Op::Fetch(..) => (i64::MIN, i64::MAX),
        }
    }

    /// The values that the cells of an access may hold.
    fn held(&self, access: &Access) -> Interval {
        let cells = access::candidates(&access.address);
        let domains = cells.into_iter().map(|cell| interval::of_domain(self.model.automata.cells[cell].domain));
        domains.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1))).unwrap_or((0, 0))
    }

    /// The values that the result of an operation may have.
    fn results(&self, access: &Access) -> Interval {
        match &access.op {
            Op::Cas { result: CasResult::Success, .. } | Op::StoreConditional(_) | Op::Store(_) => (0, 1),
            _ => self.held(access),
        }
    }

    fn fits(&self, values: Interval, domain: Interval) -> bool {
        domain.0 <= values.0 && values.1 <= domain.1
    }

    /// Gives the result in `v` to all registers that wait for it.
    pub(crate) fn receive(&mut self, access: &Access, receivers: &[RegId], point: PointId) {
        let this = self.this();
        let results = self.results(access);
        let mut checked: Vec<RegId> = receivers.to_vec();
        checked.extend(access.dst.filter(|dst| !receivers.contains(dst)));
        let tight = checked.iter().map(|register| this.automaton.registers[*register].domain);
        let tight: Vec<_> = tight.filter(|domain| !self.fits(results, interval::of_domain(*domain))).collect();
        let low = tight.iter().map(|domain| domain.low).max();
        let high = tight.iter().map(|domain| domain.high).min();
        if let (Some(low), Some(high)) = (low, high) {
            self.fail_if(&Term::var("v").outside(low as Value, high as i64), Automata::IN_RANGE);
        }
        for register in receivers.iter().filter(|register| this.is_live(**register, point)) {
            self.line(&format!("{} = v;", this.register(*register)));
        }
    }
}
