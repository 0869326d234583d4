//! What `lacuna explore` does with requests that do not come from its page, or come slowly, or ask for too much: each is refused, and the
//! page is served afterwards, and meanwhile.

use crate::page::{Answer, Explorer, STACCATO, answer, connect, exchange, http_for, scratch};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const JSON: &str = "Content-Type: application/json\r\n";

/// A request that the page might send, with these lines of its own.
fn post(explorer: &Explorer, path: &str, lines: &str) -> Answer {
    let head = format!("POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{lines}", explorer.port);
    let choice = json!({ "variant": "original", "scenario": "general", "memory": "sc" });
    exchange(explorer.port, &head, &json!({ "choice": choice }).to_string())
}

fn page(explorer: &Explorer) -> Answer {
    page_with(explorer, "")
}

/// The answer to who asks for the page with these lines.
fn page_with(explorer: &Explorer, lines: &str) -> Answer {
    let head = format!("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{lines}", explorer.path, explorer.port);
    exchange(explorer.port, &head, "")
}

/// The page comes, and comes soon, though the machine may be busy.
fn assert_serves(explorer: &Explorer) {
    let started = Instant::now();
    assert_eq!(page(explorer).code, 200);
    assert!(started.elapsed() < Duration::from_secs(4), "the page came after {:?}", started.elapsed());
}

/// A connection that has sent this and sends no more.
fn begun(explorer: &Explorer, text: &str) -> TcpStream {
    let mut stream = connect(explorer.port);
    stream.write_all(text.as_bytes()).expect("it listens");
    stream
}

/// The head of a request for a run, up to its length.
fn head(explorer: &Explorer) -> String {
    format!("POST {}run HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{JSON}", explorer.path, explorer.port)
}

#[test]
fn without_the_token_there_is_nothing() {
    let explorer = Explorer::start(&[STACCATO]);
    let token = explorer.path.trim_matches('/');
    assert_eq!(token.len(), 32, "{token}");
    let other: String = token.chars().map(|c| if c == '0' { '1' } else { '0' }).collect();
    let cut = &token[..31];
    let paths = ["/", "/run", &format!("/{token}"), &format!("/{other}/"), &format!("/{cut}/"), &format!("/{token}0/")];
    for path in paths.iter().map(|path| path.to_string()).chain([format!("/{other}/run"), "//run".into()]) {
        let refused = http_for(&format!("127.0.0.1:{}", explorer.port), explorer.port, "GET", &path, None);
        assert_eq!(refused.0, 403, "{path}: {}", refused.1);
        assert_eq!(post(&explorer, &path, JSON).code, 403, "{path}");
    }
    let (one, another) = (Explorer::start(&[STACCATO]), Explorer::start(&[STACCATO]));
    assert_ne!(one.path, another.path);
    assert_serves(&explorer);
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let explorer = Explorer::start(&[STACCATO]);
    let (port, path) = (explorer.port, &explorer.path);
    for host in ["elsewhere.example".into(), format!("elsewhere.example:{port}"), "127.0.0.1".into(), String::new()] {
        assert_eq!(http_for(&host, port, "GET", path, None).0, 403, "`{host}`");
    }
    assert_eq!(http_for(&format!("localhost:{port}"), port, "GET", path, None).0, 200);
    let run = format!("{path}run");
    for lines in [
        "Origin: http://elsewhere.example\r\n",
        "Origin: null\r\n",
        "Origin: http://127.0.0.1:1\r\n",
        &format!("Origin: https://127.0.0.1:{port}\r\n"),
        &format!("Origin: http://127.0.0.1:{port}\r\nOrigin: http://elsewhere.example\r\n"),
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        assert_eq!(post(&explorer, &run, &format!("{JSON}{lines}")).code, 403, "{lines}");
    }
    let ours = format!("{JSON}Origin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin\r\n");
    assert_eq!(post(&explorer, &run, &ours).code, 200);
    for kind in ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"] {
        assert_eq!(post(&explorer, &run, kind).code, 415, "{kind}");
    }
    assert_eq!(post(&explorer, &run, "Content-Type: application/json; charset=utf-8\r\n").code, 200);
    assert_serves(&explorer);
}

#[test]
fn the_page_is_given_to_people_and_not_to_pages_of_other_sites() {
    let explorer = Explorer::start(&[STACCATO]);
    let port = explorer.port;
    let navigates = |site: &str, dest: &str, user: &str| {
        format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: {dest}\r\n{user}")
    };
    let by_hand = "Sec-Fetch-User: ?1\r\n";
    let elsewhere = "Referer: http://elsewhere.example/a\r\n";
    for lines in [
        "Origin: http://elsewhere.example\r\n",
        "Origin: null\r\n",
        elsewhere,
        "Referer: http://localhost:1/\r\n",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n",
        "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n",
        &navigates("cross-site", "iframe", by_hand),
        &navigates("same-site", "document", ""),
        &(navigates("cross-site", "document", by_hand) + "Origin: http://elsewhere.example\r\n"),
    ] {
        assert_eq!(page_with(&explorer, lines).code, 403, "{lines}");
    }
    for lines in [
        "",
        &navigates("none", "document", by_hand),
        // Opened by a program, and read again.
        &navigates("none", "document", ""),
        &navigates("same-origin", "document", ""),
        // A link that was followed, on a page of another site.
        &(navigates("cross-site", "document", by_hand) + elsewhere),
        &format!("Referer: http://localhost:{port}/\r\n"),
    ] {
        assert_eq!(page_with(&explorer, lines).code, 200, "{lines}");
    }
}

#[test]
fn every_answer_tells_the_browser_what_it_may_do() {
    let explorer = Explorer::start(&[STACCATO]);
    let run = post(&explorer, &format!("{}run", explorer.path), JSON);
    let refused = post(&explorer, "/run", JSON);
    let page = page(&explorer);
    for answer in [&run, &refused, &page] {
        let has = |line: &str| assert!(answer.head.iter().any(|known| known == line), "{line}: {:?}", answer.head);
        has("x-content-type-options: nosniff");
        has("referrer-policy: no-referrer");
        has("x-frame-options: deny");
        has("cache-control: no-store");
        let policy =
            answer.head.iter().find_map(|line| line.strip_prefix("content-security-policy: ")).expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && policy.ends_with("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
    }
}

#[test]
fn a_length_that_is_announced_is_not_believed() {
    let explorer = Explorer::start(&[STACCATO]);
    for head in [head(&explorer), format!("POST /run HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", explorer.port)] {
        for length in ["99999999999999", "18446744073709551615", "1048577", "-1", "99999999999999999999999"] {
            let stream = begun(&explorer, &format!("{head}Content-Length: {length}\r\n\r\nhello"));
            let code = answer(stream).code;
            assert!([400, 403, 413, 431].contains(&code), "{length}: {code}");
        }
        // The client goes away at once.
        drop(begun(&explorer, &format!("{head}Content-Length: 99999999999999\r\n\r\nhello")));
    }
    let length = "Content-Length: 99999999999999";
    assert_eq!(answer(begun(&explorer, &format!("{}{length}\r\n\r\n", head(&explorer)))).code, 413);
    assert_serves(&explorer);
}

#[test]
fn a_body_that_does_not_end_is_cut() {
    let explorer = Explorer::start(&[STACCATO]);
    let mut stream = begun(&explorer, &format!("{}Transfer-Encoding: chunked\r\n\r\n", head(&explorer)));
    let piece = format!("10000\r\n{}\r\n", " ".repeat(1 << 16));
    // It stops reading after a megabyte: then no more can be written, or it has answered.
    let written = (0..64).take_while(|_| stream.write_all(piece.as_bytes()).is_ok()).count();
    assert!(written >= 16, "{written} pieces");
    assert_serves(&explorer);
    let large = " ".repeat((1 << 20) + 1);
    let mut stream = begun(&explorer, &format!("{}Content-Length: {}\r\n\r\n", head(&explorer), large.len()));
    let _ = stream.write_all(large.as_bytes());
    assert_serves(&explorer);
    assert!(large.len() > 1 << 20);
}

#[test]
fn slow_clients_keep_nobody_waiting() {
    let explorer = Explorer::start(&[STACCATO]);
    // More than may wait, some with half a head, some with nothing at all.
    let strangers: Vec<TcpStream> =
        (0..200).map(|n| begun(&explorer, if n % 2 == 0 { "GET / HTTP/1.1\r\nHost: 127." } else { "" })).collect();
    assert_serves(&explorer);
    // Those who have the token, and never send what they announce.
    let slow: Vec<TcpStream> =
        (0..40).map(|_| begun(&explorer, &format!("{}Content-Length: 100\r\n\r\n", head(&explorer)))).collect();
    assert_serves(&explorer);
    for stream in slow {
        assert_eq!(answer(stream).code, 408);
    }
    drop(strangers);
    assert_serves(&explorer);
}

#[test]
fn clients_who_do_not_take_their_answers_keep_nobody_waiting() {
    let explorer = Explorer::start(&[STACCATO]);
    let text = format!("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", explorer.path, explorer.port);
    let _unread: Vec<TcpStream> = (0..50).map(|_| begun(&explorer, &text)).collect();
    assert_serves(&explorer);
}

#[test]
fn what_a_request_may_cost_is_limited() {
    let file = scratch("limited.lac");
    std::fs::write(&file, large()).expect("written");
    let choice = json!({ "variant": "original", "scenario": "main", "memory": "sc", "watch": "x0 == 12 and x0 == 11" });
    for (flag, value) in [("--timeout", "0"), ("--max-memory", "1K"), ("--max-states", "10")] {
        let explorer = Explorer::start(&[file.to_str().expect("text"), flag, value]);
        let (code, cut) = explorer.ask("seek", &json!({ "choice": choice }));
        assert_eq!((code, &cut["path"], &cut["is_complete"]), (200, &Value::Null, &json!(false)), "{flag}: {cut}");
        assert_serves(&explorer);
    }
    let _ = std::fs::remove_file(file);
    let choice = json!({ "variant": "original", "scenario": "general", "memory": "sc" });
    let explorer = Explorer::start(&[STACCATO]);
    let path = json!({ "initial": 0, "steps": vec![0; 100_000], "loop_start": null });
    let (code, said) = explorer.ask("run", &json!({ "choice": choice, "path": path }));
    assert_eq!(code, 400);
    assert!(said["error"].as_str().is_some_and(|said| said.contains("100000 steps is too long")), "{said}");
    let deep = format!("{}Content-Length: 200000\r\n\r\n{}", head(&explorer), "[".repeat(200_000));
    assert_eq!(answer(begun(&explorer, &deep)).code, 400);
    assert_serves(&explorer);
}

/// Six threads that store twelve values each, in all interleavings: millions of states.
fn large() -> String {
    let stores: String = (1..=12).map(|value| format!("x = {value}; ")).collect();
    let thread =
        |n: usize| format!("cell x{n}: 0..12 = 0\nthread t{n} {{ {} }}\n", stores.replace('x', &format!("x{n}")));
    (0..6).map(thread).collect()
}

#[test]
fn a_long_search_keeps_nobody_waiting_and_ends_with_its_client() {
    let file = scratch("large.lac");
    std::fs::write(&file, large()).expect("written");
    let limits = ["--max-states", "100000000", "--max-memory", "8G", "--timeout", "50"];
    let explorer = Explorer::start(&[&[file.to_str().expect("text")], &limits[..]].concat());
    let choice = json!({ "variant": "original", "scenario": "main", "memory": "sc", "watch": "x0 == 12 and x0 == 11" });
    let body = json!({ "choice": choice }).to_string();
    let request = format!("{}Content-Length: {}\r\n\r\n{body}", head(&explorer).replacen("run", "seek", 1), body.len());
    // More than there are workers.
    let mut searches: Vec<TcpStream> = (0..6).map(|_| begun(&explorer, &request)).collect();
    assert_serves(&explorer);
    for search in &mut searches {
        search.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout is possible");
        assert!(search.read(&mut [0]).is_err(), "it still searches");
    }
    drop(searches);
    // The workers are free again, long before the searches would end.
    let started = Instant::now();
    let choice = json!({ "variant": "original", "scenario": "main", "memory": "sc" });
    assert_eq!(explorer.ask("run", &json!({ "choice": choice })).0, 200);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let _ = std::fs::remove_file(file);
}

#[test]
fn a_system_whose_first_steps_are_endless_is_refused_in_time() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/limits");
    for name in ["initial_choices", "register_counts"] {
        let file = format!("{folder}/{name}.lac");
        let begun = Instant::now();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_lacuna"))
            .args(["explore", &file, "--port", "0", "--timeout", "1", "--max-memory", "200M"])
            .output()
            .expect("lacuna runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("take more than one request may"), "{name}: {said}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}: {:?}", begun.elapsed());
    }
}
