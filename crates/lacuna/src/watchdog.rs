//! The last resort: ends the program if it does not end by itself soon after a limit.
//!
//! Searches and all long computations look at the budget themselves. This is for what does not: the text that is read and checked, and
//! whatever else takes longer than anybody thought. What is finished by then has been printed and written.

use crate::exit::Exit;
use crate::{files, limits, terminal};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use system::{Limit, usage};

/// So many bytes more than the limit are for the last words.
const SLACK: u64 = 1_500_000;
/// The program takes so much to read a text and to say that a limit was hit: a limit below is for searches, which look themselves.
const OWN: u64 = 24_000_000;
/// What the command ends with if it has to be ended.
static EXIT: AtomicU8 = AtomicU8::new(Exit::Inconclusive.number());

/// What standard output gets if the command has to be ended: the file for programs that goes there, with the runs so far.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// How often it looks.
const TICK: Duration = Duration::from_millis(4);
/// How long a command may continue after a limit.
const GRACE: Duration = Duration::from_millis(700);

/// Watches over a command that may take so long and so much memory. Memory is looked at by all that takes much of it, and somewhat below
/// the limit; if the process has clearly more, nobody has looked.
pub(crate) fn watch(timeout: Option<Duration>, max_bytes: Option<u64>) {
    let time = limits::budget(timeout, None);
    let own = usage().map_or(0, |usage| usage.resident) + OWN;
    let max_bytes = max_bytes.map(|max| max.max(own));
    let go = move || {
        let mut over_since: Option<Instant> = None;
        loop {
            std::thread::sleep(TICK);
            let is_too_large = |max: u64| usage().is_some_and(|usage| usage.resident > max + (max / 40).max(SLACK));
            if max_bytes.is_some_and(is_too_large) {
                end(Limit::Memory);
            }
            if let Some(limit) = time.look()
                && over_since.get_or_insert_with(Instant::now).elapsed() > GRACE
            {
                end(limit);
            }
        }
    };
    // Without a thread to spare, the searches still look at the limits themselves.
    let _ = std::thread::Builder::new().name("watchdog".into()).stack_size(1 << 18).spawn(go);
}

/// Notes how the command ends if it has to be ended: a violation that was reported still counts.
pub(crate) fn note(exit: Exit) {
    EXIT.store(exit.and(Exit::Inconclusive).number(), Ordering::Relaxed);
}

/// Keeps what standard output gets if the command has to be ended, or nothing.
pub(crate) fn keep(text: Option<String>) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

fn end(limit: Limit) -> ! {
    let _writing = files::lock();
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take();
    let _ = kept.map(|text| terminal::print_raw(&text));
    terminal::complain(&format!("inconclusive: {} (stopped; what is finished has been shown)", limit.name()));
    std::process::exit(EXIT.load(Ordering::Relaxed).into());
}
