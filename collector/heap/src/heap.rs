//! The heap: memory, regions and side tables together, and what needs no barrier.

use crate::forwarding::Forwarding;
use crate::map::REGIONS;
use crate::marks::Marks;
use crate::object::{Header, POISON, Ref, Shape, forwarding_addr, slot_addr};
use crate::regions::{RegionId, Regions};
use crate::words::{Addr, Words};

/// How large a heap is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Regions, the immortal one included.
    pub n_regions: usize,
    /// Words of a region: 2 to this power, at least 9.
    pub region_shift: u32,
}

/// A heap of typed objects.
pub struct Heap {
    /// The memory.
    pub words: Words,
    /// Its regions.
    pub regions: Regions,
    /// Objects that marking has reached.
    pub marks: Marks,
    /// Where replicas are.
    pub forwarding: Forwarding,
}

impl Heap {
    /// An empty heap.
    ///
    /// # Panics
    /// If a region would be smaller than the largest object.
    pub fn new(size: Size) -> Heap {
        assert!((9..=24).contains(&size.region_shift), "a region has 2^9 to 2^24 words");
        let first = REGIONS.next_multiple_of(1 << size.region_shift);
        let n_words = first + ((size.n_regions as u64) << size.region_shift);
        Heap {
            words: Words::new(n_words as usize),
            regions: Regions::new(first, size.region_shift, size.n_regions),
            marks: Marks::new(n_words),
            forwarding: Forwarding::new(n_words),
        }
    }

    /// An object's header.
    #[inline(always)]
    pub fn header(&self, object: Ref) -> Header {
        Header(self.words.load(object.header()))
    }

    /// An object's shape.
    pub fn shape(&self, object: Ref) -> Shape {
        self.header(object).shape()
    }

    /// An object's slots.
    pub fn slots(&self, object: Ref) -> impl Iterator<Item = Addr> + use<> {
        (0..self.shape(object).n_slots).map(move |slot| slot_addr(object, slot))
    }

    /// The marked objects of a region.
    pub fn live(&self, region: RegionId) -> Vec<Ref> {
        let start = self.regions.start(region).0;
        self.marks.between(start, start + self.regions.words())
    }

    /// Puts a new object there: header, itself as its replica, fields 0.
    pub fn create(&self, at: Addr, shape: Shape, id: u64) -> Ref {
        let object = Ref(at.0);
        self.words.store(at, Header::new(shape, id).0);
        self.words.store(forwarding_addr(object), object.0);
        (at.0 + 2..at.0 + shape.words()).for_each(|field| self.words.store(Addr(field), 0));
        object
    }

    /// Fills a region with what no object looks like.
    pub fn poison(&self, region: RegionId) {
        let start = self.regions.start(region).0;
        (start..start + self.regions.words()).for_each(|at| self.words.store(Addr(at), POISON));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_object_has_its_shape_and_empty_fields() {
        let heap = Heap::new(Size { n_regions: 3, region_shift: 10 });
        let region = heap.regions.take(1, 0).expect("free");
        let at = heap.regions.start(region);
        heap.poison(region);
        let shape = Shape { n_slots: 2, n_data: 3 };
        let object = heap.create(at, shape, 9);
        assert_eq!((heap.shape(object), heap.header(object).id()), (shape, 9));
        assert_eq!(heap.words.load(forwarding_addr(object)), object.0);
        assert!(heap.slots(object).all(|slot| heap.words.load(slot) == 0));
        assert_eq!(heap.words.load(at.plus(shape.words())), POISON);
        heap.marks.insert(object);
        assert_eq!(heap.live(region), [object]);
    }
}
