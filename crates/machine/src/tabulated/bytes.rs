//! States as bytes that another process, or the same one on another day, can read: thread states by content, not by number.
//!
//! A state is the values of its cells, then the state of each thread. Numbers take as many bytes as they need, seven bits each. What is
//! read is held against the program: where something is named that is not there, no state is read. That is no proof that the state can be
//! reached: whoever keeps bytes guards them by a checksum of his own.

use crate::properties::trail::Snapshot;
use crate::rules::code::Code;
use crate::rules::interpreter::PlainState;
use crate::rules::local::{Demand, Entry, Local, Mode, Operand, Part};
use crate::rules::transaction::{Elided, Transaction};
use crate::tabulated::tables::Tabulated;
use automata::{CellId, PointId, PropertyId, Value};
use base::table::Id;
use history::Histories;

/// What can be written to bytes and read again.
pub(crate) trait Portable: Sized {
    fn write(&self, out: &mut Vec<u8>);
    /// What `bytes` begin with; they are moved on past it.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

/// All parts in order; one that is forgotten does not compile.
macro_rules! portable {
    ($name:ident { $($field:ident),* }) => {
        impl Portable for $name {
            fn write(&self, out: &mut Vec<u8>) {
                let $name { $($field),* } = self;
                $($field.write(out);)*
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                $(let $field = Portable::read(bytes)?;)*
                Some($name { $($field),* })
            }
        }
    };
}

portable!(Entry {
    point,
    part,
    operands,
    guess,
    overtaken,
    read_ahead,
    demand,
    is_relied_on,
    is_linked,
    seen,
    is_in_doubt
});
portable!(Local {
    mode,
    point,
    registers,
    queue,
    reserved,
    reserved_ahead,
    transaction,
    takes_lock,
    trail,
    unconfirmed
});
portable!(Elided { cell, free, taken });
portable!(Transaction { begin, snapshot, reads, writes, is_doomed, elided });
portable!(Snapshot { point, registers, issued });

impl Portable for u32 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 1 << 7 {
            out.push(rest as u8 | 1 << 7);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut number = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = bytes.split_off_first()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte >> 7 == 0 {
                return u32::try_from(number).ok();
            }
        }
        None
    }
}

impl Portable for Value {
    fn write(&self, out: &mut Vec<u8>) {
        // Small numbers of both signs are short.
        ((*self << 1 ^ *self >> 31) as u32).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let number = u32::read(bytes)?;
        Some((number >> 1) as Value ^ -((number & 1) as Value))
    }
}

/// What is written as another type.
macro_rules! portable_as {
    ($name:ident, $other:ident, $to:expr, $from:expr) => {
        impl Portable for $name {
            fn write(&self, out: &mut Vec<u8>) {
                let to: fn(&$name) -> $other = $to;
                to(self).write(out);
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                let from: fn($other) -> Option<$name> = $from;
                from(<$other>::read(bytes)?)
            }
        }
    };
}

portable_as!(u8, u32, |byte| u32::from(*byte), |number| number.try_into().ok());
portable_as!(bool, u8, |truth| u8::from(*truth), |byte| (byte < 2).then_some(byte == 1));
portable_as!(PointId, u32, |point| point.0, |number| Some(PointId(number)));
portable_as!(CellId, u32, |cell| cell.0, |number| Some(CellId(number)));
portable_as!(PropertyId, u32, |property| property.0, |number| Some(PropertyId(number)));

impl<T: Portable> Portable for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u32).write(out);
        self.iter().for_each(|element| element.write(out));
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let len = u32::read(bytes)?;
        (0..len).map(|_| T::read(bytes)).collect()
    }
}

impl<T: Portable> Portable for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        self.iter().for_each(|element| element.write(out));
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        if bool::read(bytes)? { T::read(bytes).map(Some) } else { Some(None) }
    }
}

impl<T: Portable> Portable for Box<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        T::read(bytes).map(Box::new)
    }
}

impl<T: Portable, U: Portable> Portable for (T, U) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some((T::read(bytes)?, U::read(bytes)?))
    }
}

impl Portable for Operand {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Operand::Value(value) => (false, *value).write(out),
            Operand::Entry(position) => (true, *position).write(out),
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        if bool::read(bytes)? { u8::read(bytes).map(Operand::Entry) } else { Value::read(bytes).map(Operand::Value) }
    }
}

impl Portable for Demand {
    fn write(&self, out: &mut Vec<u8>) {
        let number: u8 = match self {
            Demand::Nothing => 0,
            Demand::SameValue => 1,
            Demand::Fail => 2,
            Demand::Unwritten => 3,
        };
        number.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        [Demand::Nothing, Demand::SameValue, Demand::Fail, Demand::Unwritten]
            .get(usize::from(u8::read(bytes)?))
            .copied()
    }
}

/// Every part, in the order of the declaration.
const PARTS: [Part; 5] = [Part::Whole, Part::Read, Part::Write, Part::Succeeds, Part::Fails];

impl Portable for Part {
    fn write(&self, out: &mut Vec<u8>) {
        (*self as u8).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        PARTS.get(usize::from(u8::read(bytes)?)).copied()
    }
}

impl Portable for Mode {
    fn write(&self, out: &mut Vec<u8>) {
        let (number, of): (u8, u32) = match self {
            Mode::Running => (0, 0),
            Mode::Region => (1, 0),
            Mode::Committing => (2, 0),
            Mode::Spinning => (3, 0),
            Mode::Halted => (4, 0),
            Mode::Aborted(point) => (5, point.0),
            Mode::Failed(property) => (6, property.0),
            Mode::Circling => (7, 0),
        };
        (number, of).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        match <(u8, u32)>::read(bytes)? {
            (0, 0) => Some(Mode::Running),
            (1, 0) => Some(Mode::Region),
            (2, 0) => Some(Mode::Committing),
            (3, 0) => Some(Mode::Spinning),
            (4, 0) => Some(Mode::Halted),
            (5, point) => Some(Mode::Aborted(PointId(point))),
            (6, property) => Some(Mode::Failed(PropertyId(property))),
            (7, 0) => Some(Mode::Circling),
            _ => None,
        }
    }
}

impl Tabulated<'_> {
    /// Appends the content of a state.
    pub(crate) fn write_content(&self, words: &[u32], out: &mut Vec<u8>) {
        let PlainState { cells, locals, memory } = self.unpack(words);
        cells.iter().for_each(|value| value.write(out));
        locals.iter().for_each(|local| local.write(out));
        memory.iter().for_each(|memory| memory.numbers().write(out));
    }

    /// The words, here, of the state that `bytes` begin with; they are moved on past it. None if there is no such state.
    pub(crate) fn read_content(&self, bytes: &mut &[u8]) -> Option<Vec<u32>> {
        let cells: Option<Vec<Value>> = self.automata.cells.values().map(|_| Value::read(bytes)).collect();
        let locals: Option<Vec<Local>> = self.table.iter().map(|_| Local::read(bytes)).collect();
        let memory = match &self.histories {
            None => None,
            Some(numbered) => {
                let mut numbers = Vec::<u32>::read(bytes)?.into_iter();
                Some(Histories::from_numbers(&numbered.room.profile, &mut numbers)?)
            }
        };
        let state = PlainState { cells: cells?, locals: locals?, memory };
        self.is_possible(&state).then(|| self.pack(&state))
    }

    /// Whether all that a state names is there.
    fn is_possible(&self, state: &PlainState) -> bool {
        let in_domain = |(cell, value): (CellId, &Value)| self.automata.cells[cell].domain.contains(*value);
        self.automata.cells.ids().zip(&state.cells).all(in_domain)
            && state.locals.iter().zip(&self.table).all(|(local, table)| self.names(&self.locals[*table].code, local))
    }

    /// Whether all that a thread state names is there.
    pub(crate) fn names(&self, code: &Code, local: &Local) -> bool {
        let Local { mode, point, registers, queue, reserved, reserved_ahead, transaction, trail, unconfirmed, .. } =
            local;
        let is_point = |point: PointId| point.index() < code.automaton.points.len();
        let is_cell = |cell: &CellId| cell.index() < self.automata.cells.len();
        let is_operand = |operand: &Operand| !matches!(operand, Operand::Entry(at) if usize::from(*at) >= queue.len());
        let is_entry = |entry: &Entry| {
            let n_uses = is_point(entry.point).then(|| code.uses[entry.point].len());
            let n_operands = entry.operands.len();
            n_uses.is_some_and(|n| n == n_operands || (entry.part.is_second() && n + 1 == n_operands))
                && entry.operands.iter().chain(&entry.seen).all(is_operand)
                && entry.overtaken.iter().all(is_cell)
        };
        let is_transaction = |transaction: &Transaction| {
            let elided = transaction.elided.iter().map(|elided| &elided.cell);
            let cells = transaction.writes.iter().map(|(cell, _)| cell).chain(&transaction.reads).chain(elided);
            is_point(transaction.begin) && cells.into_iter().all(is_cell) && transaction.snapshot.iter().all(is_operand)
        };
        let is_mode = match mode {
            Mode::Aborted(point) => is_point(*point),
            Mode::Failed(property) => property.index() < self.automata.properties.len(),
            _ => true,
        };
        is_mode
            && is_point(*point)
            && registers.len() == code.automaton.registers.len()
            && registers.iter().all(is_operand)
            && queue.iter().all(is_entry)
            && reserved.iter().chain(reserved_ahead).all(is_cell)
            && transaction.iter().all(|transaction| is_transaction(transaction))
            && unconfirmed.iter().all(|point| is_point(*point))
            && trail.iter().all(|passed| is_point(passed.point) && passed.registers.iter().all(is_operand))
    }
}
