//! Procedures, inlined at each call.

use crate::expressions::computed;
use crate::thread::{Binding, Frame, Lowering};
use automata::{Action, Expr, RegId};
use base::table::Id;
use program::indices::Home;
use program::typed::{self, LocalId, ProcId};

impl<'p> Lowering<'p, '_> {
    /// Inlines a call; the result goes to `dst`, which is written last on every path. The call's label, if it has one, goes
    /// before those of the procedure.
    pub(crate) fn inline(&mut self, id: ProcId, arguments: &'p [typed::Expr], dst: Option<RegId>, label: Option<&str>) {
        let proc = &self.program.procs[id];
        let mut frame = Frame::new(Home::Proc(id), &proc.body, proc.name.clone());
        frame.is_in_region = self.region.is_some();
        frame.result = dst.zip(proc.result.map(|ty| self.program.types.range(ty)));
        for (i, argument) in arguments.iter().enumerate() {
            frame = self.pass(frame, LocalId::new(i), argument);
        }
        self.frames.push(frame);
        self.out.procs.push(proc.name.clone());
        let loops = std::mem::take(&mut self.loops);
        let inner = label.map_or(self.prefix.clone(), |label| format!("{}{label}_", self.prefix));
        let prefix = std::mem::replace(&mut self.prefix, inner);
        self.block(&proc.body.block);
        self.prefix = prefix;
        self.loops = loops;
        self.out.procs.pop();
        if let Some(frame) = self.frames.pop() {
            self.out.holes.extend(frame.exits);
        }
    }

    /// Binds a parameter to its argument: to a constant or a register of the caller if the callee never
    /// assigns to it and the argument is surely in range, else to a register of its own.
    fn pass(&mut self, frame: Frame<'p>, param: LocalId, argument: &'p typed::Expr) -> Frame<'p> {
        let decl = &frame.body.locals[param];
        let range = self.program.types.range(decl.ty);
        let is_sure = range.includes(self.program.types.range(argument.ty));
        let is_step = self.is_step(argument);
        let mut frame = frame;
        if !is_step && !decl.is_assigned {
            match computed(argument, self.eval(argument)) {
                Expr::Const(value) if argument.may_be_constant(&self.program.types) && range.contains(value) => {
                    frame.bindings[param.index()] = Some(Binding::Constant(value as automata::Value));
                }
                Expr::Leaf(register) if is_sure => {
                    frame.bindings[param.index()] = Some(Binding::Register(register));
                }
                value => {
                    let dst = self.param_register(&mut frame, param);
                    self.out.emit(Action::Compute { dst, value }, argument.span);
                }
            }
            return frame;
        }
        let dst = self.param_register(&mut frame, param);
        self.eval_into(argument, dst);
        frame
    }

    /// A register of its own for a parameter.
    fn param_register(&mut self, frame: &mut Frame<'p>, param: LocalId) -> RegId {
        let spare = Frame::new(frame.home, frame.body, String::new());
        self.frames.push(std::mem::replace(frame, spare));
        let register = self.bind_register(param);
        if let Some(own) = self.frames.pop() {
            *frame = own;
        }
        register
    }
}
