//! SPIN: installed if need be, a verifier built from the Promela models in `bench/spin/`, run under limits, its output read.

use crate::sections::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// The verifier's own limit, in megabytes.
const MEGABYTES: u32 = 12_000;

/// The deepest path that the verifier may search.
const DEPTH: u32 = 2_000_000;

/// How a run of the verifier ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Holds,
    Violated,
    /// Stopped after the time allowed.
    OutOfTime,
    /// Stopped at the memory allowed.
    OutOfMemory,
}

/// What a run cost, complete or not.
pub(crate) struct Cost {
    pub(crate) ending: Ending,
    pub(crate) states: u64,
    pub(crate) seconds: f64,
    pub(crate) bytes: u64,
}

/// A verifier in a folder of its own.
pub(crate) struct Verifier(PathBuf);

fn output(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|error| format!("`{}`: {error}", command.get_program().display()))
}

/// The output of a command that must succeed.
fn succeed(command: &mut Command) -> Result<(), String> {
    let output = output(command)?;
    let said = [output.stdout, output.stderr].concat();
    let line =
        String::from_utf8_lossy(&said).lines().find(|line| line.contains("rror")).unwrap_or_default().to_string();
    if output.status.success() { Ok(()) } else { Err(format!("`{}` failed: {line}", command.get_program().display())) }
}

/// SPIN from Debian's package, unless it is there.
pub(crate) fn install() -> Result<(), String> {
    if Command::new("spin").arg("-V").output().is_ok() {
        return Ok(());
    }
    println!("spin      installs Debian's package `spin`");
    let install = || succeed(Command::new("apt-get").args(["install", "-y", "spin"]));
    install().or_else(|_| succeed(Command::new("apt-get").arg("update")).and_then(|()| install()))
}

impl Verifier {
    /// A verifier of the marking model; `defines` choose scenario, memory model and workers.
    pub(crate) fn build(name: &str, defines: &[String]) -> Result<Verifier, String> {
        let folder = std::env::temp_dir().join(format!("lacuna-bench-spin-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
        let model = root().join("bench/spin/marking.pml");
        succeed(Command::new("spin").args(defines).arg("-a").arg(absolute(&model)?).current_dir(&folder))?;
        // NFAIR: words of process numbers for weak fairness; SPIN's default allows six processes.
        let options = ["-O3", "-DCOLLAPSE", "-DNFAIR=4", &format!("-DMEMLIM={MEGABYTES}"), "-o", "pan", "pan.c"];
        succeed(Command::new("gcc").args(options).current_dir(&folder))?;
        Ok(Verifier(folder))
    }

    /// Checks one formula; with weak fairness if it is one that speaks of what happens at last.
    pub(crate) fn check(&self, formula: &str, is_fair: bool, seconds: u32) -> Result<Cost, String> {
        // Interrupted, pan prints what it has counted so far.
        let mut command = Command::new("timeout");
        command.args(["-s", "INT", &seconds.to_string(), "./pan", "-a", &format!("-m{DEPTH}"), "-N", formula]);
        if is_fair {
            command.arg("-f");
        }
        let started = Instant::now();
        let output = output(command.current_dir(&self.0))?;
        let seconds = started.elapsed().as_secs_f64();
        read(&String::from_utf8_lossy(&output.stdout), output.status.code() == Some(124), seconds)
    }
}

impl Drop for Verifier {
    fn drop(&mut self) {
        // Nothing is lost if a temporary folder stays.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|error| format!("`{}`: {error}", path.display()))
}

/// The number that begins the line with this text.
fn number_before(text: &str, what: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(what))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What pan printed.
fn read(text: &str, was_stopped: bool, seconds: f64) -> Result<Cost, String> {
    let complaint = || text.lines().find(|line| line.contains("error:")).unwrap_or("no statistics").to_string();
    if text.contains("max search depth too small") {
        return Err(format!("pan needs more than {DEPTH} steps"));
    }
    let states = number_before(text, "states, stored").ok_or_else(complaint)?;
    let megabytes = number_before(text, "total actual memory usage").ok_or_else(complaint)?;
    let ending = if was_stopped {
        Ending::OutOfTime
    } else if text.contains("MEMLIM") {
        Ending::OutOfMemory
    } else if text.contains("errors: 0") {
        Ending::Holds
    } else {
        Ending::Violated
    };
    Ok(Cost { ending, states: states as u64, seconds, bytes: (megabytes * 1e6) as u64 })
}

#[cfg(test)]
mod tests {
    use super::{Ending, read};

    fn printed(errors: u32) -> String {
        format!(
            "State-vector 248 byte, depth reached 378, errors: {errors}\n   717091 states, stored (9.18018e+06 visited)\n \
             32765434 transitions (= visited+matched)\n  229.500\ttotal actual memory usage\n"
        )
    }

    #[test]
    fn costs_are_read_from_what_pan_prints() {
        let cost = read(&printed(0), false, 1.5).expect("statistics");
        assert!(cost.ending == Ending::Holds);
        assert_eq!((cost.states, cost.seconds, cost.bytes), (717_091, 1.5, 229_500_000));
    }

    #[test]
    fn a_run_that_was_stopped_does_not_hold() {
        let ending = |text: &str, was_stopped| read(text, was_stopped, 1.0).expect("statistics").ending;
        assert!(ending(&printed(0), true) == Ending::OutOfTime);
        assert!(ending(&format!("pan: reached -DMEMLIM bound\n{}", printed(0)), false) == Ending::OutOfMemory);
        assert!(ending(&printed(1), false) == Ending::Violated);
    }

    #[test]
    fn what_is_no_statistics_is_an_error() {
        let why = read("pan: error: too many processes\n", false, 1.0).err();
        assert_eq!(why.as_deref(), Some("pan: error: too many processes"));
        let why = read(&format!("error: max search depth too small\n{}", printed(0)), false, 1.0).err();
        assert_eq!(why.as_deref(), Some("pan needs more than 2000000 steps"));
    }
}
