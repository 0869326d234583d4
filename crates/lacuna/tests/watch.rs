//! `lacuna watch`: it checks again after every change, however the change is made, and ends as the last check did.

use crate::cli::{Folder, wait_until_it_listens};
use crate::command::lacuna;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const HOLDS: &str = "use part\nthread t { x = 1 }\ninvariant fine: x < 2\n";
const VIOLATED: &str = "use part\nthread t { x = 1 }\ninvariant zero: x == 0\n";
const PART: &str = "cell x: 0..1 = 0\n";

/// A watch, and the lines that it and its checks print.
struct Watch {
    process: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn new(arguments: &[&str]) -> Self {
        let arguments = [&["watch", "--memory", "sc", "--traces", "none"], arguments].concat();
        let mut process = lacuna(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let (sender, lines) = channel();
        let out: Box<dyn std::io::Read + Send> = Box::new(process.stdout.take().expect("piped"));
        let err: Box<dyn std::io::Read + Send> = Box::new(process.stderr.take().expect("piped"));
        for stream in [out, err] {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)))
            });
        }
        Watch { process, lines }
    }

    /// Waits for a line with these words, and then until the check has ended.
    fn says(&self, words: &str) {
        for wanted in [words, "watching"] {
            loop {
                let line = self.lines.recv_timeout(Duration::from_secs(30));
                let line = line.unwrap_or_else(|_| panic!("it never says `{wanted}`"));
                if line.contains(wanted) {
                    break;
                }
            }
        }
    }

    /// The exit code after Ctrl-C.
    fn interrupted(mut self) -> Option<i32> {
        wait_until_it_listens(self.process.id());
        let sent = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status().expect("kill runs");
        assert!(sent.success(), "it was still running");
        self.process.wait().expect("it ends").code()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.process.kill();
    }
}

#[test]
fn a_change_of_the_file_or_of_one_that_it_uses_is_checked() {
    let folder = Folder::new("watch");
    let file = folder.file("a.lac", HOLDS);
    folder.file("part.lac", PART);
    let watch = Watch::new(&[&file]);
    watch.says("holds");
    folder.file("a.lac", VIOLATED);
    watch.says("violated: zero");
    folder.file("part.lac", "cell x: 0..1 = 3\n");
    watch.says("error");
    // As editors write: beside, and then in its place.
    folder.file("part.lac.new", PART);
    std::fs::rename(folder.path("part.lac.new"), folder.path("part.lac")).expect("renamed");
    watch.says("violated: zero");
    assert_eq!(watch.interrupted(), Some(1));
}

#[test]
fn a_file_that_goes_away_and_comes_back_or_is_half_written_is_watched_on() {
    let folder = Folder::new("watch-gone");
    let file = folder.file("a.lac", HOLDS);
    folder.file("part.lac", PART);
    let watch = Watch::new(&[&file]);
    watch.says("holds");
    std::fs::remove_file(&file).expect("removed");
    watch.says("cannot read");
    folder.file("a.lac", &HOLDS[..20]);
    watch.says("error");
    folder.file("a.lac", HOLDS);
    watch.says("holds");
    // A folder in its place, for a while.
    std::fs::remove_file(&file).expect("removed");
    std::fs::create_dir(&file).expect("a folder");
    watch.says("error");
    std::fs::remove_dir(&file).expect("removed");
    folder.file("a.lac", VIOLATED);
    watch.says("violated: zero");
    assert_eq!(watch.interrupted(), Some(1));
}

#[cfg(unix)]
#[test]
fn another_file_of_the_same_length_and_time_is_another() {
    let folder = Folder::new("watch-same");
    folder.file("part.lac", PART);
    let file = folder.file("a.lac", HOLDS);
    let watch = Watch::new(&[&file]);
    watch.says("holds");
    let other = HOLDS.replace("x < 2", "x < 1");
    let beside = std::fs::File::create(folder.path("beside")).expect("a file");
    std::io::Write::write_all(&mut &beside, other.as_bytes()).expect("written");
    let time = std::fs::metadata(&file).and_then(|metadata| metadata.modified()).expect("a time");
    beside.set_modified(time).expect("it can be set");
    std::fs::rename(folder.path("beside"), &file).expect("renamed");
    watch.says("violated: fine");
    assert_eq!(watch.interrupted(), Some(1));
}

#[test]
fn a_file_that_comes_into_a_folder_is_checked_too() {
    let folder = Folder::new("watch-folder");
    folder.file("part.lac", PART);
    folder.file("a.lac", HOLDS);
    let watch = Watch::new(&[&folder.path("")]);
    watch.says("holds");
    folder.file("b.lac", VIOLATED);
    watch.says("violated: zero");
    assert_eq!(watch.interrupted(), Some(1));
}

#[test]
fn a_check_that_takes_long_is_ended_by_a_change_and_by_ctrl_c() {
    let folder = Folder::new("watch-long");
    let many: String =
        (0..9).map(|n| format!("cell x{n}: 0..9 = 0\nthread t{n} {{ each i in 0..9 {{ x{n} = i }} }}\n")).collect();
    let long = format!("{many}invariant fine: x0 < 10\n");
    let file = folder.file("a.lac", &long);
    folder.file("part.lac", PART);
    let watch = Watch::new(&[&file]);
    std::thread::sleep(Duration::from_millis(500));
    folder.file("a.lac", HOLDS);
    watch.says("holds");
    folder.file("a.lac", &long);
    let line = watch.lines.recv_timeout(Duration::from_secs(30));
    assert!(line.is_ok(), "it checks again");
    assert_eq!(watch.interrupted(), Some(3));
}
