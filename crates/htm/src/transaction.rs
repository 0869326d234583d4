//! One attempt: begin, then commit or abort.

use crate::abort::Abort;
use crate::detect::Rtm;
use crate::instructions;
use std::marker::PhantomData;

/// The code of the abort that a [`Transaction`] dropped without commit causes: by a panic, or by an early return.
pub const DROPPED: u8 = 0xff;

/// An open transaction of this thread.
///
/// Invariant: exists only inside a transaction. Dropped without [`Transaction::commit`], it aborts; so a panic cannot
/// leave a transaction open. It stays with its thread, as the transaction does.
///
/// `std::mem::forget` leaves the transaction open; the next interrupt aborts it, and all since [`Rtm::begin`] has
/// never happened.
#[must_use = "a transaction that is dropped aborts"]
#[derive(Debug)]
pub struct Transaction {
    stays_with_its_thread: PhantomData<*const ()>,
}

impl Rtm {
    /// Begins a transaction. Returns a second time, with the cause, if it aborts; nothing since then has happened.
    ///
    /// If one is open already, this one is a part of it: an abort is an abort of the outermost.
    #[inline(always)]
    pub fn begin(self) -> Result<Transaction, Abort> {
        match instructions::begin() {
            instructions::STARTED => Ok(Transaction { stays_with_its_thread: PhantomData }),
            status => Err(Abort { status }),
        }
    }

    /// Runs `body` in a transaction, once: its result if it commits, the cause if it aborts.
    #[inline(always)]
    pub fn attempt<T>(self, body: impl FnOnce(&Transaction) -> T) -> Result<T, Abort> {
        let transaction = self.begin()?;
        let result = body(&transaction);
        transaction.commit();
        Ok(result)
    }
}

impl Transaction {
    /// Publishes everything written since the beginning, at once.
    #[inline(always)]
    pub fn commit(self) {
        std::mem::forget(self);
        instructions::commit();
    }

    /// Takes back everything since the beginning, which returns [`crate::Cause::Explicit`] with this code.
    #[inline(always)]
    pub fn abort<const CODE: u8>(&self) -> ! {
        instructions::abort::<CODE>()
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        self.abort::<DROPPED>()
    }
}
