//! Who may come in: a browser on this machine, on the page behind the link that was printed.

use super::answer::Answer;
use hyper::header::{self, HeaderMap};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use std::fmt::Write;
use std::io;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Route {
    /// The page.
    Page,
    /// What the page asks.
    Question(Question),
}

/// What the page asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// A walk.
    Run,
    /// The first state where something is so.
    Seek,
    /// An explanation.
    Why,
}

/// Knows the link.
pub(super) struct Guard {
    /// The names of this server: `HOST:PORT`.
    hosts: [String; 2],
    token: String,
}

impl Guard {
    /// Makes a link for this port.
    pub(super) fn new(port: u16) -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut token = String::new();
        bytes.iter().try_for_each(|byte| write!(token, "{byte:02x}")).map_err(io::Error::other)?;
        Ok(Guard { hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")), token })
    }

    /// The link.
    pub(super) fn url(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// What is asked for, or why nobody who asks so is answered.
    pub(super) fn admit(&self, head: &Parts) -> Result<Route, Answer> {
        let text = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
        // The name of another site may lead here; a browser then says that name.
        if !text(header::HOST).is_some_and(|host| self.is_ours(host)) {
            return Err(Answer::wrong(StatusCode::FORBIDDEN, "this page is for this machine only"));
        }
        let (token, rest) = head.uri.path().trim_start_matches('/').split_once('/').unwrap_or(("", ""));
        if !is_same(token, &self.token) {
            return Err(Answer::wrong(StatusCode::FORBIDDEN, "open the link that `lacuna explore` has printed"));
        }
        let question = match (&head.method, rest) {
            (&Method::GET, "") => return self.look_at_get(&head.headers).map(|()| Route::Page),
            (&Method::POST, "run") => Question::Run,
            (&Method::POST, "seek") => Question::Seek,
            (&Method::POST, "why") => Question::Why,
            _ => return Err(Answer::wrong(StatusCode::NOT_FOUND, "there is nothing here")),
        };
        self.look_at_post(&head.headers).map(|()| Route::Question(question))
    }

    /// Only a person opens the page: by its address, or by following a link. A page of another site cannot load it, nor show it inside itself.
    fn look_at_get(&self, headers: &HeaderMap) -> Result<(), Answer> {
        let says = |name: &str, what: &str| headers.get(name).is_some_and(|value| value == what);
        let is_link_followed = says("sec-fetch-mode", "navigate")
            && says("sec-fetch-dest", "document")
            && says("sec-fetch-user", "?1")
            && !headers.contains_key(header::ORIGIN);
        let is_from_here = self.is_from_here(headers, &["same-origin", "none"]);
        if is_link_followed || is_from_here { Ok(()) } else { Err(another_site_asks()) }
    }

    /// A page of another site can send a request as a form does, and a browser says where it comes from.
    fn look_at_post(&self, headers: &HeaderMap) -> Result<(), Answer> {
        if !self.is_from_here(headers, &["same-origin"]) {
            return Err(another_site_asks());
        }
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            return Err(Answer::wrong(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a request is application/json"));
        }
        Ok(())
    }

    /// Whether no page of another site asks, as far as the browser says: it may come from these sites, and from our page.
    fn is_from_here(&self, headers: &HeaderMap, sites: &[&str]) -> bool {
        let is_our_page = |url: &str| {
            url.strip_prefix("http://").is_some_and(|rest| self.is_ours(rest.split('/').next().unwrap_or("")))
        };
        let all = |name: &str, is_right: &dyn Fn(&str) -> bool| {
            headers.get_all(name).iter().all(|value| value.to_str().is_ok_and(is_right))
        };
        all("origin", &is_our_page)
            && all("referer", &is_our_page)
            && all("sec-fetch-site", &|site| sites.contains(&site))
    }

    fn is_ours(&self, host: &str) -> bool {
        self.hosts.iter().any(|ours| ours == host)
    }
}

fn another_site_asks() -> Answer {
    Answer::wrong(StatusCode::FORBIDDEN, "another site asks")
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| std::hint::black_box(all | (a ^ b)));
    one.len() == other.len() && differences == 0
}
