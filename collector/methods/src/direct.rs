//! The processor's own memory, and its own transactions where there are any.

use crate::access::{Access, Code, Engine, Random};
use heap::{Addr, Heap, View};
use htm::Transaction;
use std::convert::Infallible;

/// Plain loads and stores; RTM if the engine has it.
pub struct Direct<'h> {
    words: View<'h>,
    engine: &'h Engine,
    transaction: Option<Transaction>,
    random: Random,
}

impl<'h> Access<'h> for Direct<'h> {
    type Abort = Infallible;
    const RESTORES: bool = true;

    fn open(heap: &'h Heap, engine: &'h Engine, seed: u64) -> Self {
        Direct { words: heap.words.view(), engine, transaction: None, random: Random::new(seed) }
    }

    fn is_available(engine: &Engine) -> bool {
        engine.rtm.is_some()
    }

    #[inline(always)]
    fn load(&mut self, at: Addr) -> Result<u64, Infallible> {
        Ok(self.words.load(at))
    }

    #[inline(always)]
    fn store(&mut self, at: Addr, value: u64) -> Result<(), Infallible> {
        self.words.store(at, value);
        Ok(())
    }

    #[inline(always)]
    fn untracked<T>(&mut self, read: impl FnOnce() -> T) -> T {
        match (self.engine.load_tracking, &self.transaction) {
            (Some(tracking), Some(inside)) => tracking.suspended(inside, read),
            _ => read(),
        }
    }

    #[inline(always)]
    fn begin(&mut self) -> Result<(), htm::Abort> {
        let Some(rtm) = self.engine.rtm else { return Err(htm::Abort { status: 0 }) };
        if self.random.strikes(self.engine.injection) {
            return Err(htm::Abort::explicit(Code::Injected as u8));
        }
        self.transaction = Some(rtm.begin()?);
        Ok(())
    }

    #[inline(always)]
    fn commit(&mut self) -> Result<(), htm::Abort> {
        if self.random.strikes(self.engine.injection) {
            self.give_up(Code::Injected);
        }
        if let Some(transaction) = self.transaction.take() {
            transaction.commit();
        }
        Ok(())
    }

    fn give_up(&mut self, code: Code) -> Infallible {
        let transaction = self.transaction.take().expect("a transaction is open");
        match code {
            Code::Veto => transaction.abort::<{ Code::Veto as u8 }>(),
            Code::Tail => transaction.abort::<{ Code::Tail as u8 }>(),
            Code::Stale => transaction.abort::<{ Code::Stale as u8 }>(),
            Code::Injected => transaction.abort::<{ Code::Injected as u8 }>(),
        }
    }

    fn roll_back(&mut self, abort: Infallible) -> htm::Abort {
        match abort {}
    }

    /// A panic aborts: what comes here was never inside.
    fn abandon(&mut self) {}
}
