//! Conditions that only properties can ask.

use super::builder::{Builder, Kind, Shared};
use super::leaves::Leaves;
use super::types::Ty;

impl Builder {
    /// A condition about threads, pending stores or paths.
    pub(super) fn observation(&mut self, leaves: Leaves, depth: usize) -> String {
        if self.threads.is_empty() {
            return self.plain_question();
        }
        let at = self.random.below(self.threads.len());
        let thread = self.threads[at].clone();
        let who = self.thread_name(&thread);
        match self.random.below(11) {
            0..=2 if !thread.labels.is_empty() => {
                let at = self.random.below(thread.labels.len());
                let label = thread.labels[at].clone();
                match self.random.below(6) {
                    0 => format!("at({who}, l*)"),
                    _ => format!("at({who}, {label})"),
                }
            }
            3 => format!("ended({who})"),
            4 => format!("performed({who})"),
            5 => self.pending(&who),
            6 => self.oldest(&who),
            7 => format!("locked_by({who})"),
            8 if self.has_nodes => self.reaches(leaves),
            9 => self.quantified(leaves, depth),
            _ => self.plain_question(),
        }
    }

    fn plain_question(&mut self) -> String {
        self.random.pick(&["quiescent", "(not quiescent)"]).into()
    }

    fn memory_place(&mut self) -> Option<(Shared, String)> {
        let cells: Vec<Shared> = self.shared.iter().filter(|s| s.kind == Kind::Cell).cloned().collect();
        if cells.is_empty() {
            return None;
        }
        let shared = cells[self.random.below(cells.len())].clone();
        let no_registers = Leaves { property: true, ..Leaves::REGISTERS };
        let text = self.place(&shared, no_registers);
        Some((shared, text))
    }

    fn pending(&mut self, who: &str) -> String {
        let Some((shared, place)) = self.memory_place() else { return self.plain_question() };
        match self.random.below(3) {
            0 => format!("(pending({who}, {place}) {} {})", self.random.pick(&["==", ">"]), self.random.below(3)),
            1 => format!("pending({who}, {place}, {})", self.constant(&shared.ty)),
            _ => format!("pending({who}, {place}, {}, {})", self.constant(&shared.ty), self.random.below(2)),
        }
    }

    fn oldest(&mut self, who: &str) -> String {
        let Some((shared, place)) = self.memory_place() else { return self.plain_question() };
        format!("(oldest({who}, {place}) == {})", self.constant(&shared.ty))
    }

    fn reaches(&mut self, leaves: Leaves) -> String {
        let (a, b) = (self.object(leaves), self.object(leaves));
        format!("reaches({a}, {b})")
    }

    /// A condition on every element of an array, or on every copy of a thread.
    fn quantified(&mut self, leaves: Leaves, depth: usize) -> String {
        let word = self.random.pick(&["all", "exists"]);
        let copies: Vec<_> = self.threads.iter().filter(|t| t.count.is_some()).cloned().collect();
        let arrays: Vec<Shared> = self.shared.iter().filter(|s| s.count.is_some() && !s.is_field).cloned().collect();
        if !copies.is_empty() && self.random.percent(60) {
            let thread = &copies[self.random.below(copies.len())];
            let name = &thread.name;
            return match thread.registers.first() {
                Some(register) if self.random.percent(60) => {
                    let value = self.constant(&register.ty);
                    format!("({word} m in {name}: {name}[m].{} == {value})", register.name)
                }
                _ => format!("({word} m in {name}: ended({name}[m]))"),
            };
        }
        if arrays.is_empty() {
            return self.comparison_of(leaves, depth);
        }
        let array = arrays[self.random.below(arrays.len())].clone();
        let (count, value) = (array.count.unwrap_or(1), self.constant(&array.ty));
        format!("({word} i in 0..{}: {}[i] == {value})", count - 1, array.name)
    }

    fn comparison_of(&mut self, leaves: Leaves, depth: usize) -> String {
        let plain = Leaves { property: true, ..leaves };
        match self.leaf(plain, &|ty| matches!(ty, Ty::Num(..))) {
            Some((text, Ty::Num(low, high))) => format!("({text} == {})", self.number(low, high, plain, depth.min(1))),
            _ => self.plain_question(),
        }
    }
}
