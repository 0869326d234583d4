//! What a step has reached that is not counted yet.
//!
//! A way through a region is a step only if it leaves the region: an `assume` behind a `cover` may be false (semantics 3.3).
//! So what is reached inside is carried to where the region is left, and counts there.

use system::Reached;

/// What a step has reached that is not counted yet; mostly nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uncounted(Option<Box<Reached>>);

impl Uncounted {
    /// What it is, if it is anything.
    pub(crate) fn get(&self) -> Option<&Reached> {
        self.0.as_deref()
    }

    /// Whether it is nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// This and `more`.
    pub(crate) fn and(&self, more: Option<&Reached>) -> Self {
        let mut both = self.clone();
        more.into_iter().for_each(|more| both.0.get_or_insert_default().add_all(more));
        both
    }

    /// Adds all of `other`; whether that is more than there was.
    pub(crate) fn take_in(&mut self, other: &Uncounted) -> bool {
        let Some(other) = other.get() else { return false };
        let own = self.0.get_or_insert_default();
        let is_more = !own.has_all(other);
        own.add_all(other);
        is_more
    }
}
