//! The results of the scopes so far: printed scope by scope, and written to the files asked for.

use super::json::GrowthReport;
use super::{page, words};
use crate::args::GrowthArgs;
use crate::exit::{Error, print, write};
use crate::rows::Rows;

pub(super) struct Show<'a> {
    args: &'a GrowthArgs,
    rows: Rows,
}

impl<'a> Show<'a> {
    pub(super) fn new(args: &'a GrowthArgs) -> Self {
        Show { args, rows: Rows::new([]) }
    }

    /// Before the first scope; `scopes` are the names of all.
    pub(super) fn begin(&mut self, report: &GrowthReport, scopes: &[String]) -> Result<(), Error> {
        self.rows = Rows::new(words::widths(scopes));
        let head = self.rows.line(&words::HEAD.map(String::from));
        self.print(&format!("{}\n{head}", words::title(report)))
    }

    /// One scope more.
    pub(super) fn last(&mut self, report: &GrowthReport) -> Result<(), Error> {
        let Some(row) = report.rows.last() else { return Ok(()) };
        let line = self.rows.line(&words::line(row));
        self.print(&line)?;
        self.write(report, |path| path != "-")
    }

    /// After the last one, with a forecast for those that were not run to their end.
    pub(super) fn finish(&mut self, report: &GrowthReport) -> Result<(), Error> {
        let forecasts = report.rows.iter().filter(|row| row.forecast.is_some()).map(words::expected);
        let lines: String = forecasts.map(|cells| self.rows.line(&cells)).collect();
        let notes: String = words::notes(report).iter().map(|note| format!("{note}\n")).collect();
        self.print(&format!("{lines}\n{notes}"))?;
        self.write(report, |_| true)
    }

    fn print(&self, text: &str) -> Result<(), Error> {
        let is_quiet = [&self.args.json, &self.args.html].into_iter().any(|path| path.as_deref() == Some("-"));
        if is_quiet { Ok(()) } else { print(text) }
    }

    fn write(&self, report: &GrowthReport, is_wanted: fn(&str) -> bool) -> Result<(), Error> {
        if let Some(path) = self.args.json.as_deref().filter(|path| is_wanted(path)) {
            write(path, &format!("{}\n", serde_json::to_string_pretty(report).expect("plain data")))?;
        }
        match self.args.html.as_deref().filter(|path| is_wanted(path)) {
            Some(path) => write(path, &page::page(report)),
            None => Ok(()),
        }
    }
}
