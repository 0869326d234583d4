//! `lacuna explore` and `check --html` without a browser: what the server answers, and what is said when it cannot serve.

use crate::page::{Explorer, STACCATO, http, lacuna, scratch, staccato_trace};
use serde_json::{Value, json};
use std::io::Read;
use std::net::TcpListener;
use std::process::Stdio;

fn choice(memory: &str, watch: Option<&str>) -> Value {
    json!({ "variant": "original", "scenario": "general", "memory": memory, "watch": watch })
}

fn run(explorer: &Explorer, memory: &str, path: &Value) -> Value {
    let (code, run) = explorer.ask("run", &json!({ "choice": choice(memory, None), "path": path, "known": 0 }));
    assert_eq!(code, 200, "{run}");
    run
}

fn object<'a>(frame: &'a Value, name: &str) -> &'a Value {
    let objects = frame["heap"]["objects"].as_array().expect("objects");
    objects.iter().find(|object| object["name"] == name).unwrap_or_else(|| panic!("no object {name}"))
}

#[test]
fn a_trace_is_followed_state_by_state() {
    let file = staccato_trace("pso-full", "followed.json");
    let trace: Value = serde_json::from_str(&std::fs::read_to_string(&file).expect("written")).expect("JSON");
    let explorer = Explorer::start(&[STACCATO, &file.display().to_string()]);
    let path = json!({ "initial": trace["initial"], "steps": trace["steps"], "loop_start": null });
    let run = run(&explorer, "pso-full", &path);
    let frames = run["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), trace["steps"].as_array().expect("steps").len() + 1);
    let (first, last) = (&frames[0], &frames[frames.len() - 1]);

    // The heap: the copy is reached by nothing at first, and through the forwarding pointer at last.
    assert_eq!(
        (&object(first, "from")["is_reached"], &object(first, "to")["is_reached"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(object(last, "to")["is_reached"], true);
    let forwards = |edge: &&Value| edge["is_forwarding"] == true && edge["from"] == 0 && edge["to"] == 1;
    assert_eq!(last["heap"]["edges"].as_array().expect("edges").iter().filter(forwards).count(), 1);

    // Only the last state violates something, and says what.
    assert!(frames[..frames.len() - 1].iter().all(|frame| frame["violated"].is_null()));
    assert_eq!(last["violated"], "lost_update");
    let fails: Vec<&Value> =
        last["properties"].as_array().expect("properties").iter().filter(|p| p["now"] == "fails").collect();
    assert_eq!(fails.len(), 1, "{fails:?}");

    // The mutator's store waits while the collector copies.
    let waits = |frame: &Value| {
        frame["threads"][1]["queue"].as_array().is_some_and(|queue| {
            queue.iter().any(|entry| entry["kind"] == "store" && entry["words"] == "from.data ← 1")
        })
    };
    assert!(frames.iter().any(waits));
    let _ = std::fs::remove_file(file);
}

/// The colours of the objects `a` and `b` after each step of the only thread.
fn colours(name: &str, text: &str) -> Vec<(Value, Value)> {
    let file = scratch(name);
    std::fs::write(&file, text).expect("written");
    let explorer = Explorer::start(&[&file.display().to_string(), "--memory", "sc"]);
    let path = json!({ "initial": 0, "steps": [0, 0, 0] });
    let choice = json!({ "variant": "original", "scenario": "main", "memory": "sc" });
    let (code, run) = explorer.ask("run", &json!({ "choice": choice, "path": path }));
    assert_eq!(code, 200, "{run}");
    let _ = std::fs::remove_file(file);
    let colour = |frame: &Value, name: &str| object(frame, name)["colour"].clone();
    run["frames"].as_array().expect("frames").iter().map(|f| (colour(f, "a"), colour(f, "b"))).collect()
}

#[test]
fn objects_have_the_colours_that_the_protocol_gives_them() {
    let expected = [("grey", "white"), ("grey", "grey"), ("black", "grey"), ("black", "black")];
    let expected = expected.map(|(a, b)| (json!(a), json!(b)));
    let by_field = "enum Colour { White, Grey, Black }
        object Node { colour: Colour = White, next: Node? = null }
        heap { a: Node { colour = Grey, next = b }
               b: Node }
        cell root: Node = a
        thread collector { b.colour = Grey; a.colour = Black; b.colour = Black }\n";
    assert_eq!(colours("by-field.lac", by_field), expected);
    let by_mark = "object Node { next: Node? = null }
        heap { a: Node { next = b }
               b: Node }
        cell mark_bit[Node]: bool = false
        thread collector { mark_bit[a] = true; mark_bit[b] = true; mark_bit[a] = false }\n";
    let marks = [("white", "white"), ("black", "white"), ("black", "black"), ("white", "black")];
    assert_eq!(colours("by-mark.lac", by_mark), marks.map(|(a, b)| (json!(a), json!(b))));
    let by_set = "object Node { next: Node? = null }
        heap { a: Node { next = b }
               b: Node }
        cell root: Node = a
        abstract grey: set Node = {a}
        abstract black: set Node = {}
        thread collector {
            grey = grey with b
            atomic { grey = grey without a; black = black with a }
            atomic { grey = grey without b; black = black with b }
        }\n";
    assert_eq!(colours("by-set.lac", by_set), expected);
}

#[test]
fn known_states_are_not_sent_again() {
    let explorer = Explorer::start(&[STACCATO, "--memory", "tso"]);
    let path = json!({ "initial": 0, "steps": [0, 0, 0], "loop_start": null });
    let (_, all) = explorer.ask("run", &json!({ "choice": choice("tso", None), "path": path, "known": 0 }));
    let (_, rest) = explorer.ask("run", &json!({ "choice": choice("tso", None), "path": path, "known": 2 }));
    assert_eq!(rest["first"], 2);
    assert_eq!(rest["frames"].as_array().expect("frames")[..], all["frames"].as_array().expect("frames")[2..]);
    assert_eq!(rest["events"], all["events"]);
}

#[test]
fn a_state_is_found_by_a_condition_and_the_way_there_is_shortest() {
    let explorer = Explorer::start(&[STACCATO]);
    let watch = "from.forward.copying and to.data[0] != 2";
    let (code, found) = explorer.ask("seek", &json!({ "choice": choice("sc", Some(watch)) }));
    assert_eq!(code, 200, "{found}");
    let asked = json!({ "choice": choice("sc", Some(watch)), "path": found["path"], "known": 0 });
    let (_, run) = explorer.ask("run", &asked);
    let frames = run["frames"].as_array().expect("frames");
    let (last, before) = frames.split_last().expect("a state");
    assert_eq!(last["watch"], true);
    assert!(before.iter().all(|frame| frame["watch"] == false), "an earlier state would do");

    let (_, none) = explorer.ask("seek", &json!({ "choice": choice("sc", Some("root == to and from.data[0] == 2")) }));
    assert_eq!((&none["path"], &none["is_complete"]), (&Value::Null, &json!(true)));
    let (_, cut) = Explorer::start(&[STACCATO, "--max-states", "10"])
        .ask("seek", &json!({ "choice": choice("sc", Some("root == to")) }));
    assert_eq!((&cut["path"], &cut["is_complete"]), (&Value::Null, &json!(false)));
}

#[test]
fn a_register_may_be_watched() {
    let explorer = Explorer::start(&[STACCATO]);
    let (code, found) = explorer.ask("seek", &json!({ "choice": choice("sc", Some("mutator[0].last == 1")) }));
    assert_eq!(code, 200, "{found}");
    assert!(found["path"]["steps"].is_array());
}

#[test]
fn a_violation_is_found_and_explained() {
    let explorer = Explorer::start(&[STACCATO]);
    let (_, found) = explorer.ask("seek", &json!({ "choice": choice("rmo-no", None) }));
    let (code, why) = explorer.ask("why", &json!({ "choice": choice("rmo-no", None), "path": found["path"] }));
    assert_eq!(code, 200, "{why}");
    assert_eq!(why["property"], "lost_update");
    let sentence = why["sentences"][0].as_str().expect("a sentence");
    assert!(sentence.contains("store to from.data (line 70)"), "{sentence}");
    let (_, none) = explorer.ask("why", &json!({ "choice": choice("rmo-no", None) }));
    assert_eq!(none, Value::Null, "the initial state violates nothing");
}

#[test]
fn what_is_wrong_is_said_and_the_server_goes_on() {
    let explorer = Explorer::start(&[STACCATO]);
    for (request, words) in [
        (json!({ "choice": choice("sc", Some("no_such_name == 1")) }), "no_such_name"),
        (json!({ "choice": choice("sc", Some("root ==")) }), "expected"),
        (json!({ "choice": choice("sc", Some("true\nthread other { skip }")) }), "one condition"),
        (json!({ "choice": choice("no-such-model", None) }), "no-such-model"),
        (json!({ "choice": choice("sc", None), "path": { "initial": 0, "steps": [99] } }), "step 1"),
        (json!({ "choice": choice("sc", None), "path": { "initial": 99, "steps": [] } }), "initial state"),
        (json!({ "choice": { "variant": "none", "scenario": "general", "memory": "sc" } }), "none"),
    ] {
        let (code, answer) = explorer.ask("run", &request);
        assert_eq!(code, 400, "{request}");
        let said = answer["error"].as_str().expect("words");
        assert!(said.contains(words), "{request} should say `{words}`: {said}");
    }
    let path = &explorer.path;
    assert_eq!(http(explorer.port, "POST", &format!("{path}run"), Some("no JSON")).0, 400);
    assert_eq!(http(explorer.port, "GET", &format!("{path}nothing"), None).0, 404);
    assert_eq!(http(explorer.port, "GET", &format!("{path}run"), None).0, 404);
    let (code, text) = http(explorer.port, "GET", path, None);
    assert_eq!(code, 200);
    assert!(!text.contains("http://") || !text.contains("src=\"http"), "the page fetches nothing from elsewhere");
}

#[test]
fn a_port_in_use_is_said_with_exit_code_2() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port().to_string();
    let output = lacuna(&["explore", STACCATO, "--port", &port]).output().expect("lacuna runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("port {port} is in use")) && said.contains("--port"), "{said}");
}

#[test]
fn wrong_files_and_traces_are_refused_before_there_is_a_page() {
    let broken = scratch("broken.json");
    std::fs::write(&broken, r#"{"variant":"original","scenario":"general","memory":"sc","set":{},"queue_bound":4,"speculate":0,"property":"lost_update","initial":0,"steps":[77]}"#)
        .expect("written");
    let broken_name = broken.display().to_string();
    for (arguments, words) in [
        (vec!["explore", "no-such.lac"], "cannot read"),
        (vec!["explore", STACCATO, "no-such-trace.json"], "cannot read"),
        (vec!["explore", STACCATO, &broken_name], "step 1 of the trace is not enabled"),
        (vec!["explore", STACCATO, "--memory", "none-such"], "no memory model"),
        (vec!["explore", STACCATO, "--variant", "none-such"], "no variant"),
        (vec!["explore", STACCATO, "--scenario", "none-such"], "no scenario"),
    ] {
        let output = lacuna(&arguments).output().expect("lacuna runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?} should say `{words}`: {said}");
    }
    let _ = std::fs::remove_file(broken);
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_it_cleanly() {
    let mut explorer = Explorer::start(&[STACCATO]);
    let id = explorer.child().id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).stderr(Stdio::null()).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
    assert_eq!(explorer.child().wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_report_has_every_verdict_and_every_state() {
    let path = scratch("report.html");
    let name = path.display().to_string();
    let output = lacuna(&["check", STACCATO, "-q", "--html", &name]).output().expect("lacuna runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let mut text = String::new();
    std::fs::File::open(&path).expect("written").read_to_string(&mut text).expect("text");
    let (_, data) = text.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("its end");
    let data: Value = serde_json::from_str(data).expect("JSON");
    let rows = data["report"]["rows"].as_array().expect("rows");
    let violated: Vec<&Value> = rows.iter().filter(|row| row["word"] == "violated").collect();
    assert_eq!((rows.len(), violated.len()), (7, 5));
    for row in violated {
        let run = &data["report"]["runs"][row["run"].as_u64().expect("its run") as usize];
        let steps = run["path"]["steps"].as_array().expect("steps");
        let frames = run["frames"].as_array().expect("frames");
        assert_eq!(frames.len(), steps.len() + 1);
        assert_eq!(frames[steps.len()]["violated"], "lost_update");
        assert!(run["why"]["sentences"].as_array().is_some_and(|sentences| !sentences.is_empty()));
    }
    let _ = std::fs::remove_file(path);
}

#[test]
fn a_report_that_cannot_be_written_is_said_with_exit_code_2() {
    let output = lacuna(&["check", STACCATO, "-q", "--html", "/no/such/folder/report.html"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write `/no/such/folder/report.html`"), "{said}");
}
