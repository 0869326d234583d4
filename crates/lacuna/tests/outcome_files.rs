//! Litmus tests whose variants name outcomes: `forbid outcome` says that no run ends so, `expect` where one may. Shared by the tests of
//! two folders.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One folder of such files.
pub(crate) struct Folder {
    /// Below the root of the repository.
    pub(crate) path: &'static str,
    /// The memory models of its table.
    pub(crate) memories: &'static [&'static str],
    /// What a file is called in its table.
    pub(crate) what: &'static str,
}

/// One formula: an outcome of one file, and whether each memory model of the table allows it.
pub(crate) struct Formula {
    pub(crate) file: String,
    pub(crate) outcome: String,
    pub(crate) allowed: Vec<bool>,
}

const BEGIN: &str = "<!-- formulas -->\n";
const END: &str = "<!-- end of formulas -->";

impl Folder {
    pub(crate) fn place(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(self.path)
    }

    /// The names of the files, without their ending.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.place()).expect("the folder is there").flatten().map(|entry| entry.path());
        let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "lac"));
        let mut names: Vec<String> =
            files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.place().join(format!("{file}.lac"))).expect("the file is there")
    }

    /// Exit code, standard output, standard error.
    pub(crate) fn lacuna(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
        let output = command.args(arguments).current_dir(self.place()).output().expect("lacuna runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// The runs of every formula of a file, formula by formula, and whether all are as the file expects; with switches, rows
    /// that speak of them are not asked for.
    pub(crate) fn runs(&self, file: &str, memories: &str, switches: &[&str]) -> (bool, Vec<Value>) {
        let path = format!("{file}.lac");
        let mut arguments = vec!["check", &path, "--variant", "all", "--memory", memories, "--json", "-"];
        arguments.extend(if switches.is_empty() { &["--expect"] } else { switches });
        let (code, json, err) = self.lacuna(&arguments);
        assert_eq!(err, "", "{file}: warnings");
        (code == Some(0), serde_json::from_str(&json).expect("one object per run"))
    }

    pub(crate) fn formulas(&self) -> Vec<Formula> {
        let mut formulas = Vec::new();
        for file in self.files() {
            let (_, runs) = self.runs(&file, &self.memories.join(","), &[]);
            for of_formula in runs.chunks(self.memories.len()) {
                let is_allowed = |(run, memory): (&Value, &&str)| {
                    assert_eq!(run["memory"], **memory);
                    run["verdict"] == "violated"
                };
                let allowed = of_formula.iter().zip(self.memories).map(is_allowed).collect();
                let outcome = of_formula[0]["variant"].as_str().expect("a name").to_string();
                formulas.push(Formula { file: file.clone(), outcome, allowed });
            }
        }
        formulas
    }

    /// Every formula gets the verdicts that its file expects of it.
    pub(crate) fn check_verdicts(&self) {
        let of_table = self.memories.join(",");
        for (file, memories) in self.files().iter().flat_map(|file| [(file, "all"), (file, &of_table)]) {
            let (as_expected, runs) = self.runs(file, memories, &[]);
            assert!(as_expected, "{file}: `lacuna check {file}.lac --variant all` shows which are not");
            assert!(runs.iter().all(|run| run["expected"].is_string()), "{file} expects something of every run");
            let decided = |run: &Value| run["verdict"] == "holds" || run["property"] == "outcome";
            assert!(runs.iter().all(decided), "{file}: only outcomes are violated");
        }
    }

    pub(crate) fn check_layout(&self) {
        let files: Vec<String> = self.files().into_iter().map(|name| format!("{name}.lac")).collect();
        let mut arguments = vec!["fmt", "--check"];
        arguments.extend(files.iter().map(String::as_str));
        assert_eq!(self.lacuna(&arguments), (Some(0), String::new(), String::new()));
    }

    /// What the file says of an outcome.
    fn title(&self, formula: &Formula) -> String {
        let text = self.text(&formula.file);
        let start = format!("variant {} \"", formula.outcome);
        let line = text.lines().find_map(|line| line.strip_prefix(&start)).expect("every outcome has a title");
        line.split('"').next().expect("the title ends").to_string()
    }

    /// The table in the README is what the checker finds.
    pub(crate) fn check_table(&self) {
        let rules = "---|".repeat(3 + self.memories.len());
        let mut table = format!("| {} | outcome | | {} |\n|{rules}\n", self.what, self.memories.join(" | "));
        for formula in self.formulas() {
            let words: Vec<&str> = formula.allowed.iter().map(|a| if *a { "possible" } else { "–" }).collect();
            let Formula { file, outcome, .. } = &formula;
            let row = [&format!("[{file}]({file}.lac)"), &format!("`{outcome}`"), &self.title(&formula)];
            table += &format!("| {} | {} |\n", row.map(String::as_str).join(" | "), words.join(" | "));
        }
        let path = self.place().join("README.md");
        let page = std::fs::read_to_string(&path).expect("the page is there");
        let (before, rest) = page.split_once(BEGIN).expect("a mark before the table");
        let (old, after) = rest.split_once(END).expect("a mark after the table");
        if old != table && std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page can be written");
        } else {
            assert_eq!(old, table, "BLESS=1 rewrites the table");
        }
    }
}
