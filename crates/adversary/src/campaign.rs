//! Many cases: generated, judged, shrunk, counted.

use crate::generate::{Profile, generate};
use crate::judge::{Court, Disagreement};
use crate::random::Random;
use crate::setting::Setting;
use crate::shrink::{Candidate, shrink};
use crate::subject::Subject;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// What is asked of a campaign.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first seed.
    pub seed: u64,
    /// How many cases, over all profiles.
    pub count: u64,
    /// The profiles, in turn.
    pub profiles: Vec<Profile>,
    /// What settings they get.
    pub settings: Settings,
    /// How many disagreements of a kind are shrunk and kept.
    pub keep: usize,
    /// How long shrinking one may take.
    pub shrinking: Duration,
}

/// A setting from the seed of a case, for a profile of that name.
pub type Settings = fn(&mut Random, &str) -> Setting;

/// What became of the cases of one profile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// How many were generated.
    pub cases: u64,
    /// How many the front end accepted.
    pub accepted: u64,
    /// How many a limit stopped.
    pub skipped: u64,
    /// How many violate a property.
    pub violated: u64,
    /// How many comparisons were made.
    pub compared: u64,
    /// How many comparisons a limit stopped.
    pub limited: u64,
    /// How many cases had a disagreement.
    pub disagreements: u64,
    /// How long all took.
    pub seconds: f64,
}

/// A disagreement with the program that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its seed.
    pub seed: u64,
    /// Its profile.
    pub profile: &'static str,
    /// The disagreement.
    pub disagreement: Disagreement,
    /// The least program found that shows it, and the setting.
    pub least: Candidate,
}

impl Finding {
    /// The program with a header that says all.
    pub fn text(&self) -> String {
        let Disagreement { check, what, details } = &self.disagreement;
        let arguments = self.least.setting.arguments();
        let details = details.replace('\n', " ");
        let head = format!("//! {check}: {what}\n//! {details}\n//! lacuna check {arguments}");
        format!("{head}\n//! adversary: profile {}, seed {}\n\n{}", self.profile, self.seed, self.least.text)
    }

    /// A name for its file.
    pub fn file_name(&self) -> String {
        let Disagreement { check, what, .. } = &self.disagreement;
        let name: String = format!("{check} {what}")
            .replace('+', "only_here_")
            .replace(" -", " not_here_")
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let short: String = name.chars().filter(|c| c.is_ascii()).take(70).collect();
        format!("{short}-{}-{}.lac", self.profile, self.seed)
    }
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By profile.
    pub rows: BTreeMap<&'static str, Row>,
    /// The disagreements kept.
    pub findings: Vec<Finding>,
    /// How many there were of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// How long each check took in all.
    pub seconds: BTreeMap<String, f64>,
}

/// A case: program and setting, both from the seed.
pub fn case(profile: &Profile, settings: Settings, seed: u64) -> Candidate {
    let setting = settings(&mut Random::new(seed ^ 0x5E77), profile.name);
    Candidate { text: generate(profile, seed), setting }
}

/// Judges many cases. `tell` hears of each case before it is judged, `found` of each disagreement kept.
pub fn campaign(court: &Court, plan: &Plan, tell: &dyn Fn(&str, u64, &Candidate), found: &dyn Fn(&Finding)) -> Report {
    let mut report = Report::default();
    for n in 0..plan.count {
        let profile = &plan.profiles[(n % plan.profiles.len() as u64) as usize];
        let seed = plan.seed + n;
        let candidate = case(profile, plan.settings, seed);
        tell(profile.name, seed, &candidate);
        let begun = Instant::now();
        let disagreements = one(court, &candidate, profile.name, &mut report);
        for disagreement in disagreements {
            let kind = format!("{}: {}", disagreement.check, disagreement.what);
            let met = report.kinds.entry(kind).or_default();
            *met += 1;
            if *met > plan.keep as u64 {
                continue;
            }
            let least = least(court, &candidate, &disagreement, plan.shrinking, &|c| tell(profile.name, seed, c));
            let disagreement = again(court, &least, &disagreement).unwrap_or(disagreement);
            let finding = Finding { seed, profile: profile.name, disagreement, least };
            found(&finding);
            report.findings.push(finding);
        }
        report.rows.entry(profile.name).or_default().seconds += begun.elapsed().as_secs_f64();
    }
    report
}

fn one(court: &Court, candidate: &Candidate, profile: &'static str, report: &mut Report) -> Vec<Disagreement> {
    let row = report.rows.entry(profile).or_default();
    row.cases += 1;
    let subject = match crate::panics::caught(|| Subject::new(&candidate.text)) {
        Ok(Ok(subject)) => subject,
        Ok(Err(_)) => return Vec::new(),
        Err(panic) => return vec![Disagreement::new("front end", panic.kind(), panic.message)],
    };
    row.accepted += 1;
    let judgement = court.judge(&subject, &candidate.setting, None);
    row.skipped += u64::from(judgement.is_skipped);
    row.violated += u64::from(judgement.is_violated);
    row.compared += judgement.n_compared as u64;
    row.limited += judgement.n_limited as u64;
    row.disagreements += u64::from(!judgement.disagreements.is_empty());
    for (name, seconds) in judgement.seconds {
        *report.seconds.entry(name).or_default() += seconds;
    }
    judgement.disagreements
}

/// The same disagreement on another program, if it is there.
fn again(court: &Court, candidate: &Candidate, like: &Disagreement) -> Option<Disagreement> {
    let subject = match crate::panics::caught(|| Subject::new(&candidate.text)) {
        Ok(subject) => subject.ok()?,
        Err(panic) => {
            let found = Disagreement::new("front end", panic.kind(), panic.message);
            return found.is_like(like).then_some(found);
        }
    };
    let judgement = court.judge(&subject, &candidate.setting, Some(&like.check));
    judgement.disagreements.into_iter().find(|found| found.is_like(like))
}

/// The least program on which the disagreement remains.
pub fn least(
    court: &Court,
    candidate: &Candidate,
    disagreement: &Disagreement,
    time: Duration,
    tell: &dyn Fn(&Candidate),
) -> Candidate {
    shrink(candidate, time, &|candidate| {
        tell(candidate);
        again(court, candidate, disagreement).is_some()
    })
}

impl Report {
    /// The rows as a table.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<14}{:>8}{:>10}{:>9}{:>10}{:>10}{:>9}{:>15}{:>9}\n",
            "profile", "cases", "accepted", "skipped", "violated", "compared", "limited", "disagreements", "cases/s"
        );
        for (name, row) in &self.rows {
            let Row { cases, accepted, skipped, violated, compared, limited, disagreements, seconds } = row;
            let rate = *cases as f64 / seconds.max(1e-9);
            let _ = writeln!(
                text,
                "{name:<14}{cases:>8}{accepted:>10}{skipped:>9}{violated:>10}{compared:>10}{limited:>9}{disagreements:>15}{rate:>9.0}"
            );
        }
        for (check, seconds) in &self.seconds {
            let _ = writeln!(text, "{seconds:>8.1}s {check}");
        }
        for (kind, count) in &self.kinds {
            let _ = writeln!(text, "{count:>8}  {kind}");
        }
        text
    }

    /// How many cases had a disagreement.
    pub fn n_disagreements(&self) -> u64 {
        self.rows.values().map(|row| row.disagreements).sum()
    }
}
