//! The neutral format as data.

use memory::Order;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One test.
#[derive(Clone, Debug, Deserialize)]
pub struct Test {
    /// Its name: `MP+rel+acq`.
    pub name: String,
    /// The cells and what they hold at the start.
    pub init: BTreeMap<String, i32>,
    /// The threads.
    pub threads: Vec<Thread>,
    /// The question: can a run end like this?
    pub exists: Condition,
    /// The registers (`1:r0`) and cells whose final values are listed; all cells if left out.
    #[serde(default)]
    pub observed: Vec<String>,
}

/// One thread's instructions.
pub type Thread = Vec<Instruction>;

/// A conjunction of `variable = value`.
pub type Condition = Vec<(String, i32)>;

/// One instruction. `data_dep r`: the value is `(r ^ r) + val`; `val_reg r`: the value is `r + val`;
/// `addr_dep r`: the access waits for `r`, though its cell is known. A `loc` that is `x[r]` is computed: the cell `x` if `r` is even, else the
/// one behind it in `init`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are those of the format")]
pub enum Instruction {
    Store {
        loc: String,
        val: i32,
        #[serde(default)]
        order: OrderName,
        data_dep: Option<String>,
        addr_dep: Option<String>,
        val_reg: Option<String>,
    },
    Load {
        loc: String,
        reg: String,
        #[serde(default)]
        order: OrderName,
        addr_dep: Option<String>,
    },
    Fence {
        kind: FenceName,
    },
    Branch {
        on: String,
    },
    If {
        reg: String,
        eq: i32,
        then: Vec<Instruction>,
    },
    Swap {
        loc: String,
        val: i32,
        reg: String,
        #[serde(default)]
        order: OrderName,
        data_dep: Option<String>,
    },
    Fadd {
        loc: String,
        val: i32,
        reg: String,
        #[serde(default)]
        order: OrderName,
        data_dep: Option<String>,
    },
    Cas {
        loc: String,
        expect: i32,
        new: i32,
        reg: String,
        #[serde(default)]
        order: OrderName,
        /// The order if it fails; that of its reading if left out.
        failure: Option<OrderName>,
    },
    Ll {
        loc: String,
        reg: String,
        #[serde(default)]
        order: OrderName,
    },
    Sc {
        loc: String,
        val: i32,
        status: String,
        #[serde(default)]
        order: OrderName,
        val_reg: Option<String>,
        data_dep: Option<String>,
    },
}

/// The cell that a `loc` names, and the register that says which cell from there on it is, if one does.
pub fn place(loc: &str) -> (&str, Option<&str>) {
    match loc.strip_suffix(']').and_then(|loc| loc.split_once('[')) {
        Some((cell, index)) => (cell, Some(index)),
        None => (loc, None),
    }
}

/// An order as the format writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the orders of that name")]
pub enum OrderName {
    /// Not atomic: a load or store that may race.
    Na,
    #[default]
    Rlx,
    Acq,
    Rel,
    AcqRel,
    Sc,
}

impl OrderName {
    /// The order of that name.
    pub fn order(self) -> Order {
        match self {
            OrderName::Na | OrderName::Rlx => Order::Relaxed,
            OrderName::Acq => Order::Acquire,
            OrderName::Rel => Order::Release,
            OrderName::AcqRel => Order::AcqRel,
            OrderName::Sc => Order::SeqCst,
        }
    }

    /// The order of a read-modify-write with this one that turns out to be a load.
    pub fn of_failure(self) -> OrderName {
        match self {
            OrderName::Na | OrderName::Rlx | OrderName::Rel => OrderName::Rlx,
            OrderName::Acq | OrderName::AcqRel => OrderName::Acq,
            OrderName::Sc => OrderName::Sc,
        }
    }
}

/// A fence as the format writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the fences of that name")]
pub enum FenceName {
    Full,
    Acq,
    Rel,
    Ww,
}

/// Reads the tests of a file, one per line; blank lines are passed over. An error names its line.
pub fn read(text: &str) -> Result<Vec<Test>, (usize, String)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |line: &str| match line.trim_start().starts_with('{') {
        true => serde_json::from_str(line).map_err(|error| error.to_string()),
        false => Err("a test is an object in braces".to_string()),
    };
    lines.map(|(n, line)| read(line).map_err(|message| (n + 1, message))).collect()
}
