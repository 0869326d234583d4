//! Files, variants, scenarios, settings and expectations.

use program::{Expected, ExpectedOf, Loaded, Settings, World, check, load, outline};
use std::io;
use std::path::Path;

/// Files in memory.
struct Files(&'static [(&'static str, &'static str)]);

impl World for Files {
    fn read(&self, path: &Path) -> io::Result<String> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.to_string()).ok_or(io::ErrorKind::NotFound.into())
    }
}

fn one(text: &'static str) -> Loaded {
    let files: &'static [(&str, &str)] = Box::leak(Box::new([("p.lac", text)]));
    load(&Files(files), Path::new("p.lac"))
}

const PROTOCOL: &str = "\
//! About the protocol.
param N: 1..4 = 1
flag mode: fast | slow = fast
const C = 5
variant original \"The original\" {}
variant slower { mode = slow; N = 2; C = 6 }
scenario one { thread t[N] { skip } }
scenario two default \"the second\" { N = 3; thread t[N] { skip } }
expect original { sc, tso: holds; all: violated in two by in_range }
expect original with N = 2 { sc: violated }
expect { sc: holds }
";

fn settings(variant: Option<&str>, scenario: Option<&str>, set: &[(&str, &str)]) -> Settings {
    Settings {
        variant: variant.map(String::from),
        scenario: scenario.map(String::from),
        set: set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(),
    }
}

/// The values of all parameters and flags, or what is wrong.
fn constants(settings: &Settings) -> Result<String, String> {
    let (program, diagnostics) = check(&one(PROTOCOL), settings);
    match program {
        Some(p) => {
            let shown: Vec<String> = p.constants.iter().map(|(n, v)| format!("{n}={v}")).collect();
            Ok(format!("{} {} {}", p.variant, p.scenario, shown.join(" ")))
        }
        None => {
            Err(diagnostics.iter().map(|d| format!("{}; {}", d.message, d.hint.clone().unwrap_or_default())).collect())
        }
    }
}

#[test]
fn set_goes_before_scenario_goes_before_variant_goes_before_default() {
    let show = |v, s, set: &[_]| constants(&settings(v, s, set)).unwrap();
    assert_eq!(show(None, None, &[]), "original two N=3 mode=fast");
    assert_eq!(show(None, Some("one"), &[]), "original one N=1 mode=fast");
    assert_eq!(show(Some("slower"), Some("one"), &[]), "slower one N=2 mode=slow");
    assert_eq!(show(Some("slower"), None, &[("N", "4"), ("mode", "fast")]), "slower two N=4 mode=fast");
}

#[test]
fn what_does_not_exist_is_named_with_what_does() {
    let wrong = |v, s, set: &[_]| constants(&settings(v, s, set)).unwrap_err();
    assert_eq!(wrong(Some("slow"), None, &[]), "there is no variant `slow`; there is `original` and `slower`");
    assert_eq!(
        wrong(Some("sloer"), None, &[]),
        "there is no variant `sloer`; did you mean `slower`? there is `original` and `slower`"
    );
    assert_eq!(wrong(None, Some("three"), &[]), "there is no scenario `three`; there is `one` and `two`");
    assert_eq!(wrong(None, None, &[("M", "1")]), "there is no parameter or flag `M`; there is `N` and `mode`");
    assert_eq!(wrong(None, None, &[("N", "9")]), "`N` cannot be `9`; `N` is a number in 1..4");
    assert_eq!(wrong(None, None, &[("mode", "x")]), "`mode` cannot be `x`; `mode` is one of `fast` and `slow`");
}

#[test]
fn the_outline_says_what_a_file_offers() {
    let outline = outline(&one(PROTOCOL));
    assert_eq!(outline.name, "p");
    assert_eq!(outline.doc, ["About the protocol."]);
    let variants: Vec<_> =
        outline.variants.iter().map(|v| (v.name.as_str(), v.title.as_deref(), v.is_default)).collect();
    assert_eq!(variants, [("original", Some("The original"), true), ("slower", None, false)]);
    let scenarios: Vec<_> = outline.scenarios.iter().map(|s| (s.name.as_str(), s.is_default)).collect();
    assert_eq!(scenarios, [("one", false), ("two", true)]);
    assert_eq!((outline.params[0].domain.as_str(), outline.params[0].default.as_str()), ("1..4", "1"));
    assert_eq!(outline.flags[0].words, ["fast", "slow"]);
}

#[test]
fn a_file_without_variants_and_scenarios_has_one_of_each() {
    let outline = outline(&one("thread t { skip }\n"));
    assert_eq!(outline.variants[0].name, "original");
    assert_eq!(outline.scenarios[0].name, "main");
    let wanted = settings(Some("original"), Some("main"), &[]);
    assert!(check(&one("thread t { skip }\n"), &wanted).0.is_some());
}

#[test]
fn the_first_row_that_names_the_memory_model_counts() {
    let outline = outline(&one(PROTOCOL));
    let violated = |p: Option<&str>| Some(Expected::Violated { property: p.map(String::from) });
    let set = |value: &str| vec![("N".to_string(), value.to_string())];
    let expected = |variant, given: &[(String, String)], scenario, memory| {
        let values = [("N".to_string(), "1".to_string()), ("speculate".to_string(), "0".to_string())];
        let run =
            ExpectedOf { variant, scenario, memory, given, values: if given.is_empty() { &values } else { given } };
        outline.expected(run).expect("no contradiction")
    };
    assert_eq!(expected("original", &[], "two", "tso"), Some(Expected::Holds));
    assert_eq!(expected("original", &[], "two", "pso-full"), violated(Some("in_range")));
    assert_eq!(expected("original", &[], "one", "pso-full"), Some(Expected::Holds));
    assert_eq!(expected("original", &set("2"), "one", "sc"), violated(None));
    assert_eq!(expected("original", &set("3"), "one", "sc"), None);
    assert_eq!(expected("slower", &[], "one", "sc"), Some(Expected::Holds));
    assert_eq!(expected("slower", &[], "one", "tso"), None);
}

#[test]
fn files_are_sought_upward_and_read_once() {
    let files = Files(&[
        ("/a/b/c/protocol.lac", "use near\nuse far\nthread t { x = 1 }\n"),
        ("/a/b/c/near.lac", "use far\nuse protocol\n"),
        ("/a/far.lac", "cell x: 0..1 = 0\n"),
    ]);
    let loaded = load(&files, Path::new("/a/b/c/protocol.lac"));
    assert_eq!(loaded.modules.len(), 3);
    assert!(loaded.diagnostics.is_empty());
    assert!(check(&loaded, &Settings::default()).0.is_some());
}

#[test]
fn a_relative_path_is_followed_above_where_it_starts() {
    let files = Files(&[("p.lac", "use far\nthread t { x = 1 }\n"), ("../../far.lac", "cell x: 0..1 = 0\n")]);
    assert!(load(&files, Path::new("./p.lac")).diagnostics.is_empty());
    let files = Files(&[("../p.lac", "use far\nthread t { x = 1 }\n"), ("far.lac", "cell x: 0..1 = 0\n")]);
    assert_eq!(load(&files, Path::new("../p.lac")).diagnostics.len(), 1);
}

#[test]
fn a_file_that_is_not_there_is_reported() {
    let loaded = load(&Files(&[]), Path::new("gone.lac"));
    assert_eq!(loaded.diagnostics.len(), 1);
    assert!(check(&loaded, &Settings::default()).0.is_none());
}
