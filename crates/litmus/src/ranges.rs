//! Which values a litmus test can come by.

use crate::format::{Instruction, Test};
use automata::{Domain, Value};

/// Values that hold whatever a run computes: it begins with one that the test writes and adds each sum of the test at most once,
/// because every instruction runs once. An error if they need more than 32 bits.
pub(crate) fn domain(test: &Test) -> Result<Domain, String> {
    let mut values = Values { low: 0, high: 1, falls: 0, rises: 0 };
    test.init.values().for_each(|init| values.begin(*init));
    test.threads.iter().flatten().for_each(|instruction| values.instruction(instruction));
    let (low, high) = (values.low + values.falls, values.high + values.rises);
    match (Value::try_from(low), Value::try_from(high)) {
        (Ok(low), Ok(high)) => Ok(Domain::new(low, high)),
        _ => Err(format!("its values may go from {low} to {high}, which needs more than 32 bits")),
    }
}

struct Values {
    /// The least and the greatest value that a computation begins with. A status is 0 or 1, a register begins with 0.
    low: i64,
    high: i64,
    /// What all sums together take away and add.
    falls: i64,
    rises: i64,
}

impl Values {
    fn begin(&mut self, value: i32) {
        self.low = self.low.min(value.into());
        self.high = self.high.max(value.into());
    }

    fn add(&mut self, value: i32) {
        self.falls += i64::from(value).min(0);
        self.rises += i64::from(value).max(0);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Fadd { val, .. } => self.add(*val),
            Instruction::Store { val, val_reg: Some(_), .. } | Instruction::Sc { val, val_reg: Some(_), .. } => {
                self.add(*val);
            }
            Instruction::Store { val, .. } | Instruction::Sc { val, .. } | Instruction::Swap { val, .. } => {
                self.begin(*val);
            }
            Instruction::Cas { new, .. } => self.begin(*new),
            Instruction::If { then, .. } => then.iter().for_each(|inner| self.instruction(inner)),
            Instruction::Load { .. }
            | Instruction::Fence { .. }
            | Instruction::Branch { .. }
            | Instruction::Ll { .. } => {}
        }
    }
}
