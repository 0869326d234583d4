//! `lacuna lsp` with a real client over pipes: a protocol is opened, broken, fixed, formatted and checked.

use crate::cli::Folder;
use crate::command::{lacuna, root};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An editor with its server.
struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    n_requests: u64,
    /// Of the text that was told last.
    version: i32,
    /// What the server has said without being asked, and not yet been looked at.
    unasked: Vec<Value>,
}

impl Editor {
    fn new() -> Self {
        let mut editor = Self::silent();
        let capabilities = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
        let answer = editor.ask("initialize", json!({"capabilities": capabilities}));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    /// One that has not said a word.
    fn silent() -> Self {
        let mut server = lacuna(&["lsp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (to, from) = (server.stdin.take().expect("piped"), server.stdout.take().expect("piped"));
        Editor { server, to, from: BufReader::new(from), n_requests: 0, version: 0, unasked: Vec::new() }
    }

    fn send(&mut self, message: Value) {
        self.send_text(&message.to_string());
    }

    fn send_text(&mut self, text: &str) {
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        self.to.flush().expect("the server listens");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("a line") > 0, "the server has ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).expect("all of it");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The whole answer to a request.
    fn response(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.unasked.push(message);
        }
    }

    /// The result of a request that is answered.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.response(method, params);
        assert!(response.get("error").is_none(), "{response}");
        response["result"].take()
    }

    /// The next message of this method, which nobody has asked for.
    fn told(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.unasked.iter().position(|message| message["method"] == method) {
                return self.unasked.remove(at);
            }
            let message = self.receive();
            self.unasked.push(message);
        }
    }

    fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        self.version += 1;
        let document = json!({"uri": uri, "languageId": "lac", "version": self.version, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        self.diagnostics(uri)
    }

    fn change(&mut self, uri: &str, text: &str) -> Vec<Value> {
        self.version += 1;
        let document = json!({"uri": uri, "version": self.version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
        self.diagnostics(uri)
    }

    /// The diagnostics of the text that was told last.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let message = self.told("textDocument/publishDiagnostics");
            if message["params"]["uri"] == uri && message["params"]["version"] == self.version {
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    fn at(&mut self, method: &str, uri: &str, (line, character): (u64, u64)) -> Value {
        self.ask(method, json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}))
    }

    fn hover(&mut self, uri: &str, place: (u64, u64)) -> String {
        let hover = self.at("textDocument/hover", uri, place);
        hover["contents"]["value"].as_str().unwrap_or("").to_string()
    }

    /// The texts of all lenses.
    fn lenses(&mut self, uri: &str) -> Vec<String> {
        let lenses = self.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
        let title = |lens: &Value| lens["command"]["title"].as_str().expect("a title").to_string();
        lenses.as_array().expect("a list").iter().map(title).collect()
    }

    fn check(&mut self, uri: &str, variant: &str) -> Value {
        self.response("workspace/executeCommand", json!({"command": "lacuna.check", "arguments": [uri, variant]}))
    }

    /// The exit code after a proper farewell.
    fn leave(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.wait().expect("it ends").code()
    }
}

/// The place of the first occurrence of a word, in units of UTF-16.
fn place(text: &str, word: &str) -> (u64, u64) {
    let before = &text[..text.find(word).expect("the word is there")];
    let line = before.rsplit('\n').next().unwrap_or("");
    (before.matches('\n').count() as u64, line.encode_utf16().count() as u64)
}

fn uri(path: &str) -> String {
    format!("file://{path}")
}

const NEW: &str = include_str!("../src/commands/new.lac");

#[test]
fn a_protocol_is_opened_broken_fixed_formatted_and_checked() {
    let folder = Folder::new("lsp");
    let uri = uri(&folder.path("new.lac"));
    let mut editor = Editor::new();
    assert_eq!(editor.open(&uri, NEW), [] as [Value; 0]);

    // Broken behind a comment with characters of several units.
    let broken = NEW.replace("cell done: bool", "cell done: /* é𝄞 */ bol");
    assert!(!editor.change(&uri, &broken).is_empty());
    let broken = NEW.replace("    a.marked = true", "    // é𝄞 \n    a.marked = dne // é𝄞");
    let wrong = editor.change(&uri, &broken);
    let (line, column) = place(&broken, "dne");
    assert_eq!(wrong[0]["range"]["start"], json!({"line": line, "character": column}), "{wrong:?}");
    assert_eq!(wrong[0]["code"], "E0101");
    assert!(wrong[0]["message"].as_str().is_some_and(|text| text.contains("did you mean `done`?")), "{wrong:?}");

    let untidy = NEW.replace("    a.marked = true", "  // 𝄞\r\n  a.marked   =  true");
    assert_eq!(editor.change(&uri, &untidy), [] as [Value; 0]);
    let format = json!({"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": true}});
    let edits = editor.ask("textDocument/formatting", format.clone());
    assert_eq!(edits[0]["range"]["start"], json!({"line": 0, "character": 0}));
    assert_eq!(edits[0]["range"]["end"]["line"], untidy.matches('\n').count());
    let formatted = edits[0]["newText"].as_str().expect("a text");
    assert!(formatted.contains("    // 𝄞\n    a.marked = true\n"), "{formatted}");
    assert_eq!(editor.change(&uri, formatted), [] as [Value; 0]);
    assert_eq!(editor.ask("textDocument/formatting", format), json!([]));

    assert_eq!(editor.lenses(&uri), ["▶ check"; 3]);
    let verdict = editor.check(&uri, "original");
    assert!(
        verdict["result"].as_str().is_some_and(|verdict| verdict.starts_with("✓ holds under sc, tso")),
        "{verdict}"
    );
    editor.told("workspace/codeLens/refresh");
    editor.check(&uri, "no_barrier");
    editor.told("workspace/codeLens/refresh");
    let lenses = editor.lenses(&uri);
    assert!(lenses[0].starts_with("✓ holds") && lenses[1] == "✗ no_lost_object under sc", "{lenses:?}");
    // A verdict is of the text that was checked.
    editor.change(&uri, NEW);
    assert_eq!(editor.lenses(&uri), ["▶ check"; 3]);
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn names_are_followed_to_their_declarations_in_open_and_in_other_files() {
    let folder = Folder::new("lsp-names");
    let part = "cell other: bool = true\n/// How far.\ncell x: 0..3 = 0\n";
    let (on_disk, text) = (
        folder.file("part.lac", part),
        "use part\nthread t {\n    let far = x.load(acquire)\n    x = far\n}\nthread u { x.store(1, release) }\ninvariant low: t.far < 4\n",
    );
    let uri = uri(&folder.path("a.lac"));
    let part_uri = self::uri(&on_disk);
    let mut editor = Editor::new();
    assert_eq!(editor.open(&uri, text), [] as [Value; 0]);
    let go = |editor: &mut Editor, word| editor.at("textDocument/definition", &uri, place(text, word));
    assert_eq!(go(&mut editor, "part")[0]["uri"], part_uri);
    let x = go(&mut editor, "x.load");
    assert_eq!((&x[0]["uri"], &x[0]["range"]["start"]["line"]), (&json!(part_uri), &json!(2)));
    assert_eq!(go(&mut editor, "far\n")[0]["range"]["start"], json!({"line": 2, "character": 8}));
    assert_eq!(go(&mut editor, "far <")[0]["range"]["start"], json!({"line": 2, "character": 8}));

    let said = editor.hover(&uri, place(text, "x.load"));
    for words in [
        "cell x: 0..3 = 0",
        "How far.",
        "`load(acquire)`",
        "`store(release)`",
        "`t` (store, line 4), `u` (store, line 6)",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = editor.hover(&uri, place(text, "far = x"));
    assert!(said.contains("Its type is `0..3`"), "{said}");

    // What is open counts, not what is on the disk.
    editor.open(&part_uri, "cell x: 0..9 = 0\n");
    assert!(editor.hover(&uri, place(text, "x.load")).contains("cell x: 0..9 = 0"));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn files_that_use_each_other_have_line_ends_of_windows_or_go_away_are_served() {
    let folder = Folder::new("lsp-ring");
    let part = folder.file("part.lac", "use a\r\n// 𝄞\r\ncell y: 0..3 = 0\r\n");
    let text = "use part\r\ncell x: 0..3 = 0\r\n// é𝄞\r\nthread t { x = 1; y = 2 }\r\nvariant v \"𝄞𝄞\" {}\r\n";
    let path = folder.file("a.lac", text);
    let uri = uri(&path);
    let mut editor = Editor::new();
    assert_eq!(editor.open(&uri, text), [] as [Value; 0]);
    let y = editor.at("textDocument/definition", &uri, place(text, "y = 2"));
    assert_eq!(y[0]["range"]["start"], json!({"line": 2, "character": 5}));
    let lens = &editor.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}))[0];
    assert_eq!(lens["range"]["start"], json!({"line": 4, "character": 8}));

    let mut gone = |file: &str| {
        std::fs::remove_file(file).expect("removed");
        editor.change(&uri, text)
    };
    assert_eq!(gone(&part)[0]["code"], "E0100");
    // The editor's text is the one that counts.
    assert_eq!(gone(&path)[0]["code"], "E0100");
    assert!(editor.hover(&uri, place(text, "x = 1")).contains("cell x: 0..3 = 0"));
    let verdict = editor.check(&uri, "v");
    assert!(verdict["error"]["message"].as_str().is_some_and(|message| message.contains("part.lac")), "{verdict}");
    folder.file("part.lac", "cell y: 0..3 = 0\n");
    assert_eq!(editor.change(&uri, text), [] as [Value; 0]);
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_part_of_a_protocol_is_read_with_a_protocol_that_uses_it() {
    let path = root().canonicalize().expect("the repository").join("protocols/copying/handshake.lac");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let mut editor = Editor::new();
    assert_eq!(editor.open(&uri(path.to_str().expect("a plain path")), &text), [] as [Value; 0]);
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_broken_request_is_refused_and_the_server_lives() {
    let folder = Folder::new("lsp-broken");
    let uri = uri(&folder.path("a.lac"));
    let mut editor = Editor::new();
    editor.open(&uri, NEW);
    let mut refused = |method: &str, params: Value| {
        let response = editor.response(method, params);
        assert!(response["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{response}");
    };
    refused("textDocument/hover", json!({"position": 7}));
    refused("textDocument/hover", Value::Null);
    refused("textDocument/unheardOf", json!({}));
    refused("textDocument/codeLens", json!({"textDocument": {"uri": "file:///not/open.lac"}}));
    refused("workspace/executeCommand", json!({"command": "rm", "arguments": []}));
    refused("workspace/executeCommand", json!({"command": "lacuna.check", "arguments": [uri]}));
    refused("workspace/executeCommand", json!({"command": "lacuna.check", "arguments": [uri, "unheard_of"]}));
    refused(
        "workspace/executeCommand",
        json!({"command": "lacuna.check", "arguments": ["file:///none.lac", "original"]}),
    );
    editor.tell("textDocument/didChange", json!({"textDocument": 1}));
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": "file:///none.lac", "version": 1}, "contentChanges": []}),
    );
    for place in [(9_999, 0), (0, 4_000_000_000), (4_294_967_295, 4_294_967_295)] {
        assert_eq!(editor.hover(&uri, place), "");
        assert_eq!(editor.at("textDocument/definition", &uri, place), json!([]));
    }
    assert_eq!(editor.lenses(&uri).len(), 3);
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn requests_at_the_wrong_time_are_refused_by_the_errors_of_the_protocol() {
    const NOT_INITIALIZED: i32 = -32002;
    const INVALID: i32 = -32600;
    let uri = "untitled:Untitled-1";
    let hover = || json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}});
    let code = |response: Value| response["error"]["code"].clone();
    let mut editor = Editor::silent();
    assert_eq!(code(editor.response("textDocument/hover", hover())), NOT_INITIALIZED);
    assert_eq!(code(editor.response("shutdown", Value::Null)), NOT_INITIALIZED);
    // Nobody hears this.
    let document = json!({"uri": uri, "languageId": "lac", "version": 1, "text": NEW});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));

    let answer = editor.ask("initialize", json!({"capabilities": {}}));
    assert_eq!(answer["capabilities"]["hoverProvider"], true);
    assert_eq!(code(editor.response("initialize", json!({"capabilities": {}}))), INVALID);
    assert!(editor.response("textDocument/hover", hover())["error"]["message"] == format!("`{uri}` is not open"));
    editor.tell("initialized", json!({}));
    editor.open(uri, NEW);
    assert_eq!(editor.lenses(uri).len(), 3);

    editor.ask("shutdown", Value::Null);
    for method in ["textDocument/hover", "initialize", "shutdown", "workspace/executeCommand"] {
        assert_eq!(code(editor.response(method, hover())), INVALID, "{method}");
    }
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_message_that_cannot_be_read_is_refused_and_the_server_lives() {
    let mut editor = Editor::new();
    for text in ["{not json", "", "[]", "7", "{\"jsonrpc\": \"2.0\"}", "\u{0}"] {
        editor.send_text(text);
        let response = editor.receive();
        assert_eq!((&response["id"], &response["error"]["code"]), (&Value::Null, &json!(-32700)), "{text}: {response}");
    }
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn texts_that_are_empty_huge_or_without_a_file_are_served() {
    let mut editor = Editor::new();
    let untitled = "untitled:Untitled-1";
    editor.open(untitled, "");
    assert_eq!(editor.lenses(untitled), [] as [String; 0]);
    let huge: String = (0..2_000).map(|n| format!("cell x{n}: 0..1 = 0 // 𝄞\r\n")).collect();
    let text = format!("{huge}thread t {{ x7 = 1 }}\r\n");
    assert_eq!(editor.change(untitled, &text), [] as [Value; 0]);
    assert!(editor.hover(untitled, place(&text, "x7 = 1")).contains("cell x7"));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn an_editor_that_goes_away_without_a_word_leaves_no_server_behind() {
    let Editor { mut server, to, .. } = Editor::silent();
    drop(to);
    assert_eq!(server.wait().expect("it ends").code(), Some(1));
    let Editor { mut server, to, from, .. } = Editor::new();
    drop((to, from));
    assert_eq!(server.wait().expect("it ends").code(), Some(1));
    let mut editor = Editor::new();
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.wait().expect("it ends").code(), Some(1));
}
