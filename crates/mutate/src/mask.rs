//! What the original violates itself, and so tells nothing about a mutant.

use automata::{Action, Automata, Expr, PropertyKind};
use workbench::RunOptions;

/// The name of the property that a state without steps violates.
const DEADLOCK: &str = "deadlock";

/// Properties that are not asked, of the original and of its mutants alike.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    names: Vec<String>,
}

impl Mask {
    /// The names of the properties.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Leaves a property out too; whether that can be done. After a step that violates `in_range`, `valid_reference` or
    /// `data_race` there is nothing to continue from.
    pub(crate) fn add(&mut self, automata: &Automata, name: &str) -> bool {
        use PropertyKind::{DataRace, InRange, ValidReference};
        let ends_all = |kind: &PropertyKind| matches!(kind, InRange | ValidReference | DataRace);
        let is_open = automata.properties.values().any(|property| property.name == name && !ends_all(&property.kind));
        let can = is_open && !self.names.iter().any(|known| known == name);
        if can {
            self.names.push(name.to_string());
        }
        can
    }

    /// The system in which these properties are not asked.
    pub(crate) fn put_on(&self, mut automata: Automata) -> Automata {
        if self.names.is_empty() {
            return automata;
        }
        let masked: Vec<_> =
            automata.properties.iter().filter(|(_, p)| self.names.contains(&p.name)).map(|(id, _)| id).collect();
        for id in &masked {
            let property = &mut automata.properties[*id];
            if property.kind.is_stated() {
                // No point names it, so it is never violated.
                property.kind = PropertyKind::Assert;
            }
        }
        for thread in automata.threads.values_mut() {
            for point in thread.automaton.points.values_mut() {
                if matches!(&point.action, Action::Assert { property, .. } if masked.contains(property)) {
                    let (then, otherwise) = (point.next, point.next);
                    point.action = Action::Branch { condition: Expr::Const(1), then, otherwise };
                }
            }
        }
        automata
    }

    /// The options of a run without these properties.
    pub(crate) fn options(&self, mut options: RunOptions) -> RunOptions {
        options.machine.check_deadlock &= !self.names.iter().any(|name| name == DEADLOCK);
        options
    }
}
