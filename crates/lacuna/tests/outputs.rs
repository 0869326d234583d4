//! Files for other programs: each is what its schema, or its format's grammar, says, and says what the run found.

use crate::command::{root, run};
use serde_json::Value;

/// What `option` writes of each system with a violation: one that ends, and one that repeats forever.
fn outputs(option: &str) -> Vec<String> {
    let staccato = ["check", "protocols/copying/staccato/staccato.lac", "--scenario", "all"];
    let liveness = ["check", "tests/liveness/livelock.lac", "--memory", "all"];
    let of = |arguments: &[&str]| {
        let output = run(&[arguments, &[option, "-"]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    vec![of(&staccato), of(&liveness)]
}

fn schema(name: &str) -> Value {
    let text = std::fs::read_to_string(root().join(format!("schemas/{name}.schema.json"))).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

/// What is wrong with `value`, by the part of JSON Schema that our schemas use. A keyword that is not known here is wrong too.
fn validate(schema: &Value, value: &Value, whole: &Value, at: &str, wrong: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let mut require = |holds: bool| {
            if !holds {
                wrong.push(format!("{at}: {keyword} {rule}: {value}"));
            }
        };
        match keyword.as_str() {
            "$schema" | "title" | "$defs" => {}
            "type" => require(types(rule).iter().any(|name| is_type(name, value))),
            "const" => require(value == rule),
            "enum" => require(rule.as_array().expect("a list").contains(value)),
            "required" => {
                let names = rule.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name"));
                require(names.into_iter().all(|name| value.get(name).is_some()));
            }
            "anyOf" => {
                let fits = |one: &Value| {
                    let mut wrong = Vec::new();
                    validate(one, value, whole, at, &mut wrong);
                    wrong.is_empty()
                };
                require(rule.as_array().expect("a list").iter().any(fits));
            }
            "$ref" => {
                let path =
                    rule.as_str().and_then(|rule| rule.strip_prefix('#')).expect("a reference within the schema");
                validate(whole.pointer(path).expect("a definition"), value, whole, at, wrong);
            }
            "items" => {
                for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(rule, item, whole, &format!("{at}/{n}"), wrong);
                }
            }
            "properties" => {
                for (name, inner) in rule.as_object().expect("an object") {
                    if let Some(value) = value.get(name) {
                        validate(inner, value, whole, &format!("{at}/{name}"), wrong);
                    }
                }
            }
            "additionalProperties" => {
                let known = |name: &str| schema["properties"].get(name).is_some();
                for (name, value) in value.as_object().into_iter().flatten().filter(|(name, _)| !known(name)) {
                    match rule {
                        Value::Bool(false) => wrong.push(format!("{at}: `{name}` is not in the schema")),
                        rule => validate(rule, value, whole, &format!("{at}/{name}"), wrong),
                    }
                }
            }
            _ => panic!("the schema has the keyword `{keyword}`, which is not checked here"),
        }
    }
}

fn types(rule: &Value) -> Vec<&str> {
    match rule {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => panic!("what type is {rule}?"),
    }
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => panic!("what is the type `{name}`?"),
    }
}

fn valid(name: &str, text: &str) -> Value {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let schema = schema(name);
    let mut wrong = Vec::new();
    validate(&schema, &value, &schema, "", &mut wrong);
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    value
}

#[test]
fn runs_and_their_explanations_are_as_the_schema_says() {
    for text in outputs("--json") {
        let runs = valid("runs", &text);
        for run in runs.as_array().expect("a list") {
            assert_eq!(run["explanation"].is_null(), run["verdict"] != "violated");
        }
    }
}

#[test]
fn traces_and_explanations_are_as_their_schemas_say() {
    for text in outputs("--save-trace") {
        valid("trace", &text);
        let path = std::env::temp_dir().join(format!("lacuna-outputs-{}.json", std::process::id()));
        std::fs::write(&path, &text).expect("writable");
        let output = run(&["explain", path.to_str().expect("text"), "--gaps", "--json", "-"]);
        std::fs::remove_file(&path).expect("there");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        valid("explanations", &String::from_utf8(output.stdout).expect("text"));
    }
}

#[test]
fn mutants_and_scopes_are_as_their_schemas_say() {
    let written = |arguments: &[&str], code: i32| {
        let output = run(&[arguments, &["--json", "-"]].concat());
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let mutants = valid("mutants", &written(&["mutants", "litmus/MP+rel+acq.lac", "--variants"], 0));
    assert!(mutants[0]["mutants"].as_array().is_some_and(|list| list.iter().any(|mutant| mutant["fate"] == "killed")));
    valid("mutants", &written(&["mutants", "litmus/MP.lac"], 1));
    let staccato = "protocols/copying/staccato/staccato.lac";
    let scopes = valid("scope", &written(&["scope", staccato, "--vary", "FIELDS=1..3", "--max-states", "6000"], 3));
    assert!(scopes["rows"].as_array().is_some_and(|rows| rows.iter().any(|row| row["verdict"] == "inconclusive")));
    valid("scope", &written(&["scope", staccato, "-m", "rmo-no", "--vary", "K=1..3"], 1));
}

#[test]
fn walks_are_as_the_schema_says() {
    let staccato = "protocols/copying/staccato/staccato.lac";
    for (walks, code) in [("0", 3), ("10000", 1)] {
        let output =
            run(&["simulate", staccato, "--memory", "rmo-no", "--scenario", "WR", "--walks", walks, "--json", "-"]);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        valid("simulations", &String::from_utf8(output.stdout).expect("text"));
    }
}

#[test]
fn matrices_of_obligations_are_as_the_schema_says() {
    for (file, code) in [("lock.lac", 0), ("lock_alone.lac", 5)] {
        let output = run(&["prove", &format!("tests/prove/{file}"), "--json", "-"]);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        let reports = valid("proofs", &String::from_utf8(output.stdout).expect("text"));
        let (rows, columns) =
            (reports[0]["rows"].as_array().expect("a list"), reports[0]["columns"].as_array().expect("a list"));
        let matrix = reports[0]["matrix"].as_array().expect("a list");
        assert_eq!(matrix.len(), rows.len());
        assert!(matrix.iter().all(|cells| cells.as_array().expect("a list").len() == columns.len()));
    }
}

#[test]
fn itf_traces_have_every_variable_in_every_state() {
    let loops: Vec<bool> = outputs("--itf")
        .iter()
        .map(|text| {
            let itf = valid("itf", text);
            let vars = itf["vars"].as_array().expect("a list");
            for (n, state) in itf["states"].as_array().expect("a list").iter().enumerate() {
                assert_eq!(state["#meta"]["index"], n);
                assert!(vars.iter().all(|var| state.get(var.as_str().expect("a name")).is_some()));
                assert_eq!(state.as_object().expect("an object").len(), vars.len() + 1);
            }
            itf.get("loop").is_some()
        })
        .collect();
    assert_eq!(loops, [false, true]);
}

#[test]
fn sarif_places_violations_at_their_lines() {
    for text in outputs("--sarif") {
        let log = valid("sarif", &text);
        let results = log["runs"][0]["results"].as_array().expect("a list");
        assert!(!results.is_empty());
        for result in results {
            let place = &result["locations"][0]["physicalLocation"];
            let file = root().join(place["artifactLocation"]["uri"].as_str().expect("a file"));
            let source = std::fs::read_to_string(&file).expect("the file is there");
            let line = place["region"]["startLine"].as_u64().expect("a line") as usize;
            let text = source.lines().nth(line - 1).expect("the line is there");
            assert!(text.contains(result["ruleId"].as_str().expect("a rule")), "{}:{line}: {text}", file.display());
        }
    }
}

#[test]
fn junit_counts_what_it_lists() {
    for text in outputs("--junit") {
        let document = roxmltree::Document::parse(&text).expect("well formed");
        let suites = document.root_element();
        assert!(suites.has_tag_name("testsuites"));
        let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
        for suite in document.descendants().filter(|node| node.tag_name().name().starts_with("testsuite")) {
            for (attribute, element) in
                [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
            {
                assert_eq!(suite.attribute(attribute), Some(count(element).as_str()), "{attribute}");
            }
        }
        let failure = document.descendants().find(|node| node.has_tag_name("failure")).expect("one is violated");
        assert!(failure.text().expect("a text").contains("is violated under"));
    }
}

/// The statements of a DOT graph: strings are left out, so what is left has only words, arrows, brackets and marks.
fn statements(dot: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut chars = dot.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            plain.push(c);
            continue;
        }
        plain.push('"');
        loop {
            match chars.next().expect("a string ends") {
                '\\' => drop(chars.next().expect("something is escaped")),
                '"' => break,
                _ => {}
            }
        }
    }
    plain.split([';', '{', '}']).map(|statement| statement.trim().to_string()).filter(|s| !s.is_empty()).collect()
}

#[test]
fn dot_graphs_link_only_nodes_that_are_there() {
    for text in outputs("--dot") {
        let depth = text.lines().fold(0, |depth, line| {
            let depth = depth + i32::from(line.trim_end().ends_with('{')) - i32::from(line.trim() == "}");
            assert!(depth >= 0);
            depth
        });
        assert_eq!(depth, 0, "brackets are balanced");
        let statements = statements(&text);
        assert_eq!(statements[0], "digraph lacuna");
        let word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.is_empty();
        let name = |statement: &String| statement.split([' ', '[']).next().unwrap_or("").to_string();
        let is_node = |s: &&String| s.contains('[') && !s.contains("->") && !s.starts_with("node ");
        let nodes: Vec<String> = statements.iter().filter(is_node).map(name).collect();
        assert!(nodes.iter().all(|node| word(node)));
        for edge in statements.iter().filter(|statement| statement.contains("->")) {
            let ends = edge.split('[').next().unwrap_or("").split("->").map(str::trim);
            ends.for_each(|end| assert!(nodes.iter().any(|node| node == end), "{edge}"));
        }
    }
}

#[test]
fn a_file_that_cannot_be_written_and_two_outputs_at_once_are_refused() {
    for option in ["--json", "--save-trace", "--itf", "--junit", "--sarif", "--dot"] {
        let output = run(&["check", "litmus/SB.lac", "--memory", "tso", option, "/nowhere/at/all"]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(said.contains("cannot write `/nowhere/at/all`"), "{option}: {said}");
    }
    let output = run(&["check", "litmus/SB.lac", "--memory", "tso", "--json", "-", "--dot", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).expect("text").contains("cannot both write to standard output"));
}
