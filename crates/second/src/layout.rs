//! Where shared state is: one number for each cell, abstract variable and ghost.

use crate::values::{Value, Violation};
use base::table::Id;
use program::Program;
use program::typed::{Place, PlaceRoot};
use program::types::{ObjectId, Range, Type};

/// The first cell of everything shared; and of each cell what it holds at first, its name and its type.
#[derive(Default)]
pub(crate) struct Layout {
    shared: Vec<usize>,
    objects: Vec<usize>,
    pub(crate) first: Vec<i64>,
    pub(crate) names: Vec<(String, Type)>,
}

/// Where a place is: the first cell that it can be, and what its operands, an object and an index, add.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    base: usize,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    range: Range,
    size: usize,
    is_index: bool,
}

impl Address {
    /// The cell, by the values of the operands (rule 1.8).
    pub(crate) fn locate(&self, operands: impl Iterator<Item = Value>) -> Value {
        let mut cell = self.base as i64;
        for (part, value) in self.parts.iter().zip(operands) {
            let value = value.map_err(|fault| if part.is_index { Violation::ValidReference } else { fault })?;
            let Some(value) = value else { return Ok(None) };
            if !part.range.contains(value) {
                return Err(Violation::ValidReference);
            }
            cell += (value - i64::from(part.range.low)) * part.size as i64;
        }
        Ok(Some(cell))
    }
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Self {
        let mut layout = Layout::default();
        for shared in program.shared.values() {
            layout.shared.push(layout.first.len());
            layout.add(program, &shared.name, shared.index, shared.ty, &shared.init);
        }
        for object in program.types.objects.values() {
            layout.objects.push(layout.first.len());
            for instance in &object.instances {
                for (field, init) in object.fields.iter().zip(&instance.init) {
                    let name = format!("{}.{}", instance.name, field.name);
                    layout.add(program, &name, field.index, field.ty, init);
                }
            }
        }
        layout
    }

    fn add(&mut self, program: &Program, name: &str, index: Option<Type>, ty: Type, init: &[i32]) {
        let indices: Vec<Option<i32>> = match index {
            None => vec![None],
            Some(index) => program.types.range(index).values().map(Some).collect(),
        };
        for (i, index) in indices.into_iter().enumerate() {
            self.first.push(init.get(i).or(init.first()).copied().unwrap_or_default().into());
            let element = index.map(|index| format!("[{index}]")).unwrap_or_default();
            self.names.push((format!("{name}{element}"), ty));
        }
    }

    pub(crate) fn address(&self, program: &Program, place: &Place) -> Address {
        let mut parts = Vec::new();
        let base = match &place.root {
            PlaceRoot::Shared(id) => self.shared[id.index()],
            PlaceRoot::Field(_, id, field) => {
                let object = &program.types.objects[*id];
                let range = Range::new(0, object.instances.len() as i32 - 1);
                parts.push(Part { range, size: object.size, is_index: false });
                self.objects[id.index()] + object.fields[*field].offset
            }
        };
        let index = Part { range: place.index_range, size: 1, is_index: true };
        parts.extend(place.index.as_ref().map(|_| index));
        Address { base, parts }
    }

    /// The cells of a field of an object.
    pub(crate) fn field(&self, program: &Program, id: ObjectId, object: usize, field: usize) -> std::ops::Range<usize> {
        let ty = &program.types.objects[id];
        let field = &ty.fields[field];
        let first = self.objects[id.index()] + object * ty.size + field.offset;
        first..first + field.index.map_or(1, |index| program.types.range(index).count() as usize)
    }
}
