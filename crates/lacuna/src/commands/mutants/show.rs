//! The results of the mutants so far: printed mutant by mutant, and written to the files asked for.

use super::json::MutantsReport;
use super::request::Request;
use super::{page, words};
use crate::args::MutantsArgs;
use crate::exit::{Error, print, write};
use crate::rows::{Rows, Written};
use mutate::Mutant;

pub(super) struct Show<'a> {
    pub(super) args: &'a MutantsArgs,
    pub(super) request: &'a Request,
    /// The variants so far.
    pub(super) reports: Vec<MutantsReport>,
    /// The table of the last.
    pub(super) rows: Rows,
    pub(super) written: Written,
}

impl Show<'_> {
    /// One variant more: the original has been run.
    pub(super) fn begin(&mut self, report: MutantsReport, mutants: &[Mutant]) -> Result<(), Error> {
        let between = if self.reports.is_empty() { "" } else { "\n" };
        self.rows = Rows::new(words::widths(self.request, mutants));
        let head = words::head(&report);
        self.reports.push(report);
        self.print(&format!("{between}{head}"))
    }

    /// One mutant more of the last variant.
    pub(super) fn add(&mut self, add: impl FnOnce(&mut MutantsReport)) -> Result<(), Error> {
        let Some(report) = self.reports.last_mut() else { return Ok(()) };
        let before = report.mutants.len();
        add(report);
        let new = report.mutants.get(before).filter(|mutant| mutant.fate != "equivalent");
        let line = new.map(|mutant| self.rows.line(&words::line(report, mutant)));
        if let Some(line) = line {
            self.print(&line)?;
        }
        if self.written.is_due() { self.write(|path| path != "-") } else { Ok(()) }
    }

    /// Nothing more comes for a while.
    pub(super) fn pause(&mut self) -> Result<(), Error> {
        if self.written.is_left() { self.write(|path| path != "-") } else { Ok(()) }
    }

    /// The last variant is finished.
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.reports.last() {
            Some(report) => self.print(&words::tail(self.args, report)),
            None => Ok(()),
        }
    }

    /// Nothing more comes.
    pub(super) fn finish(&self) -> Result<(), Error> {
        self.write(|_| true)
    }

    fn print(&self, text: &str) -> Result<(), Error> {
        let is_quiet = [&self.args.json, &self.args.html].into_iter().any(|path| path.as_deref() == Some("-"));
        if is_quiet { Ok(()) } else { print(text) }
    }

    fn write(&self, is_wanted: fn(&str) -> bool) -> Result<(), Error> {
        if let Some(path) = self.args.json.as_deref().filter(|path| is_wanted(path)) {
            write(path, &format!("{}\n", serde_json::to_string_pretty(&self.reports).expect("plain data")))?;
        }
        match self.args.html.as_deref().filter(|path| is_wanted(path)) {
            Some(path) => write(path, &page::page(&self.reports)),
            None => Ok(()),
        }
    }
}
