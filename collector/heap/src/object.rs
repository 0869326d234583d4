//! Objects: a header, a forwarding word, reference slots, data words.

use crate::words::Addr;

/// Slots, and data words, that an object may have.
pub const MAX_FIELDS: u8 = u8::MAX;
/// Words before the first slot: header and forwarding word.
pub const BODY: u64 = 2;
/// What fills a region that was freed, where sanity is checked. No header looks like it.
pub const POISON: u64 = 0xdead_dead_dead_dead;
pub(crate) const MAX_OBJECT_WORDS: usize = BODY as usize + 2 * MAX_FIELDS as usize;

const MAGIC: u64 = 0xa5;
const MAGIC_SHIFT: u32 = 16;
const ID_SHIFT: u32 = 24;

/// A reference: the address of an object's header, or null.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ref(pub u64);

/// The type of an object, as far as a collector cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Reference slots, which come first.
    pub n_slots: u8,
    /// Data words, which follow.
    pub n_data: u8,
}

/// The first word of an object: its shape, and an identity that no other object has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header(pub u64);

impl Ref {
    /// No object.
    pub const NULL: Ref = Ref(0);

    /// Whether it names no object.
    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// Where its header is.
    #[inline(always)]
    pub fn header(self) -> Addr {
        Addr(self.0)
    }
}

impl Shape {
    /// Words of such an object, header and all.
    pub const fn words(self) -> u64 {
        BODY + self.n_slots as u64 + self.n_data as u64
    }
}

impl Header {
    /// The header of a new object.
    #[inline(always)]
    pub fn new(shape: Shape, id: u64) -> Header {
        let fields = u64::from(shape.n_slots) | u64::from(shape.n_data) << 8;
        Header(fields | MAGIC << MAGIC_SHIFT | id << ID_SHIFT)
    }

    /// Whether the word is a header at all.
    pub fn is_valid(self) -> bool {
        self.0 >> MAGIC_SHIFT & 0xff == MAGIC
    }

    /// The object's shape.
    #[inline(always)]
    pub fn shape(self) -> Shape {
        Shape { n_slots: self.0 as u8, n_data: (self.0 >> 8) as u8 }
    }

    /// Who the object is, wherever it is.
    pub fn id(self) -> u64 {
        self.0 >> ID_SHIFT
    }
}

/// Where the object's forwarding word is: the object itself, until it is moved by a method that says so there.
#[inline(always)]
pub fn forwarding_addr(object: Ref) -> Addr {
    Addr(object.0 + 1)
}

/// Where a slot is.
#[inline(always)]
pub fn slot_addr(object: Ref, slot: u8) -> Addr {
    Addr(object.0 + BODY + u64::from(slot))
}

/// Where a data word is, in an object of this many slots.
#[inline(always)]
pub fn data_addr(object: Ref, n_slots: u8, idx: u8) -> Addr {
    Addr(object.0 + BODY + u64::from(n_slots) + u64::from(idx))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_keeps_shape_and_identity() {
        let shape = Shape { n_slots: 255, n_data: 3 };
        let header = Header::new(shape, (1 << 40) - 1);
        assert!(header.is_valid());
        assert_eq!((header.shape(), header.id()), (shape, (1 << 40) - 1));
        assert_eq!(shape.words(), 260);
    }

    #[test]
    fn neither_poison_nor_zero_is_a_header() {
        assert!(!Header(POISON).is_valid() && !Header(0).is_valid());
    }
}
