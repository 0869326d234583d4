//! Messages in, answers out. One thread answers; diagnostics and checks have threads of their own.

use crate::check::{self, STOP};
use crate::documents::{Disk, Document, Documents};
use crate::look::{self, Look};
use crate::shared::Shared;
use crate::{definition, hover, lens, place};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};

/// Bytes of stack of a thread: trees of texts are walked by recursion.
pub(crate) const STACK: usize = 1 << 26;

/// Serves an editor until it says that it goes away. Whether it has said so properly.
pub fn serve(connection: &Connection, disk: Arc<dyn Disk>) -> bool {
    let sender = connection.sender.clone();
    let shared = Arc::new(Shared::new(move |message| drop(sender.send(message))));
    let looks = look::begin(shared.clone());
    let documents = Documents::new(disk);
    let mut server = Server { documents, shared, looks, refreshes: false, stage: Stage::Silent };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => server.request(request),
            Message::Notification(notification) if notification.method == "exit" => break,
            Message::Notification(notification) if server.stage == Stage::Open => server.notification(notification),
            // What comes too early or too late cannot be answered, and is left alone.
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    STOP.store(true, Ordering::SeqCst);
    server.stage == Stage::Closed
}

/// What the editor has asked for: `initialize` comes first, and `shutdown` last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Silent,
    Open,
    Closed,
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        definition_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![lens::COMMAND.into()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

struct Server {
    documents: Documents,
    shared: Arc<Shared>,
    /// Where texts go to be looked at.
    looks: Option<mpsc::Sender<Look>>,
    /// Whether the editor asks for lenses anew when the server requests it.
    refreshes: bool,
    stage: Stage,
}

/// Why there is no answer.
struct Refused(ErrorCode, String);

fn parsed<P: DeserializeOwned>(params: Value) -> Result<P, Refused> {
    serde_json::from_value(params).map_err(|error| Refused(ErrorCode::InvalidParams, error.to_string()))
}

impl Server {
    /// Answers a request. Whatever is wrong with it, the server lives.
    fn request(&mut self, Request { id, method, params }: Request) {
        let answer = match (self.stage, method.as_str()) {
            (Stage::Silent, "initialize") => self.initialize(&params),
            (Stage::Silent, _) => Err(Refused(ErrorCode::ServerNotInitialized, "`initialize` comes first".into())),
            (Stage::Open, "initialize") => Err(Refused(ErrorCode::InvalidRequest, "`initialize` comes once".into())),
            (Stage::Open, "shutdown") => {
                self.stage = Stage::Closed;
                Ok(Value::Null)
            }
            (Stage::Open, "workspace/executeCommand") => return self.execute(id, params),
            (Stage::Open, _) => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
                answer.unwrap_or_else(|_| Err(Refused(ErrorCode::InternalError, "this is a bug of Lacuna".into())))
            }
            (Stage::Closed, _) => Err(Refused(ErrorCode::InvalidRequest, "the server was shut down".into())),
        };
        self.shared.send(response(id, answer));
    }

    fn initialize(&mut self, client: &Value) -> Result<Value, Refused> {
        self.refreshes = client["capabilities"]["workspace"]["codeLens"]["refreshSupport"] == true;
        self.stage = Stage::Open;
        Ok(json!({"capabilities": capabilities()}))
    }

    fn answer(&self, method: &str, params: Value) -> Result<Value, Refused> {
        Ok(match method {
            "textDocument/definition" => {
                let at = parsed::<GotoDefinitionParams>(params)?.text_document_position_params;
                json!(definition::of(&self.documents, self.document(&at.text_document.uri)?, at.position))
            }
            "textDocument/hover" => {
                let at = parsed::<HoverParams>(params)?.text_document_position_params;
                json!(hover::of(&self.documents, self.document(&at.text_document.uri)?, at.position))
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parsed(params)?;
                json!(formatted(self.document(&params.text_document.uri)?))
            }
            "textDocument/codeLens" => {
                let params: CodeLensParams = parsed(params)?;
                json!(lens::of(self.document(&params.text_document.uri)?, &self.shared.verdicts()))
            }
            _ => return Err(Refused(ErrorCode::MethodNotFound, format!("there is no method `{method}`"))),
        })
    }

    fn document(&self, uri: &Uri) -> Result<&Document, Refused> {
        let unknown = || Refused(ErrorCode::InvalidParams, format!("`{}` is not open", uri.as_str()));
        self.documents.get(uri).ok_or_else(unknown)
    }

    /// Takes note of what the editor does. What it says wrongly cannot be answered, and is left alone.
    fn notification(&mut self, Notification { method, params }: Notification) {
        let _ = match method.as_str() {
            "textDocument/didOpen" => parsed(params).map(|params: DidOpenTextDocumentParams| {
                let TextDocumentItem { uri, version, text, .. } = params.text_document;
                self.documents.open(&uri, version, text);
                self.changed(&uri);
            }),
            "textDocument/didChange" => parsed(params).map(|mut params: DidChangeTextDocumentParams| {
                let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
                if let Some(change) = params.content_changes.pop() {
                    self.documents.change(&uri, version, change.text);
                    self.changed(&uri);
                }
            }),
            // Files that are not open may have changed on the disk.
            "textDocument/didSave" => {
                parsed(params).map(|params: DidSaveTextDocumentParams| self.changed(&params.text_document.uri))
            }
            "textDocument/didClose" => parsed(params).map(|params: DidCloseTextDocumentParams| {
                let uri = params.text_document.uri;
                self.documents.close(&uri);
                self.changed(&uri);
                self.shared.send(look::message(PublishDiagnosticsParams::new(uri, Vec::new(), None)));
            }),
            _ => Ok(()),
        };
    }

    /// A text has changed: older verdicts are of another one, and every open text is looked at again.
    fn changed(&self, uri: &Uri) {
        let look = Look { documents: self.documents.clone(), changed: uri.clone(), generation: self.shared.next() };
        // Without a thread to look, the editor gets no message, and asks all the same.
        let _ = self.looks.as_ref().map(|looks| looks.send(look));
    }

    /// Runs the command of a lens in a thread of its own, which answers.
    fn execute(&self, id: RequestId, params: Value) {
        let (uri, variant) = match arguments(params) {
            Ok(arguments) => arguments,
            Err(refused) => return self.shared.send(response(id, Err(refused))),
        };
        let (documents, shared, refreshes) = (self.documents.clone(), self.shared.clone(), self.refreshes);
        let generation = shared.generation();
        let path = place::path(&uri);
        let unanswered = response(id.clone(), Err(Refused(ErrorCode::InternalError, "no check can begin".into())));
        let go = move || {
            let verdict = catch_unwind(AssertUnwindSafe(|| check::verdict(&documents, &path, &variant)));
            let verdict = verdict.unwrap_or_else(|_| Err("this is a bug of Lacuna".into()));
            let shown = verdict.clone().unwrap_or_else(|wrong| format!("! {wrong}"));
            shared.show(generation, (path, variant), shown);
            shared
                .send(response(id, verdict.map(Value::from).map_err(|wrong| Refused(ErrorCode::RequestFailed, wrong))));
            if refreshes {
                shared.refresh();
            }
        };
        let begun = std::thread::Builder::new().name("check".into()).stack_size(STACK).spawn(go);
        let _ = begun.map_err(|_| self.shared.send(unanswered));
    }
}

/// The address and the variant of the command of a lens.
fn arguments(params: Value) -> Result<(Uri, String), Refused> {
    let params: ExecuteCommandParams = parsed(params)?;
    if params.command != lens::COMMAND {
        return Err(Refused(ErrorCode::InvalidParams, format!("there is no command `{}`", params.command)));
    }
    parsed(Value::Array(params.arguments))
}

fn response(id: RequestId, answer: Result<Value, Refused>) -> Message {
    match answer {
        Ok(value) => Response::new_ok(id, value).into(),
        Err(Refused(code, message)) => Response::new_err(id, code as i32, message).into(),
    }
}

/// The change that formats a text: none if it is formatted, or wrong.
fn formatted(document: &Document) -> Vec<TextEdit> {
    let text = &document.text;
    let whole = Range::new(Position::default(), place::position(text, text.len()));
    let formatted = syntax::format(text).ok().filter(|formatted| formatted != text);
    formatted.map(|new_text| TextEdit { range: whole, new_text }).into_iter().collect()
}
