//! Queues as numbers: one slot for each element, the oldest in the lowest bits; an empty slot is 0.

use crate::types::{Range, Type, Types, Value};

base::id_type! {
    /// A queue type.
    pub struct QueueId("queue");
}

/// Bits that a queue may have: it is one value of 32 bits, with a sign.
pub const MAX_BITS: u64 = 30;

/// Values of a queue type that are shown by their elements.
const MAX_SHOWN: usize = 4096;

/// A queue type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queue {
    /// The type of the elements.
    pub element: Type,
    /// The values of that type.
    pub range: Range,
    /// How many elements there can be.
    pub length: u32,
}

impl Queue {
    /// Bits of one slot.
    pub fn width(&self) -> u32 {
        64 - self.range.count().leading_zeros()
    }

    /// Bits of all slots.
    pub fn bits(&self) -> u64 {
        u64::from(self.width()) * u64::from(self.length)
    }

    /// Ones for the bits of a slot.
    pub fn mask(&self) -> Value {
        ones(u64::from(self.width()))
    }

    /// Ones for the bits of all slots.
    pub fn all(&self) -> Value {
        ones(self.bits())
    }

    /// The elements, oldest first; none if it is no queue's value.
    pub fn elements(&self, queue: Value) -> Option<Vec<Value>> {
        let slots = (0..self.length).map(|slot| (queue >> (slot * self.width())) & self.mask());
        let filled: Vec<Value> = slots.clone().take_while(|slot| *slot != 0).collect();
        let elements: Vec<Value> = filled.iter().map(|slot| (slot - 1).wrapping_add(self.range.low)).collect();
        let is_queue = slots.skip(filled.len()).all(|slot| slot == 0);
        (is_queue && elements.iter().all(|element| self.range.contains(*element))).then_some(elements)
    }

    /// The queue with one element more; none if it is full or this can be no element.
    pub fn push(&self, queue: Value, element: Value) -> Option<Value> {
        let n_elements = self.elements(queue)?.len() as u32;
        let has_room = n_elements < self.length && self.range.contains(element);
        has_room.then(|| queue | ((element.wrapping_sub(self.range.low) + 1) << (n_elements * self.width())))
    }

    /// All queues, the shorter first; none if there are too many to show.
    pub fn values(&self) -> Option<Vec<Value>> {
        let (mut all, mut longest) = (vec![0], vec![0]);
        for _ in 0..self.length {
            if all.len() as u64 + longest.len() as u64 * self.range.count() > MAX_SHOWN as u64 {
                return None;
            }
            let longer = |queue: &Value| self.range.values().filter_map(|x| self.push(*queue, x)).collect::<Vec<_>>();
            longest = longest.iter().flat_map(longer).collect();
            all.extend(&longest);
        }
        Some(all)
    }
}

fn ones(bits: u64) -> Value {
    ((1i64 << bits.min(31)) - 1) as Value
}

impl Types {
    /// The type of queues with such elements.
    pub fn queue_of(&mut self, element: Type, length: u32) -> Type {
        let queue = Queue { element, range: self.range(element), length };
        let known = self.queues.iter().find(|(_, other)| **other == queue).map(|(id, _)| id);
        Type::Queue(known.unwrap_or_else(|| self.queues.push(queue)))
    }

    /// The queue type that a type is.
    pub fn queue(&self, ty: Type) -> Option<Queue> {
        match ty {
            Type::Queue(id) => Some(self.queues[id]),
            _ => None,
        }
    }

    /// A queue as the language shows it: `[a, b]`.
    pub(crate) fn show_queue(&self, queue: Queue, value: Value) -> Option<String> {
        let elements = queue.elements(value)?;
        let shown: Vec<String> = elements.into_iter().map(|x| self.show_value(queue.element, x)).collect();
        Some(format!("[{}]", shown.join(", ")))
    }
}
