//! What the tests of the page share: `lacuna explore` started and ended, and requests to it.

pub(crate) mod browser;

pub(crate) use crate::command::root;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The protocol with which everything is tried.
pub(crate) const STACCATO: &str = "protocols/copying/staccato/staccato.lac";

/// The program with these arguments, in the root of the repository.
pub(crate) fn lacuna(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    command.args(arguments).current_dir(root());
    command
}

/// `lacuna explore` on any free port; ended when it goes out of scope.
pub(crate) struct Explorer {
    child: Child,
    /// Where it listens.
    pub(crate) port: u16,
    /// What its link has after the host: the token between slashes.
    pub(crate) path: String,
}

impl Explorer {
    /// Starts it, and waits until it says where it is.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = lacuna(&[&["explore"], arguments, &["--port", "0"]].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("lacuna runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output is ours");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let link = line.trim().rsplit("http://127.0.0.1:").next().and_then(|link| link.split_once('/'));
        let (port, path) = link.unwrap_or_else(|| panic!("no link in `{line}`"));
        Explorer { child, port: port.parse().expect("a port"), path: format!("/{path}") }
    }

    /// The page's address.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.path)
    }

    /// Asks as the page does: the code of the answer, and the answer.
    pub(crate) fn ask(&self, what: &str, request: &Value) -> (u16, Value) {
        let path = format!("{}{what}", self.path);
        let (code, text) = http(self.port, "POST", &path, Some(&request.to_string()));
        (code, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// The process, to be ended in another way.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One request over HTTP: the code and the text of the answer.
pub(crate) fn http(port: u16, method: &str, path: &str, body: Option<&str>) -> (u16, String) {
    http_for(&format!("127.0.0.1:{port}"), port, method, path, body)
}

/// The same for a host that is called so.
pub(crate) fn http_for(host: &str, port: u16, method: &str, path: &str, body: Option<&str>) -> (u16, String) {
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
    let answer = exchange(port, &head, body.unwrap_or(""));
    (answer.code, answer.text)
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) code: u16,
    /// The lines before the text, in small letters.
    pub(crate) head: Vec<String>,
    pub(crate) text: String,
}

/// Sends these lines of a head, the length of the body, and the body.
pub(crate) fn exchange(port: u16, head: &str, body: &str) -> Answer {
    let mut stream = connect(port);
    let length = body.len();
    let request = format!("{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).expect("it listens");
    answer(stream)
}

/// A connection.
pub(crate) fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).expect("something listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout is possible");
    stream
}

/// Reads what comes back.
pub(crate) fn answer(stream: TcpStream) -> Answer {
    let mut answer = BufReader::new(stream);
    let mut head = Vec::new();
    while head.last().is_none_or(|line: &String| !line.trim().is_empty()) {
        let mut line = String::new();
        let n = answer.read_line(&mut line).expect("it answers");
        assert!(n > 0, "no whole answer: {head:?}");
        head.push(line.trim_end().to_lowercase());
    }
    let code = head[0].split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a code");
    let length = head.iter().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let body = if head.iter().any(|line| line.contains("chunked")) {
        unchunked(&mut answer)
    } else {
        let mut body = vec![0; length.expect("a length")];
        answer.read_exact(&mut body).expect("it answers");
        body
    };
    Answer { code, head, text: String::from_utf8(body).expect("text") }
}

/// A text that comes in pieces, each after its length.
fn unchunked(answer: &mut impl BufRead) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        answer.read_line(&mut line).expect("it answers");
        let length = usize::from_str_radix(line.trim(), 16).expect("a length");
        let mut piece = vec![0; length + 2];
        answer.read_exact(&mut piece).expect("it answers");
        body.extend(&piece[..length]);
        if length == 0 {
            return body;
        }
    }
}

/// A fresh file for a test, in the folder for passing files: tests of one process may ask for the same name.
pub(crate) fn scratch(name: &str) -> PathBuf {
    static N_FILES: AtomicU32 = AtomicU32::new(0);
    let n = N_FILES.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("lacuna-page-{}-{n}-{name}", std::process::id()))
}

/// The counterexample of Staccato, as `check --save-trace` writes it.
pub(crate) fn staccato_trace(memory: &str, name: &str) -> PathBuf {
    let path = scratch(name);
    let text = path.display().to_string();
    let output = lacuna(&["check", STACCATO, "-q", "--memory", memory, "--traces", "none", "--save-trace", &text])
        .output()
        .expect("lacuna runs");
    assert_eq!(output.status.code(), Some(1), "Staccato as published fails under {memory}");
    path
}
