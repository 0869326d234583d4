//! New texts of old ones, the same for the same seed.

use base::random::splitmix64;

/// A small generator of random numbers (splitmix64), so that failures come back.
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn number(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    /// A number less than `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n.max(1) as u64) as usize
    }

    /// One of `items`.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Words, numbers, signs and blanks of a text, in order; together they are the text.
pub fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let same = |c: char| (is_word(first) && is_word(c)) || (first == ' ' && c == ' ');
        let end = rest.char_indices().skip(1).find(|(_, c)| !same(*c)).map_or(rest.len(), |(i, _)| i);
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// Numbers, signs and words that tend to hurt.
const NOISE: &str = r#"0 1 7 31 32 64 2147483647 99999999999 - .. -> << % / { } ( ) [ ] ; , : = == @ " // /// //! é
    self null all choose atomic stop_the_world transaction abort capacity expect with forbid use fence
    ltl always eventually next until weakly_until release fairly ended"#;

/// The same with blanks in it.
const BLANKS: &[&str] = &["\n", "\t", "\u{0}", "use copying\n", "fence full\n"];

fn noise(random: &mut Random) -> String {
    let words: Vec<&str> = NOISE.split_whitespace().chain(BLANKS.iter().copied()).collect();
    (*random.pick(&words)).to_string()
}

/// A text like `text`, with a few changes; some of what it gets is taken from `other`.
pub fn mutate(random: &mut Random, text: &str, other: &str) -> String {
    let mut now: Vec<String> = pieces(text).into_iter().map(String::from).collect();
    let donor = pieces(other);
    for _ in 0..1 + random.below(4) {
        change(random, &mut now, &donor);
    }
    now.concat()
}

fn change(random: &mut Random, now: &mut Vec<String>, donor: &[&str]) {
    if now.is_empty() || donor.is_empty() {
        now.push(noise(random));
        return;
    }
    let at = random.below(now.len());
    let until = (at + 1 + random.below(12)).min(now.len());
    match random.below(8) {
        0 => now.drain(at..until).for_each(drop),
        1 => now[at] = noise(random),
        2 => now.insert(at, noise(random)),
        3 => {
            let again: Vec<String> = now[at..until].to_vec();
            now.splice(at..at, again).for_each(drop);
        }
        4 => {
            let other = random.below(now.len());
            now.swap(at, other);
        }
        5 => {
            let from = random.below(donor.len());
            let to = (from + 1 + random.below(40)).min(donor.len());
            now.splice(at..at, donor[from..to].iter().map(|piece| piece.to_string())).for_each(drop);
        }
        // The gentle changes get farthest: a word for a word of the same text.
        _ => {
            let words: Vec<usize> = (0..now.len()).filter(|i| now[*i].chars().all(char::is_alphanumeric)).collect();
            if !words.is_empty() {
                let (to, from) = (*random.pick(&words), *random.pick(&words));
                now[to] = now[from].clone();
            }
        }
    }
    if random.below(64) == 0 {
        now.truncate(at);
    }
}
