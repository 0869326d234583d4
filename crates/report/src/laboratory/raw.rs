//! What every repetition measured at every size, with causes: the numbers behind medians and ranges.

use laboratory::Cell;
use std::fmt::Write;

/// One line per cell.
pub fn raw(cells: &[Cell]) -> String {
    let causes = htm::Cause::ALL.map(htm::Cause::word).join(",");
    let mut out = format!("repetition,operation,pattern,mode,bytes,trials,first_commits,commits,attempts,{causes}\n");
    for cell in cells {
        let aborts = cell.aborts.map(|n| n.to_string()).join(",");
        let case = &cell.case;
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{},{},{aborts}",
            cell.repetition,
            case.operation,
            case.pattern,
            case.mode,
            cell.n_bytes,
            cell.trials,
            cell.first_commits,
            cell.commits,
            cell.attempts
        );
    }
    out
}
