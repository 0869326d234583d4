//! `check --certificate` and `verify`: what holds is checked again; what is damaged, or of something else, is refused.

use crate::command::{ends, run};
use base::random::splitmix64;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// A folder with a protocol and a certificate of it, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("lacuna-certificates-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("it can be made");
        let folder = Folder(folder);
        std::fs::write(folder.path("a.lac"), COUNTERS).expect("it can be written");
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Verifies bytes as a certificate: how the command ends, and what it says.
    fn verify(&self, bytes: &[u8]) -> (Option<i32>, String) {
        std::fs::write(self.path("damaged"), bytes).expect("it can be written");
        let output = run(&["verify", &self.path("damaged")]);
        (output.status.code(), [output.stdout, output.stderr].map(|it| String::from_utf8(it).expect("text")).concat())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Two threads that add to a counter, and one that looks.
const COUNTERS: &str = "\
param MOST: 1..5 = 3
cell x: 0..20 = 0
thread adder[2] { each i in 1..MOST { x.fetch_add(1) } }
thread reader { let a = x; @two let b = x; assert grows: a <= b }
invariant bounded: x <= 10 and (at(reader, two) implies reader.a <= x)
";

/// What is said to hold, without times.
fn claims(said: &str) -> Vec<String> {
    said.lines().filter_map(|line| line.split_once(": holds").map(|(claim, _)| claim.into())).collect()
}

fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &Sha256::digest(bytes)].concat()
}

#[test]
fn a_hundred_damaged_certificates_are_refused() {
    let folder = Folder::new("damaged");
    let (text, certificate) = (folder.path("a.lac"), folder.path("a.certificate"));
    ends(&["check", &text, "-m", "sc,tso", "--certificate", &certificate], 0, &["certificate of original main tso"]);
    ends(&["verify", &certificate], 0, &["original main sc K=4: holds", "original main tso K=4: holds"]);
    let bytes = std::fs::read(&certificate).expect("it is written");
    let (inside, mut random) = (&bytes[..bytes.len() - 32], 18);
    // Whoever seals what he has changed may get another claim, which is checked as any; it is never said of what was claimed.
    let untouched = claims(&folder.verify(&bytes).1);
    let mut damaged: Vec<(String, Vec<u8>)> = vec![("nothing".into(), Vec::new()), ("no seal".into(), inside.into())];
    for _ in 0..40 {
        let at = splitmix64(&mut random) as usize % (8 * bytes.len());
        let mut flipped = bytes.clone();
        flipped[at / 8] ^= 1 << (at % 8);
        damaged.push((format!("bit {at}"), flipped.clone()));
        // The seal does not have to notice.
        if at < 8 * inside.len() {
            damaged.push((format!("bit {at}, sealed again"), sealed(&flipped[..inside.len()])));
        }
        let cut = splitmix64(&mut random) as usize % bytes.len();
        damaged.push((format!("cut at {cut}"), bytes[..cut].into()));
        damaged.push((format!("cut at {cut}, sealed again"), sealed(&inside[..cut.min(inside.len() - 1)])));
    }
    let title = inside.iter().position(|byte| *byte == b'\n').expect("a title") + 1;
    let many = [&inside[..title], b"99999999999999999999\n", &inside[title + 2..]].concat();
    damaged.push(("very many claims".into(), sealed(&many)));
    let few = [&inside[..title], b"1\n", &inside[title + 2..]].concat();
    damaged.push(("one claim fewer than there are".into(), sealed(&few)));
    let long = [&inside[..title + 2], &vec![b' '; 1 << 20][..], &inside[title + 2..]].concat();
    damaged.push(("a very long line".into(), sealed(&long)));
    damaged.push(("twice".into(), sealed(&[inside, inside].concat())));
    for (what, bytes) in &damaged {
        let (code, said) = folder.verify(bytes);
        let is_another = what.ends_with("sealed again") && code == Some(0) && claims(&said) != untouched;
        assert!(code == Some(2) && said.contains("error") || is_another, "{what}: {code:?} {said}");
    }
    assert!(damaged.len() > 100);
}

#[test]
fn a_certificate_is_of_its_text_its_scope_and_its_memory_model() {
    let folder = Folder::new("other");
    let (text, certificate) = (folder.path("a.lac"), folder.path("a.certificate"));
    ends(&["check", &text, "-m", "sc", "--certificate", &certificate], 0, &[]);
    let bytes = std::fs::read(&certificate).expect("it is written");
    let inside = String::from_utf8_lossy(&bytes[..bytes.len() - 32]).into_owned();
    assert!(inside.contains("\"memory\":\"sc\""), "{inside}");
    std::fs::write(folder.path("b.lac"), COUNTERS.replace("x <= 10", "x <= 11")).expect("it can be written");
    ends(&["verify", &certificate, &folder.path("b.lac")], 2, &["of another text"]);
    let replaced = |from: &[u8], to: &[u8]| {
        let at = bytes.windows(from.len()).position(|window| window == from).expect("it is there");
        sealed(&[&bytes[..at], to, &bytes[at + from.len()..bytes.len() - 32]].concat())
    };
    for (from, to) in [
        ("\"memory\":\"sc\"", "\"memory\":\"tso\""),
        ("\"set\":[]", "\"set\":[[\"MOST\",\"4\"]]"),
        ("\"set\":[]", "\"set\":[[\"MOST\",\"2\"]]"),
        ("\"queue_bound\":4", "\"queue_bound\":0"),
        ("\"variant\":\"original\"", "\"variant\":\"other\""),
        ("\"deadlock\":true", "\"deadlock\":1"),
    ] {
        let (code, said) = folder.verify(&replaced(from.as_bytes(), to.as_bytes()));
        assert_eq!(code, Some(2), "{to}: {said}");
    }
    std::fs::write(&text, COUNTERS.replace("x <= 10", "x <= 12")).expect("it can be written");
    ends(&["verify", &certificate], 2, &["of another text"]);
}

#[test]
fn what_has_no_certificate_says_so_and_writes_none() {
    let folder = Folder::new("none");
    let (text, certificate) = (folder.path("a.lac"), folder.path("a.certificate"));
    let none = |arguments: &[&str], code: i32, words: &[&str]| {
        ends(&[&["check", &text, "--certificate", &certificate], arguments].concat(), code, words);
        assert!(!PathBuf::from(&certificate).exists(), "{arguments:?}");
    };
    none(&["-m", "rc11"], 3, &["no rules"]);
    none(&["-m", "armv8"], 3, &["in one"]);
    none(&["-m", "sc", "--live"], 2, &["cannot be used with"]);
    none(&["-m", "sc", "--timeout", "0"], 3, &[]);
    std::fs::write(&text, COUNTERS.replace("x <= 10", "x <= 3")).expect("it can be written");
    none(&["-m", "sc"], 1, &["no run holds"]);
    std::fs::write(&text, format!("{COUNTERS}\nltl ends: eventually ended(reader)\n")).expect("it can be written");
    none(&["-m", "sc"], 3, &["is about runs"]);
    ends(&["verify", &certificate], 2, &["cannot read"]);
    ends(&["verify", &folder.path("a.lac")], 2, &["is refused"]);
    ends(&["verify", &folder.0.display().to_string()], 2, &["no regular file"]);
}
