//! Runs as JUnit XML: one test case per run.

use std::fmt::Write;

/// All runs of a protocol.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The protocol.
    pub name: String,
    /// Its runs.
    pub cases: Vec<Case>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Case {
    /// Protocol and variant.
    pub class: String,
    /// Scenario and memory model.
    pub name: String,
    /// Wall time.
    pub seconds: f64,
    /// Its result.
    pub verdict: Verdict,
}

/// The result of a run, in JUnit's words.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds.
    Passed,
    /// It is violated.
    Failed {
        /// The property.
        kind: String,
        /// What is violated, and why.
        text: String,
    },
    /// It was not decided.
    Error(String),
    /// It holds vacuously.
    Skipped(String),
}

/// The suites as XML.
pub fn write(suites: &[Suite]) -> String {
    let all = counts(suites.iter().flat_map(|suite| &suite.cases));
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {all}>\n");
    for suite in suites {
        let _ = writeln!(out, "  <testsuite name=\"{}\" {}>", escape(&suite.name), counts(&suite.cases));
        suite.cases.iter().for_each(|case| write_case(case, &mut out));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// How many cases there are, how many of them did not pass, and how long they took.
fn counts<'a>(cases: impl IntoIterator<Item = &'a Case>) -> String {
    let cases: Vec<&Case> = cases.into_iter().collect();
    let count = |is: fn(&Verdict) -> bool| cases.iter().filter(|case| is(&case.verdict)).count();
    let failures = count(|verdict| matches!(verdict, Verdict::Failed { .. }));
    let errors = count(|verdict| matches!(verdict, Verdict::Error(_)));
    let skipped = count(|verdict| matches!(verdict, Verdict::Skipped(_)));
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\"",
        cases.len()
    )
}

fn write_case(case: &Case, out: &mut String) {
    let (class, name) = (escape(&case.class), escape(&case.name));
    let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"", case.seconds);
    let inside = match &case.verdict {
        Verdict::Passed => {
            out.push_str("/>\n");
            return;
        }
        Verdict::Failed { kind, text } => {
            let message = escape(text.lines().next().unwrap_or(""));
            format!("<failure type=\"{}\" message=\"{message}\">{}</failure>", escape(kind), escape(text))
        }
        Verdict::Error(message) => format!("<error message=\"{}\"/>", escape(message)),
        Verdict::Skipped(message) => format!("<skipped message=\"{}\"/>", escape(message)),
    };
    let _ = writeln!(out, ">\n      {inside}\n    </testcase>");
}

/// Text as XML allows it: characters that it cannot hold are left out.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
