//! The text of one process: steps that it may take, and the local actions that follow them.
//!
//! All of it is one `atomic` in a loop, so that SPIN sees the states in which threads rest and no others.

use crate::config::{Config, Mode};
use crate::guard::Guard;
use crate::model::{Model, ThreadModel};
use crate::refusal::Refusal;
use crate::term::Term;
use crate::value;
use automata::{Action, Automata, Expr, PointId, PropertyId, RegId};
use base::table::Id;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A part of the text that others jump to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Block {
    /// The local actions from a configuration on.
    Config(usize),
    /// A point inside a region.
    Inside(PointId, Option<usize>),
}

/// One process, or the part of `init` that is about one thread.
pub(crate) struct Process<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) thread: usize,
    pub(crate) out: String,
    open: Vec<Block>,
    known: BTreeSet<Block>,
    /// What the text could not say.
    pub(crate) refused: Option<Refusal>,
}

impl<'m> Process<'m> {
    pub(crate) fn new(model: &'m Model<'m>, thread: usize) -> Self {
        Process { model, thread, out: String::new(), open: Vec::new(), known: BTreeSet::new(), refused: None }
    }

    pub(crate) fn this(&self) -> &'m ThreadModel<'m> {
        &self.model.threads[self.thread]
    }

    pub(crate) fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "    {text}");
    }

    /// Where the thread rests: the end of the step.
    pub(crate) fn end(&self) -> String {
        format!("t{}_rests", self.thread)
    }

    /// A jump to a block, which is then written.
    pub(crate) fn goto(&mut self, block: Block) -> String {
        if self.known.insert(block) {
            self.open.push(block);
        }
        format!("goto {}", self.label(block))
    }

    fn label(&self, block: Block) -> String {
        match block {
            Block::Config(number) => format!("t{}_c{number}", self.thread),
            Block::Inside(point, None) => format!("t{}_p{}", self.thread, point.index()),
            Block::Inside(point, Some(issued)) => format!("t{}_p{}_{issued}", self.thread, point.index()),
        }
    }

    /// The thread rests here.
    pub(crate) fn rest(&self, config: &Config) -> String {
        let this = self.this();
        format!("{} = {}; goto {}", this.at(), this.plan.number(config), self.end())
    }

    /// Registers that no longer matter are forgotten, so that states which differ only there are one.
    pub(crate) fn forget(&self, from: PointId, to: PointId) -> String {
        let this = self.this();
        let defined = this.automaton.points[from].action.defines();
        let mattered = |register: &RegId| this.is_live(*register, from) || defined == Some(*register);
        let gone = this.automaton.registers.ids().filter(|r| mattered(r) && !this.is_live(*r, to));
        gone.map(|register| format!("{} = 0; ", this.register(register))).collect()
    }

    /// The way on from one configuration to another.
    pub(crate) fn go(&mut self, from: &Config, to: &Config) -> String {
        let forget = self.forget(from.point, to.point);
        if self.this().plan.closes(from, to) {
            let rest = self.rest(&to.in_mode(Mode::Spinning));
            if self.this().plan.is_left_by_choice(to) {
                return format!("{forget}if :: PROPERTY == 0 -> {} :: else -> {rest} fi", self.discard());
            }
            return format!("{forget}{rest}");
        }
        let number = self.this().plan.number(to);
        format!("{forget}{}", self.goto(Block::Config(number)))
    }

    /// The step violates a property; nobody continues.
    pub(crate) fn fail(&self, property: PropertyId) -> String {
        let at = self.this().at();
        format!("violates({}); failed = true; {at} = 0; v = 0; goto {}", property.index() + 1, self.end())
    }

    /// Fails if the condition is true; nothing if it never is.
    pub(crate) fn fail_if(&mut self, condition: &Term, property: PropertyId) {
        if *condition != Term::FALSE {
            let fail = self.fail(property);
            self.line(&format!("if :: {condition} -> {fail} :: else fi;"));
        }
    }

    /// Fails if an expression has no value.
    pub(crate) fn fail_without(&mut self, expr: &Expr) {
        let is_none = self.is_none(expr);
        self.fail_if(&is_none, Automata::IN_RANGE);
    }

    /// Whether an expression has no value.
    pub(crate) fn is_none(&self, expr: &Expr) -> Term {
        let this = self.this();
        value::is_none(this.automaton, expr, &mut |r| this.register(*r))
    }

    /// Writes all blocks that are jumped to.
    pub(crate) fn blocks(&mut self) {
        while let Some(block) = self.open.pop() {
            let label = self.label(block);
            match block {
                Block::Config(number) => {
                    let config = self.this().plan.configs[number - 1].clone();
                    self.comment(&label, config.point);
                    self.pause(&config);
                    self.local(&config);
                }
                Block::Inside(point, issued) => {
                    self.comment(&label, point);
                    self.inside(point, issued);
                }
            }
        }
    }

    fn comment(&mut self, label: &str, point: PointId) {
        let (model, this) = (self.model, self.this());
        let at = &this.automaton.points[point];
        let text = automata::text::action(model.automata, this.automaton, &at.action).replace("*/", "* /");
        let _ = writeln!(self.out, "{label}: /* {} {} */", model.place(at.span), text.replace("/*", "/ *"));
    }

    /// Where properties see a thread at a label that it only passes, it may stop there.
    fn pause(&mut self, config: &Config) {
        let this = self.this();
        if !self.may_pause(config) {
            return;
        }
        self.line("skip;");
        let pause = |process: &Self| process.rest(&config.in_mode(Mode::Paused));
        let mut first = "if";
        if this.seen_at.contains(&config.point) {
            let text = format!("#if PROPERTY == 0\n    if :: {} :: true fi;\n", pause(self));
            self.out.push_str(&text);
            first = "elif";
        }
        for (position, _) in this.pauses_at.iter().filter(|(_, points)| points.contains(&config.point)) {
            let text = format!("#{first} PROPERTY == {}\n    {};\n", position + 1, pause(self));
            self.out.push_str(&text);
            first = "elif";
        }
        let number = this.plan.number(config);
        let _ = writeln!(self.out, "#endif\nt{}_g{number}:", self.thread);
    }

    /// Whether the thread may pause at a configuration.
    pub(crate) fn may_pause(&self, config: &Config) -> bool {
        let this = self.this();
        let labelled = this.pauses_at.iter().any(|(_, points)| points.contains(&config.point));
        (labelled || this.seen_at.contains(&config.point)) && this.walk().is_local(config)
    }

    /// The steps of a region from a point inside it. After a block that is executed when a store is issued, the thread continues at
    /// the configuration `issued`, moved to the block's end.
    fn inside(&mut self, point: PointId, issued: Option<usize>) {
        let this = self.this();
        let at = &this.automaton.points[point];
        let register = &mut |r: &RegId| this.register(*r);
        let next = self.forget(point, at.next);
        match &at.action {
            Action::Leave => {
                let to = match issued {
                    Some(number) => this.plan.configs[number - 1].moved(at.next),
                    None => Config::at(at.next),
                };
                let go = self.goto(Block::Config(this.plan.number(&to)));
                self.line(&format!("{next}{go};"));
                return;
            }
            Action::Branch { condition, then, otherwise } => {
                self.fail_without(condition);
                let condition = Term::of(condition, register);
                let ways = [*then, *otherwise].map(|way| {
                    let goto = self.goto(Block::Inside(way, issued));
                    format!("{}{goto}", self.forget(point, way))
                });
                self.line(&format!("if :: {condition} -> {} :: else -> {} fi;", ways[0], ways[1]));
                return;
            }
            Action::Choose(ways) => {
                self.line("if");
                for way in ways {
                    let guard = self.completes(*way);
                    let goto = self.goto(Block::Inside(*way, issued));
                    self.line(&format!(":: {guard} -> {}{goto}", self.forget(point, *way)));
                }
                self.line("fi;");
                return;
            }
            Action::Access(access) => self.directly(access),
            action => self.plain(action),
        }
        let goto = self.goto(Block::Inside(at.next, issued));
        self.line(&format!("{next}{goto};"));
    }

    /// Whether a region comes to its end from a point inside it.
    pub(crate) fn completes(&mut self, point: PointId) -> Term {
        let guard = Guard { model: self.model, thread: self.thread };
        guard.completes(point).unwrap_or_else(|refusal| {
            self.refused.get_or_insert(refusal);
            Term::TRUE
        })
    }
}
