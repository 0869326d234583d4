//! What may refine what, and the specifications that come of it.

use super::Checker;
use super::instances::takes_places;
use super::recursion::calls_of;
use crate::codes;
use crate::names::Decl;
use crate::refines::{Behaviour, Caller, TooLarge, automaton, report, supports};
use crate::typed::{
    Expr, ExprKind, Place, PlaceRoot, ProcId, PropertyKind, Refinement, SharedId, SharedKind, Stmt, StmtKind,
};
use crate::types::{Range, Type, Value};
use crate::walk::{all_stmts, live_stmts};
use base::diagnostic::Note;
use base::table::Id;
use base::{Diagnostic, Span};
use std::collections::BTreeSet;
use std::sync::Arc;
use syntax::tree::{self, Name};

const SPECIFICATION: &str =
    "name a procedure on ghosts, with the same parameters and result, that says what a call does in one step";

/// Procedures that say what others do and act on common ghosts, with those that refine them.
struct Structure {
    specifications: BTreeSet<ProcId>,
    ghosts: BTreeSet<SharedId>,
    refining: Vec<ProcId>,
}

impl Structure {
    fn overlaps(&self, other: &Structure) -> bool {
        !self.specifications.is_disjoint(&other.specifications) || !self.ghosts.is_disjoint(&other.ghosts)
    }
}

impl<'a> Checker<'a> {
    /// Resolves what each procedure refines, and states the property.
    pub(super) fn check_refinements(&mut self) {
        for i in 0..self.names.procs.len() {
            let (signature, _) = self.names.procs[i];
            let Some(refines) = &signature.refines else { continue };
            let Some(of) = self.refined(ProcId::new(i), signature, &refines.specification) else { continue };
            let name = Name { text: "refines".into(), span: refines.specification.span };
            self.asserted(Some(&name), name.span);
            let span = refines.specification.span;
            self.procs[ProcId::new(i)].refines = Some(Refinement { of, when_performed: refines.when_performed, span });
        }
    }

    /// The procedure that another one refines, if it can.
    fn refined(&mut self, id: ProcId, signature: &'a tree::Signature, name: &'a Name) -> Option<ProcId> {
        let of = match self.names.get(&name.text).map(|entry| entry.decl) {
            Some(Decl::Proc(of)) => of,
            Some(other) => {
                let message = format!("`{}` is {}, and a procedure refines a procedure", name.text, other.what());
                self.error(codes::REFINES, name.span, message).hint = Some(SPECIFICATION.into());
                return None;
            }
            None => {
                let known = self.names.all(|decl| matches!(decl, Decl::Proc(_)));
                self.unknown(codes::UNKNOWN_NAME, name, "procedure", &known);
                return None;
            }
        };
        let other = self.names.procs[of.index()].0;
        let types = |id: ProcId| {
            let proc = &self.procs[id];
            let params: Vec<Type> = proc.body.locals.values().take(proc.n_params).map(|local| local.ty).collect();
            (params, proc.result)
        };
        let (own, wanted) = (&signature.name.text, &name.text);
        let message = if of == id || other.refines.is_some() {
            format!("`{wanted}` refines something itself, and a specification is a single step")
        } else if takes_places(signature) || takes_places(other) {
            format!("`{own}` cannot refine `{wanted}`, because one of them takes a place")
        } else if types(id) != types(of) {
            format!("`{own}` cannot refine `{wanted}`, because parameters or results have other types")
        } else {
            return Some(of);
        };
        let error = self.error(codes::REFINES, name.span, message);
        error.notes.push(Note { span: other.name.span, message: "it is declared here".into() });
        error.hint = Some(SPECIFICATION.into());
        None
    }

    /// Whether a procedure says what others do, or is part of what one says.
    pub(super) fn is_specification(&self, id: ProcId) -> bool {
        let named = self.procs.values().filter_map(|proc| proc.refines.as_ref()).map(|refines| refines.of);
        self.reached(named).contains(&id)
    }

    /// These procedures and all that they call.
    fn reached(&self, from: impl IntoIterator<Item = ProcId>) -> BTreeSet<ProcId> {
        let (mut all, mut rest) = (BTreeSet::new(), from.into_iter().collect::<Vec<_>>());
        while let Some(id) = rest.pop() {
            if all.insert(id) {
                rest.extend(calls_of(&self.procs[id].body.block).into_iter().map(|(callee, _)| callee));
            }
        }
        all
    }

    /// Replaces specifications by automata to which calls and returns are reported.
    pub(super) fn refine(&mut self) {
        let is_wrong = self.out.iter().any(Diagnostic::is_error);
        if is_wrong || self.procs.values().all(|proc| proc.refines.is_none()) {
            return;
        }
        let structures = self.structures();
        self.check_specifications(&structures);
        structures.iter().for_each(|structure| self.check_calls(structure));
        if !self.out.iter().any(Diagnostic::is_error) {
            structures.into_iter().for_each(|structure| self.refine_structure(structure));
        }
    }

    /// Refining procedures, together if their specifications act on a common ghost.
    fn structures(&self) -> Vec<Structure> {
        let mut structures: Vec<Structure> = Vec::new();
        for (id, proc) in self.procs.iter() {
            let Some(refines) = &proc.refines else { continue };
            let specifications = BTreeSet::from([refines.of]);
            let mut new = Structure { specifications, ghosts: self.ghosts_of(refines.of), refining: vec![id] };
            let (joined, apart): (Vec<_>, Vec<_>) = structures.into_iter().partition(|other| other.overlaps(&new));
            for other in joined {
                new.specifications.extend(other.specifications);
                new.ghosts.extend(other.ghosts);
                new.refining.extend(other.refining);
            }
            structures = apart;
            structures.push(new);
        }
        structures.iter_mut().for_each(|structure| structure.refining.sort());
        structures
    }

    fn ghosts_of(&self, of: ProcId) -> BTreeSet<SharedId> {
        let procs = self.reached([of]);
        let places = procs.into_iter().flat_map(|id| places_in(&self.procs[id].body.block));
        let id = |(place, _): (&Place, Span)| match place.root {
            PlaceRoot::Shared(id) if place.kind == SharedKind::Ghost => Some(id),
            _ => None,
        };
        places.filter_map(id).collect()
    }

    /// Specifications are steps on ghosts, and nothing else runs them or speaks of their ghosts.
    fn check_specifications(&mut self, structures: &[Structure]) {
        let specifications: BTreeSet<ProcId> = self.procs.ids().filter(|id| self.is_specification(*id)).collect();
        let ghosts: BTreeSet<SharedId> = structures.iter().flat_map(|it| it.ghosts.iter().copied()).collect();
        let mut wrong: Vec<(Span, String, &str)> = Vec::new();
        for id in &specifications {
            let proc = &self.procs[*id];
            if let Some(stmt) = live_stmts(&proc.body.block).into_iter().find(|stmt| !supports(stmt)) {
                let message = format!("`{}` is a specification: one step on ghosts, and this is more", proc.name);
                wrong.push((
                    stmt.span,
                    message,
                    "a specification has registers, ghosts, conditions, loops and choices",
                ));
            }
        }
        let alone = "while calls overlap the specification has no single state: only its own procedures act on it";
        let threads = self.threads.values().map(|thread| &thread.body.block);
        let others = self.procs.iter().filter(|(id, _)| !specifications.contains(id)).map(|(_, proc)| &proc.body.block);
        for block in threads.chain(others) {
            for (callee, span) in calls_of(block).into_iter().filter(|(callee, _)| specifications.contains(callee)) {
                let message = format!("`{}` is a specification, and nothing calls it", self.procs[callee].name);
                wrong.push((span, message, "call a procedure that refines it"));
            }
            wrong.extend(self.spoken_of(places_in(block), &ghosts).map(|(span, message)| (span, message, alone)));
        }
        let conditions = self.properties.values().flat_map(|property| match &property.kind {
            PropertyKind::Ltl { formula, .. } => formula.states(),
            kind => kind.of_states().into_iter().collect(),
        });
        let covers = self.covers.values().filter_map(|cover| cover.condition.as_ref());
        let graphs = self.graphs.values().filter_map(|graph| graph.condition.as_ref());
        let relations = self.guarantees.iter().flat_map(|it| it.requires.iter().chain(&it.ensures));
        for expr in conditions.chain(covers).chain(graphs).chain(relations) {
            let mut places = Vec::new();
            places_of(expr, &mut places);
            wrong.extend(self.spoken_of(places, &ghosts).map(|(span, message)| (span, message, alone)));
        }
        for (span, message, hint) in wrong {
            self.error(codes::REFINES, span, message).hint = Some(hint.into());
        }
    }

    fn spoken_of<'p>(
        &self,
        places: Vec<(&'p Place, Span)>,
        ghosts: &BTreeSet<SharedId>,
    ) -> impl Iterator<Item = (Span, String)> + use<'p, 'a> {
        let message = |(place, span): (&Place, Span)| match place.root {
            PlaceRoot::Shared(id) if ghosts.contains(&id) => {
                Some((span, format!("`{}` is the state of a specification", self.shared[id].name)))
            }
            _ => None,
        };
        places.into_iter().filter_map(message).collect::<Vec<_>>().into_iter()
    }

    /// A thread is in one call of a structure at a time, and in none inside a transaction.
    fn check_calls(&mut self, structure: &Structure) {
        let mut wrong: Vec<(Span, String)> = Vec::new();
        let blocks: Vec<&[Stmt]> = self
            .procs
            .values()
            .map(|proc| &*proc.body.block)
            .chain(self.threads.values().map(|thread| &*thread.body.block))
            .collect();
        for id in &structure.refining {
            for (callee, span) in calls_of(&self.procs[*id].body.block) {
                if let Some(inner) = self.refining_in(structure, callee) {
                    let outer = &self.procs[*id].name;
                    let message = format!("`{inner}` is called inside `{outer}`, which refines the same specification");
                    wrong.push((span, message));
                }
            }
        }
        for stmt in blocks.into_iter().flat_map(live_stmts) {
            let StmtKind::Transaction(transaction) = &stmt.kind else { continue };
            for (callee, span) in calls_of(&transaction.body) {
                if let Some(inner) = self.refining_in(structure, callee) {
                    wrong.push((span, format!("`{inner}` is called inside a transaction, which may take it back")));
                }
            }
        }
        for (span, message) in wrong {
            self.error(codes::REFINES, span, message).hint = Some("a call is there for others as a whole".into());
        }
    }

    /// The procedure of a structure that a call is of, or leads to.
    fn refining_in(&self, structure: &Structure, callee: ProcId) -> Option<&str> {
        let all = std::iter::once(callee).chain(self.reached([callee]));
        all.into_iter().find(|id| structure.refining.contains(id)).map(|id| self.procs[id].name.as_str())
    }

    fn refine_structure(&mut self, structure: Structure) {
        let Some(refines) = structure.refining.first().and_then(|id| self.procs[*id].refines.clone()) else { return };
        let callers = self.callers(&structure);
        let Some(property) = self.properties.iter().find(|(_, it)| it.name == "refines").map(|(id, _)| id) else {
            return;
        };
        let shared = match structure.ghosts.first() {
            Some(id) => *id,
            None => self.stateless(&refines),
        };
        let mut first = 0;
        let ghosts = structure.ghosts.iter().map(|id| {
            let at = first;
            first += self.shared[*id].index.map_or(1, |index| self.types.range(index).count()) as usize;
            (*id, at)
        });
        let ghosts = ghosts.collect();
        let behaviour = Behaviour { types: &self.types, procs: &self.procs, shared: &self.shared, ghosts };
        let specification = match automaton(&behaviour, &callers, (shared, property)) {
            Ok(specification) => Arc::new(specification),
            Err(why) => return self.too_large(why, &refines),
        };
        for id in &structure.ghosts {
            let ghost = &mut self.shared[*id];
            (ghost.index, ghost.ty, ghost.init) = (None, Type::Int(Range::new(0, 0)), vec![0]);
        }
        let last = specification.n_states + specification.events.len().max(1) - 1;
        let holder = &mut self.shared[shared];
        (holder.kind, holder.is_unordered) = (SharedKind::Abstract, false);
        holder.ty = Type::Int(Range::new(0, last as Value));
        for id in structure.refining {
            report(&self.types, &specification, id, &mut self.procs[id]);
        }
        self.specifications.push(specification);
    }

    /// The threads, with what each calls.
    fn callers(&self, structure: &Structure) -> Vec<Caller> {
        let mut callers = Vec::new();
        for (thread, decl) in self.threads.iter() {
            let reached = self.reached(calls_of(&decl.body.block).into_iter().map(|(callee, _)| callee));
            let refines = |id: &ProcId| Some((*id, self.procs[*id].refines.as_ref()?.of));
            let procs: Vec<_> =
                structure.refining.iter().filter(|id| reached.contains(id)).filter_map(refines).collect();
            for copy in 0..decl.count.unwrap_or(1) {
                if !procs.is_empty() {
                    callers.push(Caller { thread, copy, name: decl.copy_name(copy), procs: procs.clone() });
                }
            }
        }
        callers
    }

    /// What holds the state of a specification without ghosts.
    fn stateless(&mut self, refines: &Refinement) -> SharedId {
        self.shared.push(crate::typed::Shared {
            kind: SharedKind::Ghost,
            name: self.procs[refines.of].name.clone(),
            span: refines.span,
            index: None,
            ty: Type::Bool,
            init: vec![0],
            is_unordered: false,
            is_plain: false,
            is_elidable: false,
        })
    }

    fn too_large(&mut self, why: TooLarge, refines: &Refinement) {
        let name = self.procs[refines.of].name.clone();
        let (message, hint) = match why {
            TooLarge::Endless => (
                format!("calls of the specification `{name}` do not end, or do too much"),
                "a specification is one step",
            ),
            TooLarge::Events => (
                format!("calls of `{name}` and its like have too many arguments and results to list"),
                "use smaller ranges, fewer threads or fewer procedures",
            ),
            TooLarge::States => (
                format!("the orders of calls of `{name}` and its like are too many to list"),
                "use fewer threads or objects, or a specification with fewer states",
            ),
        };
        self.error(codes::TOO_LARGE, refines.span, message).hint = Some(hint.into());
    }
}

/// The places that statements speak of, each with where it stands.
fn places_in(block: &[Stmt]) -> Vec<(&Place, Span)> {
    let mut places = Vec::new();
    for stmt in all_stmts(block) {
        if let StmtKind::Store(place, _) = &stmt.kind {
            places.push((place, place.span));
        }
        stmt.exprs().into_iter().for_each(|expr| places_of(expr, &mut places));
    }
    places
}

fn places_of<'e>(expr: &'e Expr, places: &mut Vec<(&'e Place, Span)>) {
    match &expr.kind {
        ExprKind::Load(place) => places.push((place, place.span)),
        ExprKind::Access(access) => places.push((&access.place, access.place.span)),
        _ => {}
    }
    expr.operands().into_iter().for_each(|operand| places_of(operand, places));
}
