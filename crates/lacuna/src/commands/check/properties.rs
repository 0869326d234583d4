//! What became of each property, for `--every-property`.

use super::Run;
use report::table::align;
use workbench::Finding;

/// Below the table of runs, a table of properties for each; nothing for runs that ended with the first violation.
pub(super) fn table(runs: &[Run<'_>]) -> String {
    runs.iter().filter(|run| !run.answer.findings.is_empty()).map(of_run).collect()
}

fn of_run(run: &Run<'_>) -> String {
    let head = ["property", "verdict", "depth", ""].map(String::from).to_vec();
    let rows: Vec<_> = std::iter::once(head).chain(run.answer.findings.iter().map(row)).collect();
    let stops = stops(&run.answer.stops_at);
    format!("\n{}:\n{}{stops}", run.label(), align(&rows))
}

/// Where a step violates something by itself, nothing is known of what follows; nothing if none does.
pub(crate) fn stops(properties: &[String]) -> String {
    match properties.is_empty() {
        true => String::new(),
        false => format!(
            "a thread stops where it violates {}: what follows there was not looked at\n",
            properties.join(", ")
        ),
    }
}

fn row(finding: &Finding) -> Vec<String> {
    let remark = match finding.never_at.is_empty() {
        true => String::new(),
        false => format!("never {}", finding.never_at.join(", ")),
    };
    let depth = finding.depth().map_or(String::new(), |depth| depth.to_string());
    vec![finding.property.clone(), finding.word().into(), depth, remark]
}
