//! What to do about a diagnostic whose place knows nothing better: one line per code.

use crate::codes;
use base::Diagnostic;

/// Gives every error a hint.
pub(super) fn complete(diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        if diagnostic.hint.is_none() {
            diagnostic.hint = of(diagnostic).map(String::from);
        }
    }
}

fn of(diagnostic: &Diagnostic) -> Option<&'static str> {
    Some(match diagnostic.code {
        codes::UNKNOWN_NAME => "declare it: a register with `let`, shared memory with `cell`, a constant with `const`",
        codes::UNKNOWN_TYPE => "declare it with `type`, `enum`, `word` or `object`",
        codes::UNKNOWN_FIELD => "only objects and words have fields",
        codes::UNKNOWN_LABEL => "name a statement of the thread: `@label statement`",
        codes::DUPLICATE => "rename one of them",
        codes::WRONG_SIGNATURE => "declare it as it is required",
        codes::NOT_A_VALUE => "a value is a number, a register, a cell, a constant, or an object of the heap",
        codes::NOT_A_TYPE => "a type is `bool`, a range such as `0..3`, or the name of a declared type",
        codes::MISMATCH => "change the value, or the type that is declared",
        codes::ARGUMENTS => "give one argument for each that it takes",
        codes::NOT_AN_ARRAY => "leave out the index",
        codes::INDEX_TYPE => "use a value of the array's index type",
        codes::NOT_CONSTANT => "use a number, a `param` or a `const`",
        codes::EMPTY_RANGE => "write the smaller end first; both ends are included",
        codes::OUT_OF_RANGE => "change the value, or widen the range",
        codes::WIDE_WORD => "narrow the range of a field, or use two words",
        codes::ZERO_DIVISOR => "divide by something else, or leave this out for such parameters with `if`",
        codes::CYCLE => "break the circle: write a value or type in place of one of the names",
        codes::MISPLACED_BREAK => "`return` leaves a procedure, `stop` ends a thread",
        codes::MISPLACED_SELF => "call it from replicated threads only, or pass the index as an argument",
        codes::NOT_ASSIGNABLE => "only registers, cells, fields, abstract variables and ghosts can be assigned",
        codes::NOT_MEMORY => "name the cell itself, not a register with its value",
        codes::MISPLACED_EXCHANGE => "write the new value alone, or use `cas`",
        codes::MISPLACED_THREAD => "share it through abstract state or a cell, or state it in an `invariant`",
        codes::MISPLACED_CALL => "speak of cells, ghosts and registers; a thread can keep what it computes in a ghost",
        codes::MISPLACED_TEMPORAL => "temporal words stand in `ltl NAME: formula`, around conditions on states",
        codes::TOO_LARGE => "use smaller types and parameters, or a `loop` in place of `each`",
        codes::BAD_EXPECTATION => "name a value that a run can have",
        _ => return None,
    })
}
