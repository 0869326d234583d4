//! The least program on which a disagreement of the same kind remains.
//!
//! It works on pieces of text and knows no construct: items, statements, operands and words are left out as long as the front end
//! accepts what is left and the same check complains of the same thing.

use crate::pieces::{closing, is_balanced, pieces, text_of};
use crate::setting::Setting;
use std::time::{Duration, Instant};

/// A program under a setting.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its text.
    pub text: String,
    /// The setting.
    pub setting: Setting,
}

/// The longest run of pieces that is left out at once, apart from whole blocks.
const LONGEST: usize = 14;

/// What stands in place of numbers and operands.
const SIMPLE: [&str; 4] = ["0", "1", "true", "false"];

/// The least candidate that `is_bad`, as far as it is found in the time.
pub fn shrink(start: &Candidate, time: Duration, is_bad: &dyn Fn(&Candidate) -> bool) -> Candidate {
    let mut shrinking = Shrinking { best: start.clone(), until: Instant::now() + time, is_bad };
    loop {
        let before = (shrinking.best.text.clone(), shrinking.best.setting.arguments());
        shrinking.settings();
        shrinking.blocks();
        shrinking.unwrapped();
        shrinking.runs();
        shrinking.replaced();
        let after = (shrinking.best.text.clone(), shrinking.best.setting.arguments());
        if before == after || shrinking.is_over() {
            return shrinking.best;
        }
    }
}

struct Shrinking<'a> {
    best: Candidate,
    until: Instant,
    is_bad: &'a dyn Fn(&Candidate) -> bool,
}

impl Shrinking<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Takes the candidate if it is bad too.
    fn take(&mut self, candidate: Candidate) -> bool {
        let is_taken = !self.is_over() && (self.is_bad)(&candidate);
        if is_taken {
            self.best = candidate;
        }
        is_taken
    }

    fn take_pieces(&mut self, pieces: &[String]) -> bool {
        let text = text_of(pieces);
        let Ok(text) = syntax::format(&text) else { return false };
        if text == self.best.text {
            return false;
        }
        self.take(Candidate { text, setting: self.best.setting.clone() })
    }

    /// Takes simpler settings as long as there are any.
    fn settings(&mut self) {
        let candidate = |setting: Setting, text: &str| Candidate { text: text.into(), setting };
        loop {
            let text = self.best.text.clone();
            let simpler = self.best.setting.simpler();
            if !simpler.into_iter().any(|setting| self.take(candidate(setting, &text))) {
                return;
            }
        }
    }

    /// Leaves out lines, each with the block that begins on it.
    fn blocks(&mut self) {
        let mut line = 0;
        loop {
            let all = pieces(&self.best.text);
            let starts = line_starts(&all);
            if line >= starts.len() || self.is_over() {
                return;
            }
            let from = starts[line];
            let end_of_line = all[from..].iter().position(|p| p == "\n").map_or(all.len(), |n| from + n + 1);
            let open = all[from..end_of_line].iter().position(|p| p == "{").map(|n| from + n);
            let block = open.and_then(|open| closing(&all, open)).map(|n| n + 1);
            let is_done = [block, Some(end_of_line)].into_iter().flatten().any(|to| {
                let rest = [&all[..from], &all[to.max(from)..]].concat();
                is_balanced(&all[from..to.max(from)]) && self.take_pieces(&rest)
            });
            if !is_done {
                line += 1;
            }
        }
    }

    /// Leaves out what is around a block.
    fn unwrapped(&mut self) {
        let mut at = 0;
        loop {
            let all = pieces(&self.best.text);
            let Some(open) = (at..all.len()).find(|n| all[*n] == "{") else { return };
            at = open + 1;
            let Some(close) = closing(&all, open) else { continue };
            let line = all[..open].iter().rposition(|p| p == "\n").map_or(0, |n| n + 1);
            let inner = [&all[..line], &all[open + 1..close], &all[close + 1..]].concat();
            if self.take_pieces(&inner) {
                at = line;
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// Leaves out short runs of pieces, longer ones first.
    fn runs(&mut self) {
        for length in (1..=LONGEST).rev() {
            let mut at = 0;
            loop {
                let all = pieces(&self.best.text);
                if at + length > all.len() || self.is_over() {
                    break;
                }
                let is_blank = all[at] == "\n" || all[at + length - 1] == "\n";
                let rest = || [&all[..at], &all[at + length..]].concat();
                if is_blank || !is_balanced(&all[at..at + length]) || !self.take_pieces(&rest()) {
                    at += 1;
                }
            }
        }
    }

    /// Puts simple values in place of numbers, names and operands in brackets.
    fn replaced(&mut self) {
        let mut at = 0;
        loop {
            let all = pieces(&self.best.text);
            if at >= all.len() || self.is_over() {
                return;
            }
            let to = if all[at] == "(" { closing(&all, at).unwrap_or(at) } else { at };
            let is_word = all[at].starts_with(|c: char| c.is_alphanumeric());
            if is_word || to > at {
                for simple in SIMPLE {
                    if to == at && (all[at] == simple || SIMPLE[..2].contains(&all[at].as_str()) && simple != "0") {
                        continue;
                    }
                    let with = [&all[..at], &[simple.to_string()], &all[to + 1..]].concat();
                    if self.take_pieces(&with) {
                        break;
                    }
                }
            }
            at += 1;
        }
    }
}

fn line_starts(all: &[String]) -> Vec<usize> {
    let after = all.iter().enumerate().filter(|(_, piece)| *piece == "\n").map(|(n, _)| n + 1);
    std::iter::once(0).chain(after).filter(|n| *n < all.len()).collect()
}
