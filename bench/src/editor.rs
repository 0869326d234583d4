//! How long the language server takes to answer, on the largest file and on the one that takes longest to check.

use crate::bars::Bars;
use crate::sections::root;
use lacuna::session::Disk;
use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The largest file, and a protocol of many variants.
const FILES: [&str; 2] = ["marking/schism_invariants.lac", "copying/staccato/staccato.lac"];

/// Every answer to an editor, the longest of all.
pub(crate) fn answers(bars: &mut Bars) {
    let (client, server) = Connection::memory();
    let serving = std::thread::Builder::new().stack_size(1 << 28).spawn(move || lsp::serve(&server, Arc::new(Disk)));
    let mut editor = Editor { client, n_requests: 0 };
    editor.ask("initialize", json!({"capabilities": {}}));
    editor.tell("initialized", json!({}));
    for file in FILES {
        session(bars, &mut editor, &root().join("protocols").join(file));
    }
    editor.ask("shutdown", Value::Null);
    editor.tell("exit", Value::Null);
    let is_proper = serving.expect("a thread").join().expect("it ends");
    assert!(is_proper, "the server ends properly");
}

/// Opens a file, changes it and asks everything.
fn session(bars: &mut Bars, editor: &mut Editor, path: &Path) {
    let path = path.canonicalize().expect("the protocols are here");
    let (text, uri) = (std::fs::read_to_string(&path).expect("a text"), format!("file://{}", path.display()));
    let document = json!({"uri": uri, "languageId": "lac", "version": 1, "text": text});
    let opened = editor.diagnosed("textDocument/didOpen", json!({"textDocument": document}));
    let change =
        |version| json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]});
    let changed = (2..7).map(|version| editor.diagnosed("textDocument/didChange", change(version))).fold(0.0, f64::max);
    let line = text.lines().count() / 2;
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": 12}, "options": {"tabSize": 4, "insertSpaces": true}});
    let methods = ["hover", "definition", "formatting", "codeLens"];
    let asked =
        methods.map(|method| editor.ask(&format!("textDocument/{method}"), at.clone())).into_iter().fold(0.0, f64::max);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    println!("editor    {name}, opened: {:.1} ms", opened * 1e3);
    bars.time(&format!("editor    {name}, diagnostics after a change"), changed * 1e3, 100.0, "ms");
    bars.time(&format!("editor    {name}, any request"), asked * 1e3, 100.0, "ms");
}

struct Editor {
    client: Connection,
    n_requests: i32,
}

impl Editor {
    fn tell(&self, method: &str, params: Value) {
        self.client.sender.send(Notification::new(method.into(), params).into()).expect("the server listens");
    }

    /// How long a request takes.
    fn ask(&mut self, method: &str, params: Value) -> f64 {
        self.n_requests += 1;
        let begun = Instant::now();
        self.client
            .sender
            .send(Request::new(self.n_requests.into(), method.into(), params).into())
            .expect("it listens");
        loop {
            if let Message::Response(response) = self.client.receiver.recv().expect("an answer") {
                assert!(response.response_result.is_ok(), "{method}: {response:?}");
                return begun.elapsed().as_secs_f64();
            }
        }
    }

    /// How long it takes until the server has said what is wrong with a text.
    fn diagnosed(&self, method: &str, params: Value) -> f64 {
        let begun = Instant::now();
        let (uri, version) = (params["textDocument"]["uri"].clone(), params["textDocument"]["version"].clone());
        let is_it = |told: &Value| told["uri"] == uri && told["version"] == version;
        self.tell(method, params);
        loop {
            match self.client.receiver.recv().expect("an answer") {
                Message::Notification(told) if is_it(&told.params) => return begun.elapsed().as_secs_f64(),
                _ => {}
            }
        }
    }
}
