//! A report in one file: verdicts, and every state of every counterexample, for a browser without a server.

use crate::assets;
use crate::view::Report;
use serde::Serialize;

#[derive(Serialize)]
struct Data<'a> {
    report: &'a Report,
}

/// The report as HTML.
pub fn document(report: &Report) -> String {
    assets::page(&format!("{}: verdicts", report.title), &Data { report }, assets::Peer::None).text
}
