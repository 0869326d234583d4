//! What an expression may be made of.

use super::builder::{Builder, Kind, Place, Shared};
use super::types::{OBJECTS, Ty};

/// What an expression may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// Memory.
    pub memory: bool,
    /// Abstract state.
    pub abstracts: bool,
    /// Ghosts.
    pub ghosts: bool,
    /// What only properties may ask.
    pub property: bool,
}

impl Leaves {
    /// Registers and constants only.
    pub const REGISTERS: Leaves = Leaves { memory: false, abstracts: false, ghosts: false, property: false };
    /// All that properties may read.
    pub const PROPERTY: Leaves = Leaves { memory: true, abstracts: true, ghosts: true, property: true };

    fn has(self, kind: Kind) -> bool {
        match kind {
            Kind::Cell => self.memory,
            Kind::Abstract => self.abstracts,
            Kind::Ghost => self.ghosts,
        }
    }
}

impl Builder {
    /// What an expression in the body may read here: outside regions memory or abstract state, not both.
    pub fn leaves(&mut self) -> Leaves {
        let (memory, abstracts) = match self.scope.place {
            Place::Free => match self.random.below(10) {
                0..=4 => (true, false),
                5 | 6 => (false, true),
                _ => (false, false),
            },
            Place::Atomic | Place::Then => (false, true),
            Place::Direct => (true, true),
            Place::Transaction => (true, false),
        };
        Leaves { memory, abstracts, ghosts: false, property: false }
    }

    /// The shared state that may be read, of a type that is wanted.
    fn readable(&self, leaves: Leaves, wanted: &dyn Fn(&Ty) -> bool) -> Vec<Shared> {
        self.shared.iter().filter(|s| leaves.has(s.kind) && wanted(&s.ty)).cloned().collect()
    }

    /// A place of such shared state as text.
    pub fn place(&mut self, shared: &Shared, leaves: Leaves) -> String {
        let base = match shared.is_field {
            false => shared.name.clone(),
            true => format!("{}.{}", self.object(leaves), shared.name),
        };
        match shared.count {
            None => base,
            Some(count) => format!("{base}[{}]", self.index(count, leaves)),
        }
    }

    /// An index of an array, seldom one outside.
    fn index(&mut self, count: i64, leaves: Leaves) -> String {
        let registers = Leaves { memory: false, abstracts: false, ghosts: false, ..leaves };
        if self.random.percent(40) {
            return self.random.between(0, count - 1).to_string();
        }
        match self.scope.copies {
            Some(copies) if copies <= count && !leaves.property && self.random.percent(50) => "self".into(),
            _ => self.number(0, count - 1, registers, 1),
        }
    }

    /// Something that refers to an object: an object, a register, or a pointer in shared state.
    pub fn object(&mut self, leaves: Leaves) -> String {
        if self.random.percent(60)
            && let Some(text) = self.leaf(leaves, &|ty| matches!(ty, Ty::Node(_)))
        {
            return text.0;
        }
        self.random.pick(&OBJECTS).into()
    }

    /// A register or place of a type that is wanted, as text with its type.
    pub fn leaf(&mut self, leaves: Leaves, wanted: &dyn Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let mut all: Vec<(Option<Shared>, String, Ty)> = Vec::new();
        if leaves.property {
            all.extend(self.thread_registers(wanted).into_iter().map(|(name, ty)| (None, name, ty)));
        } else {
            let locals = self.scope.locals.iter().filter(|l| wanted(&l.ty));
            all.extend(locals.map(|l| (None, l.name.clone(), l.ty.clone())));
        }
        let is_simple = |s: &Shared| !s.is_field;
        let shared = self.readable(leaves, wanted);
        // A field of an object is found by way of another leaf; the nesting ends at objects by name.
        let deep = self.random.percent(50);
        all.extend(shared.into_iter().filter(|s| deep || is_simple(s)).map(|s| (Some(s.clone()), String::new(), s.ty)));
        if all.is_empty() {
            return None;
        }
        let at = self.random.below(all.len());
        let (shared, name, ty) = all.swap_remove(at);
        let text = match shared {
            None => name,
            Some(shared) => self.place(&shared, leaves),
        };
        Some((text, ty))
    }

    /// The registers of threads, as properties name them.
    fn thread_registers(&mut self, wanted: &dyn Fn(&Ty) -> bool) -> Vec<(String, Ty)> {
        let mut all = Vec::new();
        for thread in self.threads.clone() {
            let who = self.thread_name(&thread);
            let registers = thread.registers.iter().filter(|r| wanted(&r.ty));
            all.extend(registers.map(|r| (format!("{who}.{}", r.name), r.ty.clone())));
        }
        all
    }

    /// A thread, or a copy of it, as properties name it.
    pub fn thread_name(&mut self, thread: &super::builder::ThreadInfo) -> String {
        match thread.count {
            None => thread.name.clone(),
            Some(count) => format!("{}[{}]", thread.name, self.random.between(0, count - 1)),
        }
    }
}
