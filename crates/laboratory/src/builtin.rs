//! The machines of `machines/`, each a file that a user could have written.

use crate::machine::Machine;
use crate::text;

/// The texts, from the oldest machine to the newest.
const TEXTS: [&str; 7] = [
    include_str!("../../../machines/haswell.machine"),
    include_str!("../../../machines/broadwell.machine"),
    include_str!("../../../machines/skylake.machine"),
    include_str!("../../../machines/skylake-mobile.machine"),
    include_str!("../../../machines/coffee-lake.machine"),
    include_str!("../../../machines/emerald-rapids.machine"),
    include_str!("../../../machines/xeon-tsxldtrk.machine"),
];

/// All built-in machines, from the oldest to the newest.
pub fn all() -> Vec<Machine> {
    // A test reads them all.
    TEXTS.iter().filter_map(|text| text::read(text).ok()).collect()
}

/// The built-in machine of that name.
pub fn find(name: &str) -> Option<Machine> {
    all().into_iter().find(|machine| machine.name == name)
}

/// The machine whose transactions were measured most recently; what is fitted there stands in where nothing is known.
pub fn newest() -> Machine {
    all().pop().expect("there are built-in machines")
}
