//! Requests that wait for a worker, and workers that answer them, each for a limited time.

use super::answer::Answer;
use super::desk::Desk;
use super::guard::Question;
use hyper::StatusCode;
use hyper::body::Bytes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Requests that may wait.
const WAITING: usize = 16;

/// How soon a search that is to stop has an answer.
const GRACE: Duration = Duration::from_secs(5);

struct Job {
    question: Question,
    body: Bytes,
    stop: Arc<AtomicBool>,
    answer: oneshot::Sender<Answer>,
}

/// Where requests are handed in.
#[derive(Clone)]
pub(super) struct Jobs {
    queue: SyncSender<Job>,
    patience: Duration,
}

/// Where workers find them.
pub(super) struct Todo(Mutex<Receiver<Job>>);

/// A queue; what takes longer than `patience` is stopped.
pub(super) fn queue(patience: Duration) -> (Jobs, Todo) {
    let (queue, todo) = mpsc::sync_channel(WAITING);
    (Jobs { queue, patience }, Todo(Mutex::new(todo)))
}

/// Sets the flag once nobody waits any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Jobs {
    /// How long an answer may take.
    pub(super) fn longest(&self) -> Duration {
        self.patience + GRACE
    }

    /// The answer to a request.
    pub(super) async fn ask(&self, question: Question, body: Bytes) -> Answer {
        let stop = StopOnDrop(Arc::default());
        let (sender, mut answer) = oneshot::channel();
        if self.queue.try_send(Job { question, body, stop: stop.0.clone(), answer: sender }).is_err() {
            return Answer::wrong(StatusCode::SERVICE_UNAVAILABLE, "too much is asked at once");
        }
        let mut answered = timeout(self.patience, &mut answer).await;
        if answered.is_err() {
            stop.0.store(true, Ordering::Relaxed);
            answered = timeout(GRACE, answer).await;
        }
        match answered {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Answer::wrong(StatusCode::INTERNAL_SERVER_ERROR, "Lacuna failed at this request"),
            Err(_) => Answer::wrong(StatusCode::SERVICE_UNAVAILABLE, "this takes too long"),
        }
    }
}

/// Answers requests until nobody can hand in any more.
pub(super) fn work(desk: &Desk<'_>, todo: &Todo) {
    loop {
        let next = todo.0.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        if job.answer.is_closed() {
            continue;
        }
        // A request that makes it panic must not end the server. The desk keeps only what was read whole.
        let answer = catch_unwind(AssertUnwindSafe(|| desk.answer(job.question, &job.body, &job.stop)));
        if let Ok(answer) = answer {
            // Whoever has gone away needs no answer.
            let _ = job.answer.send(answer);
        }
    }
}
