//! A case that does not end ends the program, and leaves its text behind.

use crate::shrink::Candidate;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The case being judged, and since when.
type Current = Arc<Mutex<Option<(Instant, String)>>>;

/// Watches the time of each case.
pub struct Watch(Current);

impl Watch {
    /// Ends the program with 3 where a case takes longer than `most`; its text goes to `folder`, or is printed.
    pub fn start(folder: Option<PathBuf>, most: Duration) -> Self {
        let current = Current::default();
        let watched = Arc::clone(&current);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                let locked = watched.lock().unwrap_or_else(PoisonError::into_inner);
                let Some((_, text)) = locked.as_ref().filter(|(since, _)| since.elapsed() > most) else { continue };
                match &folder {
                    Some(folder) => drop(std::fs::write(folder.join("does_not_end.lac"), text)),
                    None => println!("{text}"),
                }
                eprintln!("a case does not end");
                std::process::exit(3);
            }
        });
        Watch(current)
    }

    /// A case begins.
    pub fn begin(&self, profile: &str, seed: u64, candidate: &Candidate) {
        let head = format!("//! does not end\n//! lacuna check {}", candidate.setting.arguments());
        let text = format!("{head}\n//! adversary: profile {profile}, seed {seed}\n\n{}", candidate.text);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), text));
    }
}
