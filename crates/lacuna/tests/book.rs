//! The book's transcripts and recipes are true: every command is run, every file is used as printed.
//!
//! A fenced block with `title=NAME` in its first line is a file. A `console` block holds commands, `$ lacuna ..`,
//! each with its output (standard error first); `exit=N` in the block's first line is the exit code of its last
//! command, 0 if left out. A line `...` stands for any lines. Times and sizes may differ. Each page is followed from top
//! to bottom in a fresh folder with a copy of `protocols/`, `litmus/` and `memory-models/`.
//! `BLESS=1` writes the output of today into the pages, except where it is elided.

use crate::command::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether expected output is to be rewritten.
fn blesses() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// One fenced block: its first line without the fence, its lines, and where these are in the page.
struct Block {
    info: String,
    lines: Vec<String>,
    start: usize,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (n, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some(Block { info: info.to_string(), lines: Vec::new(), start: n + 1 }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_string()),
            (None, None) => {}
        }
    }
    blocks
}

impl Block {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.info.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    /// The commands of a transcript, each with its expected output.
    fn commands(&self) -> Vec<(String, Vec<String>)> {
        let mut commands: Vec<(String, Vec<String>)> = Vec::new();
        for line in &self.lines {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command.to_string(), Vec::new())),
                (None, Some((_, output))) => output.push(line.clone()),
                (None, None) => panic!("a transcript begins with `$ `, not with `{line}`"),
            }
        }
        commands
    }
}

/// A fresh folder that goes away again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lacuna-book-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        for data in ["protocols", "litmus", "memory-models"] {
            copy(&root().join(data), &path.join(data));
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() { copy(&from, &to) } else { std::fs::copy(&from, &to).map(drop).expect("a copy") }
    }
}

/// Runs `lacuna ..` in `folder`: the exit code and all it prints.
fn run(folder: &Path, command: &str) -> (i32, Vec<String>) {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("lacuna"), "only lacuna is run: `{command}`");
    let output = Command::new(env!("CARGO_BIN_EXE_lacuna")).args(words).current_dir(folder).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    (output.status.code().unwrap_or(-1), text.lines().map(|line| line.trim_end().to_string()).collect())
}

/// A line without what differs from run to run: times, sizes, the width of columns.
fn steady(line: &str) -> String {
    let mut words: Vec<String> = line.split_whitespace().map(String::from).collect();
    for i in 1..words.len() {
        let is_unit = ["s", "B", "kB", "MB", "GB"].contains(&words[i].trim_end_matches(','));
        if is_unit && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "N".into();
            words[i] = "unit".into();
        }
        if words[i - 1] == "\"peak_bytes\":" || words[i - 1] == "\"bytes_per_state\":" {
            words[i] = "N".into();
        }
    }
    for word in &mut words {
        let is_fraction = word.trim_end_matches(',').parse::<f64>().is_ok() && word.contains('.');
        if is_fraction || word.parse::<u64>().is_ok_and(|n| n > 20_000) {
            *word = "N".into();
        }
    }
    words.join(" ")
}

/// Whether what was printed is what the page says, `...` standing for any lines.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((line, rest)) => match printed.split_first() {
            Some((first, others)) => steady(line) == steady(first) && matches(rest, others),
            None => false,
        },
    }
}

/// Without blank lines at the end.
fn trimmed(lines: &[String]) -> &[String] {
    let n_kept = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    &lines[..n_kept]
}

/// Follows a page; what is wrong with it, and the page as it should be.
fn follow(path: &Path) -> (Vec<String>, String) {
    let page = std::fs::read_to_string(path).expect("the page is there");
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = Folder::new(&name);
    let mut lines: Vec<String> = page.lines().map(String::from).collect();
    let mut wrong = Vec::new();
    // From below, so that line numbers above stay as they are when a block is rewritten.
    let mut rewritten: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for block in blocks(&page) {
        if let Some(file) = block.attribute("title") {
            let path = folder.0.join(file);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder.0)).expect("a folder");
            std::fs::write(path, format!("{}\n", block.lines.join("\n"))).expect("a file");
        } else if block.info.split_whitespace().next() == Some("console") {
            let (complaints, new) = play(&folder.0, &block);
            wrong.extend(complaints.into_iter().map(|text| format!("{name}, line {}: {text}", block.start)));
            rewritten.push((block.start, block.start + block.lines.len(), new));
        }
    }
    for (from, to, new) in rewritten.into_iter().rev() {
        lines.splice(from..to, new).for_each(drop);
    }
    (wrong, lines.join("\n") + "\n")
}

/// Plays one transcript.
fn play(folder: &Path, block: &Block) -> (Vec<String>, Vec<String>) {
    let (mut wrong, mut new) = (Vec::new(), Vec::new());
    let commands = block.commands();
    let n_commands = commands.len();
    for (n, (command, expected)) in commands.into_iter().enumerate() {
        let (code, printed) = run(folder, &command);
        if n + 1 == n_commands {
            let wanted: i32 = block.attribute("exit").map_or(0, |code| code.parse().expect("a number"));
            if code != wanted {
                wrong.push(format!("`{command}` ends with {code}, not {wanted}"));
            }
        }
        let is_elided = expected.iter().any(|line| line.trim() == "...");
        let is_right = matches(trimmed(&expected), trimmed(&printed));
        // Blessing fixes what is wrong here, unless it is elided.
        if !is_right && (is_elided || !blesses()) {
            wrong.push(format!("`{command}` prints\n{}\n", printed.join("\n")));
        }
        new.push(format!("$ {command}"));
        if is_right || is_elided { new.extend(expected) } else { new.extend(trimmed(&printed).to_vec()) }
    }
    (wrong, new)
}

fn pages() -> Vec<PathBuf> {
    let book = std::fs::read_dir(root().join("docs/book/src")).expect("the book is there");
    let mut pages: Vec<PathBuf> = book.flatten().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

#[test]
fn every_transcript_and_recipe_is_true() {
    let mut wrong = Vec::new();
    for path in pages() {
        let (complaints, page) = follow(&path);
        if blesses() {
            std::fs::write(&path, page).expect("the page can be written");
        }
        wrong.extend(complaints);
    }
    assert!(wrong.is_empty(), "BLESS=1 rewrites the pages\n\n{}", wrong.join("\n"));
}

/// The table of diagnostics in the book is the output of `lacuna explain`.
#[test]
fn the_page_of_diagnostics_lists_what_explain_prints() {
    let (code, printed) = run(&root(), "lacuna explain");
    assert_eq!(code, 0);
    let row = |line: &String| {
        let (code, rest) = line.split_once("  ").expect("a code, then its name");
        let (name, meaning) = rest.trim_start().split_once("  ").expect("a name, then what it means");
        format!("| {code} | `{name}` | {} |", meaning.trim().replace('|', "\\|"))
    };
    let rows: Vec<String> = printed.iter().filter(|line| !line.is_empty()).map(row).collect();
    let table = format!("| code | name | meaning |\n|---|---|---|\n{}\n", rows.join("\n"));
    let path = root().join("docs/book/src/diagnostics.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once("<!-- codes -->\n").expect("a mark before the table");
    let (old, after) = rest.split_once("<!-- end of codes -->").expect("a mark after the table");
    if old != table && blesses() {
        let page = format!("{before}<!-- codes -->\n{table}<!-- end of codes -->{after}");
        std::fs::write(&path, page).expect("the page can be written");
    } else {
        assert_eq!(old, table, "BLESS=1 rewrites the table");
    }
}
