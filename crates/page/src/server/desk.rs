//! What answers requests: a site, and the system that was opened last.

use super::answer::Answer;
use super::guard::Question;
use crate::seek::Effort;
use crate::subject::{Opened, Subject};
use crate::view::{Choice, Path, Request, Start};
use crate::{Sought, assets, first_violation, first_where, run, walk, why};
use hyper::StatusCode;
use machine::Options;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A way has at most so many steps: each state on it is sent in full.
const MAX_STEPS: usize = 5000;

/// What one request may cost.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// A search looks at so many states at most.
    pub max_states: usize,
    /// A search takes so many bytes for states at most.
    pub max_bytes: u64,
    /// A request takes so long at most.
    pub timeout: Duration,
}

/// What the server serves.
pub trait Site: Sync {
    /// What the page begins with.
    fn start(&self) -> Start;
    /// The system of a choice, or in words why there is none.
    fn open(&self, choice: &Choice) -> Result<Opened, String>;
    /// What one request may cost.
    fn caps(&self) -> Caps;
}

#[derive(Serialize)]
struct Live {
    live: Start,
}

/// The page of a site: the same for everybody.
pub(super) fn page(site: &dyn Site) -> Answer {
    let live = site.start();
    let page = assets::page(&live.title.clone(), &Live { live }, assets::Peer::Server);
    Answer::page(page.text, &page.policy)
}

#[derive(Serialize)]
struct Seen {
    path: Option<Path>,
    states: u64,
    is_complete: bool,
}

/// Answers requests, many at once.
pub(super) struct Desk<'a> {
    site: &'a dyn Site,
    last: Mutex<Option<(Choice, Arc<Opened>)>>,
}

impl<'a> Desk<'a> {
    /// The desk of a site.
    pub(super) fn new(site: &'a dyn Site) -> Self {
        Desk { site, last: Mutex::new(None) }
    }

    /// The answer to a request; what is wrong with it, in words.
    pub(super) fn answer(&self, question: Question, body: &[u8], stop: &AtomicBool) -> Answer {
        let answer = match question {
            Question::Run => read(body).and_then(|request| self.run(&request)),
            Question::Seek => read(body).and_then(|request| self.seek(&request, stop)),
            Question::Why => read(body).and_then(|request| self.why(&request, stop)),
        };
        answer.unwrap_or_else(|message| Answer::wrong(StatusCode::BAD_REQUEST, &message))
    }

    fn open(&self, choice: &Choice) -> Result<Arc<Opened>, String> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, opened)) = last().as_ref().filter(|(known, _)| known == choice) {
            return Ok(opened.clone());
        }
        // Not locked meanwhile: others need not wait for it.
        let opened = Arc::new(self.site.open(choice)?);
        *last() = Some((choice.clone(), opened.clone()));
        Ok(opened)
    }

    fn effort<'s>(&self, stop: &'s AtomicBool) -> Effort<'s> {
        let Caps { max_states, max_bytes, .. } = self.site.caps();
        Effort { max_states, max_bytes, stop }
    }

    fn run(&self, request: &Request) -> Result<Answer, String> {
        let opened = self.open(&request.choice)?;
        let options = opened.options_for(self.site.caps().timeout);
        let subject = Subject { options: &options, ..opened.subject() };
        let interpreter = subject.interpreter();
        let walk = walk(&interpreter, request.path.initial, &request.path.steps);
        whole(&options)?;
        let walk = walk.map_err(|error| error.to_string())?;
        let (choice, path) = (request.choice.clone(), request.path.clone());
        let view = run(&subject, &interpreter, &walk, choice, path, request.known);
        whole(&options).map(|()| Answer::json(&view))
    }

    fn seek(&self, request: &Request, stop: &AtomicBool) -> Result<Answer, String> {
        let opened = self.open(&request.choice)?;
        let options = opened.options_for(self.site.caps().timeout);
        let subject = Subject { options: &options, ..opened.subject() };
        let condition = subject.watch().and_then(|watch| subject.automata.covers[watch].condition.as_ref());
        let sought = match condition {
            Some(condition) => first_where(&subject.interpreter(), condition, self.effort(stop)),
            None => first_violation(&subject, self.effort(stop)),
        };
        let sought = match (options.budget.hit(), sought) {
            // Where steps were cut, others have their positions.
            (Some(_), Sought::Found(_)) => Sought::Stopped(0),
            (Some(_), Sought::Nowhere(states)) => Sought::Stopped(states),
            (_, sought) => sought,
        };
        Ok(Answer::json(&match sought {
            Sought::Found(path) => Seen { path: Some(path), states: 0, is_complete: true },
            Sought::Nowhere(states) => Seen { path: None, states, is_complete: true },
            Sought::Stopped(states) => Seen { path: None, states, is_complete: false },
        }))
    }

    fn why(&self, request: &Request, stop: &AtomicBool) -> Result<Answer, String> {
        let opened = self.open(&request.choice)?;
        let options = opened.options_for(self.site.caps().timeout);
        let subject = Subject { options: &options, ..opened.subject() };
        Ok(Answer::json(&why(&subject, &request.path, self.effort(stop))))
    }
}

/// Whether nothing was cut.
fn whole(options: &Options) -> Result<(), String> {
    match options.budget.hit() {
        None => Ok(()),
        Some(limit) => Err(format!("a step here takes more than one request may ({})", limit.name())),
    }
}

fn read(body: &[u8]) -> Result<Request, String> {
    let request: Request =
        serde_json::from_slice(body).map_err(|error| format!("the request is not understood: {error}"))?;
    match request.path.steps.len() {
        n if n > MAX_STEPS => Err(format!("a way of {n} steps is too long: {MAX_STEPS} at most")),
        _ => Ok(request),
    }
}
