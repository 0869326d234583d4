//! Running SPIN on an exported system, and reading what it says.

use crate::{Export, Options, Refusal, export};
use automata::Automata;
use base::Sources;
use memory::MemoryModel;
use std::path::Path;
use std::process::Command;

/// What SPIN says of one property or cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds in the whole scope.
    Holds,
    /// It is violated.
    Violated,
    /// The cover is reached.
    Reached,
    /// The cover is not reached.
    Unreached,
    /// A limit was hit before.
    Inconclusive,
}

/// What SPIN says of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// Properties by name, in the order of the system.
    pub properties: Vec<(String, Verdict)>,
    /// Covers by name.
    pub covers: Vec<(String, Verdict)>,
    /// How many states the search for properties of states stored.
    pub states: u64,
}

/// The limits of each search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds.
    pub seconds: u32,
    /// Megabytes.
    pub megabytes: u32,
}

/// Why there are no verdicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The system cannot be exported.
    Refused(Refusal),
    /// SPIN, the compiler or a file made trouble: what they said.
    Broken(String),
}

/// Whether SPIN and a C compiler are here.
pub fn is_here() -> bool {
    let runs = |program: &str, flag: &str| Command::new(program).arg(flag).output().is_ok();
    runs("spin", "-V") && runs("gcc", "--version")
}

/// Writes an export to a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(export: &Export, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("model.pml"), &export.model)?;
    let script = folder.join("run.sh");
    std::fs::write(&script, &export.script)?;
    make_executable(&script)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Asks SPIN about a system; `folder` is for its files.
///
/// # Errors
/// If the system cannot be exported, or SPIN fails.
pub fn ask(
    automata: &Automata,
    memory: &MemoryModel,
    options: &Options,
    limits: Limits,
    folder: &Path,
) -> Result<Verdicts, Failure> {
    let export = export(automata, memory, options, &Sources::default(), "asked by a test").map_err(Failure::Refused)?;
    let broken = |error: std::io::Error| Failure::Broken(error.to_string());
    write(&export, folder).map_err(broken)?;
    let output = Command::new("sh")
        .arg(folder.join("run.sh"))
        .env("SPIN_OPTIMIZE", "-O0")
        .env("SPIN_SECONDS", limits.seconds.to_string())
        .env("SPIN_MEMORY", limits.megabytes.to_string())
        .output()
        .map_err(broken)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(0 | 1 | 3) => read(&text).ok_or(Failure::Broken(text)),
        _ => Err(Failure::Broken(text + &String::from_utf8_lossy(&output.stderr))),
    }
}

/// Reads what the script prints; none if it is not of its form.
pub fn read(text: &str) -> Option<Verdicts> {
    let mut verdicts = Verdicts { properties: Vec::new(), covers: Vec::new(), states: 0 };
    for line in text.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["property", name, verdict] => verdicts.properties.push((name.to_string(), word(verdict)?)),
            ["cover", name, verdict] => verdicts.covers.push((name.to_string(), word(verdict)?)),
            ["states", states] => verdicts.states = states.parse().unwrap_or(0),
            _ => return None,
        }
    }
    Some(verdicts)
}

fn word(word: &str) -> Option<Verdict> {
    Some(match word {
        "holds" => Verdict::Holds,
        "violated" => Verdict::Violated,
        "reached" => Verdict::Reached,
        "unreached" => Verdict::Unreached,
        "inconclusive" => Verdict::Inconclusive,
        _ => return None,
    })
}
