//! Connections: many at once, each for one request, none for long.

use super::answer::Answer;
use super::guard::{Guard, Route};
use super::jobs::Jobs;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

/// What a page may ask for has at most so many bytes.
const MAX_BODY: usize = 1 << 20;
/// The head of a request has at most so many bytes.
const MAX_HEAD: usize = 1 << 14;
/// A client sends its head, and then its body, within this time.
const SEND_PATIENCE: Duration = Duration::from_secs(5);
/// A client takes its answer within this time.
const TAKE_PATIENCE: Duration = Duration::from_secs(30);
/// How soon a stop is noticed.
const STOP_PATIENCE: Duration = Duration::from_millis(100);
/// Connections that have not yet shown the token; one more, and the oldest is closed.
const MAX_STRANGERS: usize = 64;

/// Connections that have not yet shown the token, oldest first.
#[derive(Default)]
struct Strangers(Mutex<VecDeque<(u64, AbortHandle)>>);

impl Strangers {
    fn with<T>(&self, what: impl FnOnce(&mut VecDeque<(u64, AbortHandle)>) -> T) -> T {
        what(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets one in. Whoever sends nothing is put out by those who come later.
    fn add(&self, id: u64, connection: AbortHandle) {
        self.with(|all| {
            all.push_back((id, connection));
            if all.len() > MAX_STRANGERS {
                all.pop_front().inspect(|(_, oldest)| oldest.abort());
            }
        });
    }

    /// It has shown the token, or has gone.
    fn remove(&self, id: u64) {
        self.with(|all| all.retain(|(other, _)| *other != id));
    }
}

/// What every connection needs.
pub(super) struct House {
    page: Answer,
    guard: Guard,
    jobs: Jobs,
    strangers: Strangers,
}

impl House {
    /// A house that nobody has come to yet.
    pub(super) fn new(page: Answer, guard: Guard, jobs: Jobs) -> Self {
        House { page, guard, jobs, strangers: Strangers::default() }
    }
}

/// Serves until `stop` is set.
pub(super) async fn serve(listener: TcpListener, house: House, stop: &AtomicBool) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let house = Arc::new(house);
    let mut id = 0;
    while !stop.load(Ordering::Relaxed) {
        match timeout(STOP_PATIENCE, listener.accept()).await {
            Ok(Ok((stream, _))) => {
                id += 1;
                let connection = tokio::spawn(connection(house.clone(), id, stream));
                house.strangers.add(id, connection.abort_handle());
            }
            // Too many open files, for instance: it passes.
            Ok(Err(_)) => sleep(STOP_PATIENCE).await,
            Err(_) => {}
        }
    }
    Ok(())
}

async fn connection(house: Arc<House>, id: u64, stream: TcpStream) {
    let answering = service_fn(|request| {
        let house = house.clone();
        async move { Ok::<_, Infallible>(answer(&house, id, request).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(SEND_PATIENCE).keep_alive(false).max_buf_size(MAX_HEAD);
    let serving = http.serve_connection(TokioIo::new(stream), answering);
    // What goes wrong here is the client's to notice.
    let _ = timeout(SEND_PATIENCE * 2 + house.jobs.longest() + TAKE_PATIENCE, serving).await;
    house.strangers.remove(id);
}

async fn answer(house: &House, id: u64, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let answer = match house.guard.admit(&head) {
        Err(refused) => refused,
        Ok(Route::Page) => house.page.clone(),
        Ok(Route::Question(question)) => {
            house.strangers.remove(id);
            match read(body).await {
                Ok(body) => house.jobs.ask(question, body).await,
                Err(wrong) => wrong,
            }
        }
    };
    answer.response()
}

/// The body of a request. What is announced is not believed: memory is taken for what has come.
async fn read(body: Incoming) -> Result<Bytes, Answer> {
    let too_large = || Answer::wrong(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
    if body.size_hint().lower() > MAX_BODY as u64 {
        return Err(too_large());
    }
    match timeout(SEND_PATIENCE, Limited::new(body, MAX_BODY).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Answer::wrong(StatusCode::BAD_REQUEST, "the request cannot be read")),
        Err(_) => Err(Answer::wrong(StatusCode::REQUEST_TIMEOUT, "the request does not come")),
    }
}
