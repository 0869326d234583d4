//! `check --certificate` and `verify`: what holds is checked again; what is damaged, or of something else, is refused.

use crate::cli::Folder;
use crate::command::{ends, run};
use base::random::splitmix64;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// A folder with a protocol, removed at the end.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("certificates-{name}"));
    folder.file("a.lac", COUNTERS);
    folder
}

/// Verifies bytes as a certificate: how the command ends, and what it says.
fn verify(folder: &Folder, bytes: &[u8]) -> (Option<i32>, String) {
    let output = run(&["verify", &folder.file("damaged", bytes)]);
    (output.status.code(), [output.stdout, output.stderr].map(|it| String::from_utf8(it).expect("text")).concat())
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
    let folder = folder("damaged");
    let (text, certificate) = (folder.path("a.lac"), folder.path("a.certificate"));
    ends(&["check", &text, "-m", "sc,tso", "--certificate", &certificate], 0, &["certificate of original main tso"]);
    ends(&["verify", &certificate], 0, &["original main sc K=4: holds", "original main tso K=4: holds"]);
    let bytes = std::fs::read(&certificate).expect("it is written");
    let (inside, mut random) = (&bytes[..bytes.len() - 32], 18);
    // Whoever seals what he has changed may get another claim, which is checked as any; it is never said of what was claimed.
    let untouched = claims(&verify(&folder, &bytes).1);
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
        let (code, said) = verify(&folder, bytes);
        let is_another = what.ends_with("sealed again") && code == Some(0) && claims(&said) != untouched;
        assert!(code == Some(2) && said.contains("error") || is_another, "{what}: {code:?} {said}");
    }
    assert!(damaged.len() > 100);
}

#[test]
fn a_certificate_is_of_its_text_its_scope_and_its_memory_model() {
    let folder = folder("other");
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
        ("\"properties\":[]", "\"properties\":[\"nothing\"]"),
        ("\"properties\":[]", "\"properties\":[\"bounded\",\"nothing\"]"),
    ] {
        let (code, said) = verify(&folder, &replaced(from.as_bytes(), to.as_bytes()));
        assert_eq!(code, Some(2), "{to}: {said}");
    }
    std::fs::write(&text, COUNTERS.replace("x <= 10", "x <= 12")).expect("it can be written");
    ends(&["verify", &certificate], 2, &["of another text"]);
}

#[test]
fn what_is_left_out_is_said() {
    let folder = folder("left-out");
    let (text, certificate) = (folder.path("a.lac"), folder.path("a.certificate"));
    let violated = format!("{COUNTERS}\ninvariant small: x <= 3\n");
    std::fs::write(&text, violated).expect("it can be written");
    let verified = |arguments: &[&str], claim: &str| {
        ends(&[&["check", &text, "-m", "tso", "--certificate", &certificate], arguments].concat(), 0, &[]);
        let output = run(&["verify", &certificate]);
        assert_eq!(
            claims(&String::from_utf8(output.stdout).expect("text")),
            [format!("{text}: original main tso {claim}")]
        );
    };
    verified(&["--property", "bounded"], "K=4 --property bounded");
    verified(&["--set", "MOST=1"], "K=4 MOST=1");
    verified(&["--set", "MOST=1", "--buffer", "1", "-K", "3"], "K=3 MOST=1 buffer=1");
    verified(&["--set", "MOST=1", "--no-address-speculation"], "K=4 MOST=1 address_speculation=false");
    verified(&["--set", "MOST=1", "--no-deadlock"], "K=4 MOST=1 --no-deadlock");
}

#[cfg(unix)]
#[test]
fn a_device_is_not_replaced_by_a_certificate() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    let folder = folder("device");
    let (text, device, certificate) = (folder.path("a.lac"), folder.path("socket"), folder.path("a.certificate"));
    let _listens = std::os::unix::net::UnixListener::bind(&device).expect("it is made");
    let check = ["check", &text, "-m", "sc", "--certificate"];
    ends(&[&check[..], &[&device]].concat(), 2, &["cannot write"]);
    assert!(std::fs::metadata(&device).expect("it is there").file_type().is_socket());
    ends(&[&check[..], &["-"]].concat(), 2, &["name a file"]);
    // Who may read it stays.
    std::fs::write(&certificate, "old").expect("it can be written");
    std::fs::set_permissions(&certificate, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    ends(&[&check[..], &[&certificate]].concat(), 0, &[]);
    let mode = std::fs::metadata(&certificate).expect("it is written").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    ends(&["verify", &certificate], 0, &["holds"]);
}

#[test]
fn what_has_no_certificate_says_so_and_writes_none() {
    let folder = folder("none");
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
    ends(&["verify", &folder.path("")], 2, &["no regular file"]);
}
