//! The words that programs and memory models share: orders and fences.

/// The order that an access carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// No order of its own.
    #[default]
    Relaxed,
    /// Nothing younger is performed before it.
    Acquire,
    /// It is performed after everything older.
    Release,
    /// Both.
    AcqRel,
    /// Both, and ordered with every other sequentially consistent access.
    SeqCst,
}

impl Order {
    /// Whether nothing younger may overtake an access with this order.
    pub fn is_acquire(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether an access with this order may overtake nothing older.
    pub fn is_release(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// The weakest order that orders all that one of the two does.
    pub fn joined(self, other: Order) -> Order {
        let both = [self, other];
        match (both.iter().any(|o| o.is_acquire()), both.iter().any(|o| o.is_release())) {
            _ if both.contains(&Order::SeqCst) => Order::SeqCst,
            (true, true) => Order::AcqRel,
            (true, false) => Order::Acquire,
            (false, true) => Order::Release,
            (false, false) => Order::Relaxed,
        }
    }

    /// The order as the language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcqRel => "acq_rel",
            Order::SeqCst => "seq_cst",
        }
    }

    /// The order of that name in the language.
    pub fn from_name(name: &str) -> Option<Order> {
        [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst]
            .into_iter()
            .find(|order| order.name() == name)
    }
}

/// What a fence orders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fence {
    /// Everything older before everything younger.
    Full,
    /// Older loads before everything younger.
    Acquire,
    /// Everything older before younger stores.
    Release,
    /// Older stores before younger stores.
    StoreStore,
}

impl Fence {
    /// The fence as the language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Fence::Full => "full",
            Fence::Acquire => "acquire",
            Fence::Release => "release",
            Fence::StoreStore => "store_store",
        }
    }

    /// The fence of that name in the language; `none` is no fence and has none.
    pub fn from_name(name: &str) -> Option<Fence> {
        [Fence::Full, Fence::Acquire, Fence::Release, Fence::StoreStore].into_iter().find(|fence| fence.name() == name)
    }
}
