//! Which variant and scenario run, and what they and `--set` set.

use super::Checker;
use crate::codes;
use crate::names::Decl;
use base::{Diagnostic, Span, suggest};
use syntax::tree::{Scenario, Setting};

/// What the user asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The variant; `original`, else the first, if none.
    pub variant: Option<String>,
    /// The scenario; the default one, else the first, if none.
    pub scenario: Option<String>,
    /// `--set NAME=VALUE`, in order.
    pub set: Vec<(String, String)>,
}

/// Who sets a parameter, flag or constant.
#[derive(Clone, Copy)]
pub(super) enum Override<'a> {
    /// `--set`
    Text(&'a str),
    /// A scenario or variant.
    Setting(&'a Setting),
}

/// Switches of the machine, not of the protocol, that an expectation may name after `with`.
pub(crate) const MACHINE_SWITCHES: [&str; 10] = [
    "K",
    "speculate",
    "spurious_failures",
    "spurious_aborts",
    "weak_isolation",
    "lazy_conflicts",
    "elide_locks",
    "buffer",
    "address_speculation",
    "history",
];

impl<'a> Checker<'a> {
    /// Chooses variant and scenario, and collects what is set.
    pub(super) fn select(&mut self) {
        let variant = self.select_variant();
        let scenario = self.select_scenario();
        if let Some(scenario) = scenario {
            let mut out = std::mem::take(&mut self.out);
            self.names.enter_scenario(scenario, &mut out);
            self.out = out;
        }
        self.check_setting_names();
        let settings = self.settings;
        for (name, value) in settings.set.iter().rev() {
            self.set_by_option(name, value);
        }
        let by_scenario = scenario.map_or(&[][..], |s| &s.settings);
        let by_variant = variant.map_or(&[][..], |i| self.names.variants[i].settings);
        for setting in by_scenario.iter().chain(by_variant) {
            self.overrides.entry(&setting.name.text).or_insert(Override::Setting(setting));
        }
    }

    fn select_variant(&mut self) -> Option<usize> {
        let all: Vec<&str> = self.names.variants.iter().map(|v| v.name.text.as_str()).collect();
        let wanted = self.settings.variant.as_deref();
        let found = match wanted {
            Some(name) => all.iter().position(|v| *v == name),
            None => all.iter().position(|v| *v == "original").or((!all.is_empty()).then_some(0)),
        };
        self.variant = found.map_or("original", |i| all[i]).to_string();
        if let (Some(name), None) = (wanted, found)
            && !(all.is_empty() && name == "original")
        {
            let known = if all.is_empty() { vec!["original"] } else { all };
            self.unknown_choice(codes::UNKNOWN_VARIANT, "variant", name, &known);
        }
        found
    }

    fn select_scenario(&mut self) -> Option<&'a Scenario> {
        let all: Vec<&str> = self.names.scenarios.iter().map(|s| s.name.text.as_str()).collect();
        let wanted = self.settings.scenario.as_deref();
        let found = match wanted {
            Some(name) => all.iter().position(|s| *s == name),
            None => {
                let default = self.names.scenarios.iter().position(|s| s.is_default);
                default.or((!all.is_empty()).then_some(0))
            }
        };
        self.scenario = found.map_or("main", |i| all[i]).to_string();
        if let (Some(name), None) = (wanted, found)
            && !(all.is_empty() && name == "main")
        {
            let known = if all.is_empty() { vec!["main"] } else { all };
            self.unknown_choice(codes::UNKNOWN_SCENARIO, "scenario", name, &known);
        }
        // The rest is checked as far as it goes, with some scenario.
        let found = found.or((!self.names.scenarios.is_empty()).then_some(0));
        found.map(|i| self.names.scenarios[i])
    }

    /// Reports a name on the command line that is not among the `known`, and lists those.
    fn unknown_choice(&mut self, code: base::Code, what: &str, name: &str, known: &[&str]) {
        let there = match known {
            [] => "this file declares none".to_string(),
            _ => format!("there is {}", suggest::list(known)),
        };
        let hint = match suggest::nearest(name, known) {
            Some(near) => format!("did you mean `{near}`? {there}"),
            None => there,
        };
        self.out.push(Diagnostic::error(code, Span::none(), format!("there is no {what} `{name}`")).hint(hint));
    }

    fn set_by_option(&mut self, name: &str, value: &'a str) {
        let settable = |decl: &Decl| matches!(decl, Decl::Param(..) | Decl::Flag(..));
        let known = self.names.all(settable);
        match known.iter().find(|k| **k == name) {
            Some(known) => {
                self.overrides.entry(known).or_insert(Override::Text(value));
            }
            // One of the machine's may have been meant, if none of the file's.
            None if suggest::nearest(name, &known).is_none() && suggest::nearest(name, &MACHINE_SWITCHES).is_some() => {
                let all = [&known[..], &MACHINE_SWITCHES].concat();
                self.unknown_choice(codes::UNKNOWN_SETTING, "parameter or flag", name, &all);
            }
            None => self.unknown_choice(codes::UNKNOWN_SETTING, "parameter or flag", name, &known),
        }
    }

    /// Every setting of every variant and scenario is of something that can be set.
    fn check_setting_names(&mut self) {
        let settable = |decl: &Decl| matches!(decl, Decl::Param(..) | Decl::Flag(..) | Decl::Const(_));
        let known = self.names.all(settable);
        let by_variants = self.names.variants.iter().flat_map(|v| v.settings);
        let by_scenarios = self.names.scenarios.iter().flat_map(|s| &s.settings);
        let is_switch = |s: &&Setting| MACHINE_SWITCHES.contains(&s.name.text.as_str());
        let by_expects = self.names.expects.iter().flat_map(|e| &e.settings).filter(|s| !is_switch(s));
        let unknown: Vec<&'a Setting> = by_variants
            .chain(by_scenarios)
            .chain(by_expects)
            .filter(|s| !known.contains(&s.name.text.as_str()))
            .collect();
        for setting in unknown {
            self.unknown(codes::UNKNOWN_SETTING, &setting.name, "parameter, flag or constant", &known);
        }
    }

    /// Reports that no thread runs.
    pub(super) fn nothing_to_run(&mut self) {
        let message = format!("there is no thread to run in scenario `{}`", self.scenario);
        let span = self.names.scenarios.iter().find(|s| s.name.text == self.scenario).map(|s| s.name.span);
        let hint = "declare one: `thread name { .. }`, outside or inside the scenario";
        self.error(codes::NOTHING_TO_RUN, span.unwrap_or(Span::none()), message).hint = Some(hint.into());
    }
}
