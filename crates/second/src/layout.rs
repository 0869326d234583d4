//! Where shared state is: one number for each cell, abstract variable and ghost.

use base::table::Id;
use program::Program;
use program::typed::{SharedId, SharedKind};
use program::types::{ObjectId, Type};

/// The first cell of everything shared, and what each cell holds at first.
pub(crate) struct Layout {
    shared: Vec<usize>,
    objects: Vec<usize>,
    pub(crate) first: Vec<i64>,
    pub(crate) names: Vec<String>,
    pub(crate) types: Vec<Type>,
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Self {
        let mut layout =
            Layout { shared: Vec::new(), objects: Vec::new(), first: Vec::new(), names: Vec::new(), types: Vec::new() };
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
        let range = index.map(|index| program.types.range(index));
        let count = range.map_or(1, |range| range.count() as usize);
        for i in 0..count {
            let value = init.get(i).or(init.first()).copied().unwrap_or_default();
            self.first.push(value.into());
            let element = range.map(|range| format!("[{}]", i64::from(range.low) + i as i64));
            self.names.push(format!("{name}{}", element.unwrap_or_default()));
            self.types.push(ty);
        }
    }

    pub(crate) fn shared(&self, id: SharedId) -> usize {
        self.shared[id.index()]
    }

    /// The first cell of a field of the first object.
    pub(crate) fn field(&self, program: &Program, object: ObjectId, field: usize) -> usize {
        self.objects[object.index()] + program.types.objects[object].fields[field].offset
    }
}

/// Whether what is declared orders the regions that touch it (rule 3.6).
pub(crate) fn orders_regions(program: &Program, id: SharedId) -> bool {
    let shared = &program.shared[id];
    shared.kind != SharedKind::Ghost && !shared.is_unordered
}
