//! The page, live: a server for this machine alone, which keeps nothing between requests but what it has read.
//!
//! `GET /` is the page. `POST /run` takes a [`Request`] and gives a [`view::Run`](crate::view::Run); `POST /seek`
//! takes one too and gives the way to the first state where the condition watched is true, or to the first violation;
//! `POST /why` says why the way leads to a violation.

use crate::subject::Opened;
use crate::view::{Choice, Path, Request, Start};
use crate::{Sought, assets, first_violation, first_where, run, walk, why};
use serde::Serialize;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tiny_http::{Header, Method, Response, StatusCode};

/// What a page may ask for has at most so many bytes.
const MAX_REQUEST: u64 = 1 << 20;

/// How soon a stop is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the server serves.
pub trait Site {
    /// What the page begins with.
    fn start(&self) -> Start;
    /// The system of a choice, or in words why there is none.
    fn open(&self, choice: &Choice) -> Result<Opened, String>;
    /// How many states a search may look at.
    fn max_states(&self) -> usize;
}

/// A server that listens.
pub struct Server {
    http: tiny_http::Server,
    port: u16,
}

impl Server {
    /// Listens on `port` of this machine, or on any free one if it is 0.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let http = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
        Ok(Server { http, port })
    }

    /// Where a browser finds the page.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Serves until `stop` is set.
    pub fn serve(&self, site: &dyn Site, stop: &AtomicBool) -> io::Result<()> {
        let mut desk = Desk { site, opened: None, stop };
        while !stop.load(Ordering::Relaxed) {
            if let Some(request) = self.http.recv_timeout(PATIENCE)? {
                self.answer(&mut desk, request);
            }
        }
        Ok(())
    }

    fn answer(&self, desk: &mut Desk<'_>, mut request: tiny_http::Request) {
        let answer = if self.is_for_us(&request) { desk.answer(&mut request) } else { Answer::refused() };
        let header = |name: &str, value: &str| Header::from_bytes(name, value).expect("plain ASCII");
        let response = Response::from_string(answer.text)
            .with_status_code(StatusCode(answer.code))
            .with_header(header("Content-Type", answer.kind))
            .with_header(header("Cache-Control", "no-store"))
            .with_header(header("X-Content-Type-Options", "nosniff"));
        // A browser that has gone away needs no answer.
        let _ = request.respond(response);
    }

    /// Whether the browser asked for this machine by name: a page of another site, whose name leads here, did not.
    fn is_for_us(&self, request: &tiny_http::Request) -> bool {
        let host = request.headers().iter().find(|header| header.field.equiv("Host"));
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        host.is_some_and(|host| ours.iter().any(|ours| host.value.as_str() == ours))
    }
}

struct Answer {
    code: u16,
    kind: &'static str,
    text: String,
}

impl Answer {
    fn json(value: &impl Serialize) -> Self {
        let text = serde_json::to_string(value).expect("plain data");
        Answer { code: 200, kind: "application/json", text }
    }

    fn wrong(code: u16, message: &str) -> Self {
        let text = serde_json::json!({ "error": message }).to_string();
        Answer { code, kind: "application/json", text }
    }

    fn refused() -> Self {
        Answer::wrong(403, "this page is for this machine only")
    }
}

#[derive(Serialize)]
struct Live {
    live: Start,
}

#[derive(Serialize)]
struct Seen {
    path: Option<Path>,
    states: u64,
    is_complete: bool,
}

/// What answers requests: a site, and the system that was opened last.
struct Desk<'a> {
    site: &'a dyn Site,
    opened: Option<(Choice, Opened)>,
    stop: &'a AtomicBool,
}

impl Desk<'_> {
    fn answer(&mut self, request: &mut tiny_http::Request) -> Answer {
        let url = request.url().split('?').next().unwrap_or("").to_string();
        match (request.method(), url.as_str()) {
            (Method::Get, "/") => self.page(),
            (Method::Post, "/run") => with_request(request, |asked| self.run(asked)),
            (Method::Post, "/seek") => with_request(request, |asked| self.seek(asked)),
            (Method::Post, "/why") => with_request(request, |asked| self.why(asked)),
            _ => Answer::wrong(404, "there is nothing here; the page is at /"),
        }
    }

    fn page(&self) -> Answer {
        let live = self.site.start();
        let text = assets::page(&live.title.clone(), &Live { live });
        Answer { code: 200, kind: "text/html; charset=utf-8", text }
    }

    fn open(&mut self, choice: &Choice) -> Result<&Opened, String> {
        if self.opened.as_ref().is_none_or(|(known, _)| known != choice) {
            self.opened = Some((choice.clone(), self.site.open(choice)?));
        }
        Ok(&self.opened.as_ref().expect("opened just now").1)
    }

    fn run(&mut self, asked: &Request) -> Result<Answer, String> {
        let subject = self.open(&asked.choice)?.subject();
        let interpreter = subject.interpreter();
        let walk = walk(&interpreter, asked.path.initial, &asked.path.steps).map_err(|error| error.to_string())?;
        let (choice, path) = (asked.choice.clone(), asked.path.clone());
        Ok(Answer::json(&run(&subject, &interpreter, &walk, choice, path, asked.known)))
    }

    fn seek(&mut self, asked: &Request) -> Result<Answer, String> {
        let (max_states, stop) = (self.site.max_states(), self.stop);
        let subject = self.open(&asked.choice)?.subject();
        let condition = subject.watch().and_then(|watch| subject.automata.covers[watch].condition.as_ref());
        let sought = match condition {
            Some(condition) => first_where(&subject.interpreter(), condition, max_states, stop),
            None => first_violation(&subject, max_states, stop),
        };
        Ok(Answer::json(&match sought {
            Sought::Found(path) => Seen { path: Some(path), states: 0, is_complete: true },
            Sought::Nowhere(states) => Seen { path: None, states, is_complete: true },
            Sought::Stopped(states) => Seen { path: None, states, is_complete: false },
        }))
    }

    fn why(&mut self, asked: &Request) -> Result<Answer, String> {
        let (max_states, stop) = (self.site.max_states(), self.stop);
        let subject = self.open(&asked.choice)?.subject();
        Ok(Answer::json(&why(&subject, &asked.path, max_states, stop)))
    }
}

/// The answer to what is asked; what is wrong with it, in words.
fn with_request(
    request: &mut tiny_http::Request,
    mut answer: impl FnMut(&Request) -> Result<Answer, String>,
) -> Answer {
    read(request).and_then(|asked| answer(&asked)).unwrap_or_else(|message| Answer::wrong(400, &message))
}

fn read(request: &mut tiny_http::Request) -> Result<Request, String> {
    let mut text = String::new();
    let mut body = request.as_reader().take(MAX_REQUEST);
    body.read_to_string(&mut text).map_err(|error| format!("the request cannot be read: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("the request is not understood: {error}"))
}
