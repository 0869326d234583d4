//! Constants, parameters, types and counts of threads may speak of one another in any order. What a definition speaks of is found
//! before it, so a chain of any
//! length is no recursion.

use super::select::Override;
use super::{Checker, Definition};
use crate::codes;
use crate::names::Decl;
use base::table::Id;
use rustc_hash::FxHashSet;
use syntax::parts::parts;
use syntax::tree::{self, ExprKind, TypeKind};

/// Definitions inside one another that are followed where some loop in a circle.
const MAX_DEPTH: usize = 100;

/// How far definitions have been followed.
#[derive(Default)]
pub(super) struct Followed {
    depth: usize,
    /// Whether some loop in a circle. Then the program is wrong, and no order is looked for any more.
    is_circular: bool,
    is_reported: bool,
}

impl<'a> Checker<'a> {
    /// Begins a definition: whatever it speaks of is found first. Says whether it can be followed; then `end_definition` ends it.
    pub(super) fn begin_definition(&mut self, name: &'a str) -> bool {
        self.followed.depth += 1;
        if self.followed.depth == 1 && !self.followed.is_circular {
            match self.needed(name) {
                Some(needed) => needed.into_iter().for_each(|name| self.define(name)),
                None => self.followed.is_circular = true,
            }
        }
        let can_follow = self.followed.depth <= MAX_DEPTH;
        if !can_follow {
            self.followed.depth -= 1;
            if !std::mem::replace(&mut self.followed.is_reported, true) {
                let span = self.names.get(name).map_or(base::Span::none(), |entry| entry.span);
                let message = format!("`{name}` is one of more than {MAX_DEPTH} that are defined by themselves");
                self.error(codes::CYCLE, span, message);
            }
        }
        can_follow
    }

    pub(super) fn end_definition(&mut self) {
        self.followed.depth -= 1;
    }

    fn define(&mut self, name: &'a str) {
        match self.names.get(name).map(|entry| (entry.decl, entry.span)) {
            Some((Decl::Param(..) | Decl::Const(_), _)) => {
                self.named_constant(name);
            }
            Some((Decl::Alias(_) | Decl::Word(_), span)) => {
                self.type_by_name(name, span);
            }
            Some((Decl::Thread(id), _)) => {
                self.thread_count(id);
            }
            _ => {}
        }
    }

    /// All that the definition of `name` speaks of, what others speak of before them; none if it is circular.
    fn needed(&self, name: &'a str) -> Option<Vec<&'a str>> {
        let (mut order, mut seen, mut open) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
        let mut stack = vec![(name, self.mentioned(name))];
        open.insert(name);
        while let Some((last, left)) = stack.last_mut() {
            let Some(next) = left.pop() else {
                open.remove(last);
                order.push(*last);
                stack.pop();
                continue;
            };
            if open.contains(next) {
                return None;
            }
            if !self.is_defined(next) && seen.insert(next) {
                open.insert(next);
                stack.push((next, self.mentioned(next)));
            }
        }
        order.pop();
        Some(order)
    }

    fn is_defined(&self, name: &str) -> bool {
        matches!(self.constants.get(name), Some(Definition::Done(_)))
            || matches!(self.type_names.get(name), Some(Definition::Done(_)))
    }

    /// What the definition of `name` speaks of itself, the last first.
    fn mentioned(&self, name: &str) -> Vec<&'a str> {
        let mut names = Vec::new();
        let setting = match self.overrides.get(name) {
            Some(Override::Setting(setting)) => Some(&setting.value),
            _ => None,
        };
        match self.names.get(name).map(|entry| entry.decl) {
            Some(Decl::Param(ty, default)) => {
                self.of_type(ty, &mut names);
                self.of_expr(default, &mut names);
                setting.into_iter().for_each(|value| self.of_expr(value, &mut names));
            }
            Some(Decl::Const(value)) => self.of_expr(setting.unwrap_or(value), &mut names),
            Some(Decl::Alias(ty)) => self.of_type(ty, &mut names),
            Some(Decl::Word(fields)) => fields.iter().for_each(|field| self.of_type(&field.ty, &mut names)),
            Some(Decl::Thread(id)) => {
                self.names.threads[id.index()].count.iter().for_each(|count| self.of_expr(count, &mut names));
            }
            _ => {}
        }
        names.reverse();
        names
    }

    fn of_type(&self, ty: &'a tree::Type, names: &mut Vec<&'a str>) {
        match &ty.kind {
            TypeKind::Named(name) | TypeKind::Optional(name) => {
                let decl = self.names.get(&name.text).map(|entry| entry.decl);
                if matches!(decl, Some(Decl::Alias(_) | Decl::Word(_) | Decl::Thread(_))) {
                    names.push(&name.text);
                }
            }
            TypeKind::Range(low, high) => [low, high].into_iter().for_each(|end| self.of_expr(end, names)),
            TypeKind::Set(element) => self.of_type(element, names),
            TypeKind::Queue(element, length) => {
                self.of_type(element, names);
                self.of_expr(length, names);
            }
            TypeKind::Bool | TypeKind::Error => {}
        }
    }

    fn of_expr(&self, expr: &'a tree::Expr, names: &mut Vec<&'a str>) {
        for part in parts(expr) {
            match &part.kind {
                ExprKind::Name(name) => {
                    let decl = self.names.get(&name.text).map(|entry| entry.decl);
                    if matches!(decl, Some(Decl::Param(..) | Decl::Const(_))) {
                        names.push(&name.text);
                    }
                }
                ExprKind::Quantified { domain, .. } | ExprKind::Choose(domain) | ExprKind::Every(domain) => {
                    self.of_type(domain, names);
                }
                _ => {}
            }
        }
    }
}
