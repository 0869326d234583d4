//! One thread: its state while it is lowered.

use crate::Names;
use crate::builder::{Builder, Holes};
use crate::cells::{Layout, domain, value_names};
use crate::shapes::Shapes;
use automata::{Action, Automata, RegId, Region, Thread, ThreadPlace, Value};
use base::table::Id;
use base::{Span, Table};
use program::Program;
use program::indices::Home;
use program::typed::{Body, LocalId, LocalKind, RegisterId, Stmt, ThreadId};

/// What a local stands for.
#[derive(Clone, Copy)]
pub(crate) enum Binding {
    Register(RegId),
    Constant(Value),
}

/// One body being lowered: the thread's, or that of a procedure being inlined.
pub(crate) struct Frame<'p> {
    pub(crate) home: Home,
    pub(crate) body: &'p Body,
    /// What each local stands for now.
    pub(crate) bindings: Vec<Option<Binding>>,
    /// The register of each local that has one.
    pub(crate) registers: Vec<Option<RegId>>,
    /// What goes before the names of registers: the procedure's name.
    prefix: String,
    /// Where the result goes, with the values it may have.
    pub(crate) result: Option<(RegId, program::types::Range)>,
    /// The ways out by `return`.
    pub(crate) exits: Holes,
    /// Whether the body runs inside a region of its caller.
    pub(crate) is_in_region: bool,
}

impl<'p> Frame<'p> {
    pub(crate) fn new(home: Home, body: &'p Body, prefix: String) -> Self {
        Frame {
            home,
            body,
            bindings: vec![None; body.locals.len()],
            registers: vec![None; body.locals.len()],
            prefix,
            result: None,
            exits: Vec::new(),
            is_in_region: false,
        }
    }
}

/// A loop being lowered.
pub(crate) struct Loop {
    pub(crate) breaks: Holes,
    pub(crate) continues: Holes,
    pub(crate) is_in_region: bool,
}

/// The state of lowering one thread.
pub(crate) struct Lowering<'p, 'a> {
    pub(crate) program: &'p Program,
    pub(crate) layout: &'a Layout,
    pub(crate) shapes: &'a Shapes<'p>,
    pub(crate) names: &'a mut Names,
    pub(crate) automata: &'a mut Automata,
    pub(crate) out: Builder,
    pub(crate) frames: Vec<Frame<'p>>,
    pub(crate) loops: Vec<Loop>,
    /// The thread's own registers of items, made when they are first needed.
    items: Table<RegisterId, Option<RegId>>,
    /// Whether the statement being lowered calls procedures, which may assign the thread's own registers of items.
    pub(crate) calls: bool,
    /// What the labels of the procedure being inlined are prefixed with.
    pub(crate) prefix: String,
    /// The region around, if any.
    pub(crate) region: Option<Region>,
    /// The point at which it was entered.
    entered: usize,
    /// Whether the statement being lowered says that its step is unordered.
    pub(crate) is_unordered: bool,
    /// The ways out by `stop`.
    pub(crate) stops: Holes,
    /// The value of `self`.
    pub(crate) copy: Value,
    pub(crate) observed: &'p [LocalId],
}

/// Lowers copy `copy` of a declared thread.
pub(crate) fn lower<'p>(
    program: &'p Program,
    (layout, shapes): (&Layout, &Shapes<'p>),
    names: &mut Names,
    automata: &mut Automata,
    id: ThreadId,
    copy: u32,
) -> Thread {
    let decl = &program.threads[id];
    let mut lowering = Lowering {
        program,
        layout,
        shapes,
        names,
        automata,
        out: Builder::new(),
        frames: vec![Frame::new(Home::Thread(id), &decl.body, String::new())],
        loops: Vec::new(),
        items: program.registers.values().map(|_| None).collect(),
        calls: false,
        prefix: String::new(),
        region: None,
        entered: 0,
        is_unordered: false,
        stops: Vec::new(),
        copy: copy as Value,
        observed: &decl.observed,
    };
    // Observed registers come first, so that every copy has them under the same ids.
    let observed: Vec<RegId> = decl.observed.iter().map(|local| lowering.register_of(*local)).collect();
    lowering.block(&decl.body.block);
    let stops = std::mem::take(&mut lowering.stops);
    lowering.out.holes.extend(stops);
    let shapes = lowering.out.take_shapes();
    lowering.automata.scalars.registers.push(shapes);
    let copy = decl.count.filter(|count| *count > 1).map(|_| copy);
    Thread::new(ThreadPlace { program: decl.name.clone(), copy }, lowering.out.finish(decl.span, observed))
}

impl<'p> Lowering<'p, '_> {
    pub(crate) fn block(&mut self, block: &'p [Stmt]) {
        for stmt in block {
            if !self.out.is_reachable() {
                return;
            }
            self.stmt(stmt);
        }
    }

    /// The body being lowered.
    pub(crate) fn frame(&mut self) -> &mut Frame<'p> {
        self.frames.last_mut().expect("the thread's frame is there to the end")
    }

    /// The register of a local of the current body, made when it is first needed.
    pub(crate) fn register_of(&mut self, local: LocalId) -> RegId {
        let frame = self.frame();
        if let Some(register) = frame.registers[local.index()] {
            return register;
        }
        let decl = &frame.body.locals[local];
        if let LocalKind::Item(id) = decl.kind {
            return self.item(id);
        }
        let name = match frame.prefix.as_str() {
            "" => decl.name.clone(),
            prefix => format!("{prefix}.{}", decl.name),
        };
        let types = &self.program.types;
        let register = self.out.register(name, domain(types.range(decl.ty)), value_names(types, decl.ty));
        let home = self.frame().home;
        self.out.set_shape(register, self.shapes.local(home, local, decl.ty));
        self.frame().registers[local.index()] = Some(register);
        register
    }

    /// The thread's own register of an item.
    pub(crate) fn item(&mut self, id: RegisterId) -> RegId {
        if let Some(register) = self.items[id] {
            return register;
        }
        let (types, decl) = (&self.program.types, &self.program.registers[id]);
        let register = self.out.register(decl.name.clone(), domain(types.range(decl.ty)), value_names(types, decl.ty));
        self.out.start_with(register, decl.first_value(self.copy as usize));
        self.out.set_shape(register, self.shapes.item(id, decl.ty));
        self.items[id] = Some(register);
        register
    }

    /// Binds a local to its register and gives that.
    pub(crate) fn bind_register(&mut self, local: LocalId) -> RegId {
        let register = self.register_of(local);
        self.frame().bindings[local.index()] = Some(Binding::Register(register));
        register
    }

    /// Binds a local to a constant.
    pub(crate) fn bind_constant(&mut self, local: LocalId, value: Value) {
        self.frame().bindings[local.index()] = Some(Binding::Constant(value));
    }

    /// Whether a local of the current body may stand for a constant instead of a register.
    pub(crate) fn may_be_constant(&mut self, local: LocalId) -> bool {
        let decl = &self.frame().body.locals[local];
        let is_register = matches!(decl.kind, LocalKind::Register | LocalKind::Inferred | LocalKind::Param);
        !decl.is_assigned && is_register
    }

    /// Whether a property names a local of the current body.
    pub(crate) fn is_observed(&self, local: LocalId) -> bool {
        self.frames.len() == 1 && self.observed.contains(&local)
    }

    /// Begins a region. Whether it is unordered is known when it ends.
    pub(crate) fn enter(&mut self, region: Region, span: Span) {
        self.entered = self.out.n_points();
        self.out.emit(Action::Enter(region), span);
        self.region = Some(region);
    }

    pub(crate) fn leave(&mut self, span: Span) {
        self.out.emit(Action::Leave, span);
        let touched = || self.out.accesses_since(self.entered);
        let touches_unordered =
            touched().next().is_some() && touched().all(|access| self.layout.is_unordered(access.address.base));
        if self.is_unordered || touches_unordered {
            self.out.wait_for_walls(self.entered);
        }
        self.region = None;
    }
}
