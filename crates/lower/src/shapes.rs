//! What symmetries may permute: the sorts of a program, and what its cells and registers have to do with them.

use crate::{owners, thread_id};
use automata::Automata;
use automata::scalars::{CellRole, Part, Scalars, Shape, Sort, SortId};
use base::Table;
use base::table::Id;
use program::Program;
use program::indices::{Holder, Home, Indices};
use program::typed::{Expr, LocalId, RegisterId, ThreadId};
use program::types::{EnumId, ObjectId, Type, WordField};

/// The sorts of a program.
pub(crate) struct Shapes<'p> {
    program: &'p Program,
    indices: Indices,
    pub(crate) sorts: Table<SortId, Sort>,
    enums: Table<EnumId, SortId>,
    objects: Table<ObjectId, SortId>,
    threads: Table<ThreadId, Option<SortId>>,
}

impl<'p> Shapes<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut sorts = Table::new();
        let mut add =
            |name: &str, size: usize, threads| sorts.push(Sort { name: name.into(), size: size as u32, threads });
        let types = &program.types;
        let enums = types.enums.values().map(|e| add(&e.name, e.variants.len(), None)).collect();
        let objects = types.objects.values().map(|o| add(&o.name, o.instances.len(), None)).collect();
        let thread = |(id, thread): (ThreadId, &program::typed::Thread)| {
            let count = thread.count.filter(|count| *count > 1)?;
            Some(add(&thread.name, count as usize, Some(thread_id(program, id, 0)?)))
        };
        let threads = program.threads.iter().map(thread).collect();
        Shapes { program, indices: Indices::new(program), sorts, enums, objects, threads }
    }

    /// The shape of a type's values; `holder` says which numbers are indices of a thread.
    fn of(&self, ty: Type, holder: Option<ThreadId>) -> Shape {
        match ty {
            Type::Int(_) => holder.and_then(|thread| self.threads[thread]).map_or(Shape::Plain, Shape::Element),
            Type::Enum(id) => Shape::Element(self.enums[id]),
            Type::Ref { object, .. } => Shape::Element(self.objects[object]),
            Type::Set(id) => {
                let element = self.program.types.sets[id];
                match self.of(element, holder) {
                    Shape::Plain => Shape::Plain,
                    of => Shape::Set { low: self.program.types.range(element).low, of: Box::new(of) },
                }
            }
            Type::Queue(id) => {
                let queue = self.program.types.queues[id];
                let shape = self.of(queue.element, holder);
                // An empty slot is 0, as the value before the least would be.
                let (bits, low, high) = (queue.width(), queue.range.low - 1, queue.range.high);
                let part = |slot| Part { shift: slot * bits, bits, low, high, shape: shape.clone() };
                Shape::Word((0..queue.length).map(part).collect())
            }
            Type::Word(id) => {
                let part = |(i, field): (usize, &WordField)| {
                    let shape = self.of(field.ty, self.indices.of(Holder::Part(id, i)));
                    let (bits, low, high) = (field.range.bits(), field.range.low, field.range.high);
                    Part { shift: field.shift, bits, low, high, shape }
                };
                Shape::Word(self.program.types.words[id].fields.iter().enumerate().map(part).collect())
            }
            Type::Error | Type::Bool | Type::Null => Shape::Plain,
        }
    }

    /// The shape of a local's values.
    pub(crate) fn local(&self, home: Home, local: LocalId, ty: Type) -> Shape {
        self.of(ty, self.indices.of(Holder::Local(home, local)))
    }

    /// The shape of the values of a register that is an item.
    pub(crate) fn item(&self, item: RegisterId, ty: Type) -> Shape {
        self.of(ty, self.indices.of(Holder::Item(item)))
    }

    /// The shape of an expression's values.
    pub(crate) fn expr(&self, home: Home, expr: &Expr) -> Shape {
        self.of(expr.ty, self.indices.of_expr(home, expr))
    }

    /// Says of all cells where they stand.
    pub(crate) fn finish(self, automata: &mut Automata) {
        let cells = owners(self.program).values().map(|owned| self.role(owned)).collect();
        let registers = std::mem::take(&mut automata.scalars.registers);
        automata.scalars = Scalars { sorts: self.sorts, cells, registers };
    }

    fn role(&self, owned: &owners::Owned) -> CellRole {
        let types = &self.program.types;
        let (family, object, index, value, index_of) = match owned.owner {
            owners::Owner::Object { kind, instance, field } => {
                let decl = &types.objects[kind].fields[field];
                let before: usize = types.objects.values().take(kind.index()).map(|o| o.fields.len()).sum();
                let object = (Shape::Element(self.objects[kind]), instance as i32);
                let holders = (Holder::Field(kind, field), Holder::FieldIndex(kind, field));
                (before + field, Some(object), decl.index, holders.0, holders.1)
            }
            owners::Owner::Shared(id) => {
                let before: usize = types.objects.values().map(|o| o.fields.len()).sum();
                let (value, index_of) = (Holder::Shared(id), Holder::SharedIndex(id));
                (before + id.index(), None, self.program.shared[id].index, value, index_of)
            }
            owners::Owner::Bus => {
                return CellRole { family: u32::MAX, indices: Vec::new(), shape: Shape::Thread };
            }
        };
        let element = index.map(|index| {
            let shape = self.of(index, self.indices.of(index_of));
            (shape, types.range(index).low + owned.element as i32)
        });
        CellRole {
            family: family as u32,
            indices: object.into_iter().chain(element).collect(),
            shape: self.of(owned.ty, self.indices.of(value)),
        }
    }
}
