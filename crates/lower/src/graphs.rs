//! Graphs of objects, and whether one reaches another.

use crate::cells::{Layout, offset};
use crate::properties::Stating;
use crate::sets;
use automata::{Automata, CellId, Expr, Graph, GraphId, GraphNode, StateExpr, StateLeaf};
use base::table::Id;
use program::types::{ObjectId, Range, Type};
use program::{Program, typed};

/// Adds the graphs that properties speak of, under the same ids.
pub(crate) fn add(program: &Program, layout: &Layout, automata: &mut Automata) {
    for graph in program.graphs.values() {
        let nodes = 0..program.types.objects[graph.object].instances.len();
        let nodes = nodes.map(|index| node(program, layout, automata, graph, index)).collect();
        automata.graphs.push(Graph { nodes });
    }
}

fn node(program: &Program, layout: &Layout, automata: &Automata, graph: &typed::Graph, index: usize) -> GraphNode {
    let condition = graph.condition.as_ref().map(|condition| {
        let mut stating = Stating::new(program, layout, automata, &graph.locals);
        stating.bindings[0] = index as i32;
        stating.expr(condition)
    });
    let name = program.types.objects[graph.object].instances[index].name.clone();
    GraphNode { name, fields: fields(program, layout, graph.object, index), condition }
}

/// The cells of an object that hold references to objects of its type.
fn fields(program: &Program, layout: &Layout, id: ObjectId, index: usize) -> Vec<CellId> {
    let object = &program.types.objects[id];
    let is_reference = |ty: Type| matches!(ty, Type::Ref { object, .. } if object == id);
    let references = object.fields.iter().enumerate().filter(|(_, field)| is_reference(field.ty));
    let cells = |(position, field): (usize, &program::types::ObjectField)| {
        let first = offset(layout.field(&program.types, id, position), index * object.size);
        let n_elements = field.index.map_or(1, |index| program.types.range(index).count() as usize);
        (0..n_elements).map(move |i| offset(first, i))
    };
    references.flat_map(cells).collect()
}

/// Whether `to` is in the set that is reached from `from`; `null` has no bit. `given` are the ranges of both.
pub(crate) fn reaches(graph: typed::GraphId, (from, to): (StateExpr, StateExpr), given: [Range; 2]) -> StateExpr {
    let objects = |range: Range| Range::new(0, range.high);
    let from = Box::new(sets::element_bit(from, objects(given[0]), given[0]));
    let reached = Expr::Leaf(StateLeaf::Reached { graph: GraphId::new(graph.index()), from });
    sets::contains(reached, to, objects(given[1]), given[1])
}
