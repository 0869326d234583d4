//! A machine read from text: one `key: value` per line, `#` comments.
//!
//! ```text
//! # What it is.
//! machine: haswell
//! l1: 64 sets, 8 ways, tree-plru
//! l3: 8192 sets, 16 ways, random
//! read-tracking: l3
//! anchor: write distinct from 16 to 25
//! ```
//! `anchor` may stand many times: a known 50 % point of sequential accesses in kilobytes, or in lines with `stride-4096` before
//! the mode; with a median before `from` if there is one. So may `published`: what a source says about sequential accesses.

use crate::cache::{Geometry, Replacement};
use crate::case::{Case, Mode, Operation, Pattern};
use crate::machine::{Anchor, Fills, Machine, ReadTracking, Signature};
use crate::published::{Bound, Published};

const KEYS: &str =
    "machine, l1, l2, l3, read-tracking, foreign-lines, hot-lines, hot-period, extra-fills, anchor, published";
/// Keys that may stand many times.
const REPEATED: [&str; 2] = ["anchor", "published"];
/// Lines that a level may have: enough for 1 GB.
const MAX_LINES: usize = 1 << 24;
/// The keys that take a small number, with what they are if left out.
const OTHERS: [(&str, usize); 4] = [("foreign-lines", 0), ("hot-lines", 0), ("hot-period", 8), ("extra-fills", 0)];

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The line, from 1; 0 if it is missing.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// Reads a machine, and reports every mistake.
pub fn read(text: &str) -> Result<Machine, Vec<Mistake>> {
    let mut reader = Reader::new();
    for (n, line) in text.lines().enumerate() {
        if let Err((message, hint)) = reader.line(line.trim()) {
            reader.mistakes.push(Mistake { line: n + 1, message, hint });
        }
    }
    reader.finish()
}

/// What is wrong, and what to do about it.
type Wrong = (String, String);

struct Reader {
    doc: String,
    keys: Vec<String>,
    name: Option<String>,
    levels: [Option<Geometry>; 3],
    read_tracking: Option<ReadTracking>,
    others: [usize; OTHERS.len()],
    anchors: Vec<Anchor>,
    published: Vec<Published>,
    mistakes: Vec<Mistake>,
}

impl Reader {
    fn new() -> Reader {
        Reader {
            doc: String::new(),
            keys: Vec::new(),
            name: None,
            levels: [None; 3],
            read_tracking: None,
            others: OTHERS.map(|(_, default)| default),
            anchors: Vec::new(),
            published: Vec::new(),
            mistakes: Vec::new(),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        if let Some(comment) = line.strip_prefix('#') {
            if self.keys.is_empty() {
                self.doc = format!("{} {}", self.doc, comment.trim()).trim().to_string();
            }
            return Ok(());
        }
        let content = line.split('#').next().unwrap_or("").trim();
        if content.is_empty() {
            return Ok(());
        }
        let (key, value) =
            content.split_once(':').ok_or(("expected `key: value`".to_string(), format!("the keys are {KEYS}")))?;
        let (key, value) = (key.trim(), value.trim());
        if !REPEATED.contains(&key) && self.keys.iter().any(|k| k == key) {
            return Err((format!("`{key}` stands twice"), "keep one of the lines".into()));
        }
        self.keys.push(key.to_string());
        self.set(key, value)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Wrong> {
        let wrong = |allowed: &str| (format!("`{key}` cannot be `{value}`"), format!("it takes {allowed}"));
        match key {
            "machine" => self.name = Some(name(value).ok_or_else(|| wrong("letters, digits and `-` (but not `all`)"))?),
            "l1" | "l2" | "l3" => {
                let geometry = geometry(value).ok_or_else(|| {
                    wrong("`N sets, N ways, lru|tree-plru|random`, up to 1 GB; with `tree-plru` at most 32 ways, a power of two")
                })?;
                self.levels[usize::from(key.as_bytes()[1] - b'1')] = Some(geometry);
            }
            "read-tracking" => {
                let tracking = tracking(value)
                    .ok_or_else(|| wrong("`l1`, `l2`, `l3` or `signature SLOTS[, N banks][, fills pass]`"))?;
                self.read_tracking = Some(tracking);
            }
            "anchor" => {
                let anchor = anchor(value).ok_or_else(|| wrong("such as `read warm-5 119 from 89 to 136`"))?;
                self.anchors.push(anchor);
            }
            "published" => {
                let published =
                    published(value).ok_or_else(|| wrong("such as `Wang et al. 2014, read reused largest 4096`"))?;
                self.published.push(published);
            }
            _ if let Some(idx) = OTHERS.iter().position(|(k, _)| *k == key) => {
                let least = usize::from(key == "hot-period");
                let n = value.parse().ok().filter(|n| (least..=1000).contains(n));
                self.others[idx] = n.ok_or_else(|| wrong(&format!("a number from {least} to 1000")))?;
            }
            _ => return Err((format!("a machine has no key `{key}`"), format!("the keys are {KEYS}"))),
        }
        Ok(())
    }

    /// The machine, if nothing is wrong and nothing is missing.
    fn finish(mut self) -> Result<Machine, Vec<Mistake>> {
        let [l1, l2, l3] = self.levels;
        let read_tracking = self.read_tracking.unwrap_or(ReadTracking::FirstLevel);
        let needs = match read_tracking {
            ReadTracking::FirstLevel => None,
            ReadTracking::SecondLevel | ReadTracking::Signature(_) => l2.is_none().then_some("l2"),
            ReadTracking::ThirdLevel => l3.is_none().then_some("l3"),
        };
        let has = |key: &str| self.keys.iter().any(|k| k == key);
        let missing = ["machine", "l1"].into_iter().filter(|key| !has(key)).chain(needs.filter(|key| !has(key)));
        let missing: Vec<Mistake> = missing
            .map(|key| Mistake {
                line: 0,
                message: format!("this machine has no `{key}`"),
                hint: format!("add a line `{key}: ..`"),
            })
            .collect();
        self.mistakes.extend(missing);
        let [foreign_lines, hot_lines, hot_period, extra_fills] = self.others;
        match (self.name, l1) {
            (Some(name), Some(l1)) if self.mistakes.is_empty() => Ok(Machine {
                name,
                doc: self.doc,
                l1,
                l2,
                l3,
                read_tracking,
                foreign_lines,
                hot_lines,
                hot_period,
                extra_fills,
                anchors: self.anchors,
                published: self.published,
            }),
            _ => Err(self.mistakes),
        }
    }
}

fn name(value: &str) -> Option<String> {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!value.is_empty() && value != "all" && value.chars().all(letters)).then(|| value.to_string())
}

fn geometry(value: &str) -> Option<Geometry> {
    let parts: Vec<&str> = value.split(',').map(str::trim).collect();
    let [sets, ways, replacement] = parts.as_slice() else { return None };
    let number = |text: &str, unit: &str| text.strip_suffix(unit)?.trim().parse::<usize>().ok().filter(|n| *n > 0);
    let (sets, ways) = (number(sets, "sets")?, number(ways, "ways")?);
    let all = [Replacement::Lru, Replacement::TreePlru, Replacement::Random];
    let replacement = all.into_iter().find(|r| r.to_string() == *replacement)?;
    // The bits of a set's tree are in one word.
    let has_tree = replacement != Replacement::TreePlru || ways.is_power_of_two() && ways <= 32;
    let is_small = sets.checked_mul(ways).is_some_and(|n| n <= MAX_LINES);
    (has_tree && is_small).then_some(Geometry { sets, ways, replacement })
}

fn tracking(value: &str) -> Option<ReadTracking> {
    match value {
        "l1" => Some(ReadTracking::FirstLevel),
        "l2" => Some(ReadTracking::SecondLevel),
        "l3" => Some(ReadTracking::ThirdLevel),
        _ => signature(value.strip_prefix("signature ")?).map(ReadTracking::Signature),
    }
}

fn signature(value: &str) -> Option<Signature> {
    let mut parts = value.split(',').map(str::trim).peekable();
    let slots = parts.next()?.parse().ok().filter(|slots| (1..=1 << 30).contains(slots))?;
    let mut signature = Signature { slots, banks: None, fills: Fills::AreLookedUp };
    if let Some(banks) = parts.next_if(|part| part.ends_with("banks")) {
        let banks = banks.strip_suffix("banks")?.trim().parse().ok().filter(|n| (1..=4096).contains(n))?;
        signature.banks = Some(banks);
    }
    if parts.next_if_eq(&"fills pass").is_some() {
        signature.fills = Fills::Pass;
    }
    parts.next().is_none().then_some(signature)
}

fn anchor(value: &str) -> Option<Anchor> {
    let words: Vec<&str> = value.split_whitespace().collect();
    let (operation, rest) = words.split_first()?;
    let operation = [Operation::Read, Operation::Write].into_iter().find(|o| o.to_string() == *operation)?;
    let stride = rest.first()?.strip_prefix("stride-");
    let (mode, numbers) = rest[usize::from(stride.is_some())..].split_first()?;
    let mut case = Case::sequential(operation, Mode::find(mode)?);
    if let Some(stride) = stride {
        case.pattern = Pattern::Strided(stride.parse().ok().filter(|bytes| (64..=1 << 20).contains(bytes))?);
    }
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
    let (median, low, high) = match numbers {
        ["from", low, "to", high] => (None, low, high),
        [median, "from", low, "to", high] => (Some(number(median)?), low, high),
        _ => return None,
    };
    let range = (number(low)?, number(high)?);
    (range.0 <= range.1).then_some(Anchor { case, median, range })
}

fn published(value: &str) -> Option<Published> {
    let (source, rest) = value.rsplit_once(',')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [operation, mode, bound, size] = words.as_slice() else { return None };
    let operation = [Operation::Read, Operation::Write].into_iter().find(|o| o.to_string() == *operation)?;
    let bound = Bound::ALL.into_iter().find(|b| b.to_string() == *bound)?;
    let size = size.parse::<f64>().ok().filter(|size| (1.0..=65_536.0).contains(size))?;
    let source = Some(source.trim()).filter(|source| !source.is_empty())?;
    Some(Published { source: source.into(), case: Case::sequential(operation, Mode::find(mode)?), bound, size })
}
