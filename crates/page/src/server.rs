//! The page, live: a server for this machine and for whoever has the link, which keeps nothing between requests but what it has read.
//!
//! `GET /TOKEN/` is the page. `POST /TOKEN/run` takes a [`Request`](crate::view::Request) and gives a [`view::Run`](crate::view::Run);
//! `POST /TOKEN/seek` takes one too and gives the way to the first state where the condition watched is true, or to the first
//! violation; `POST /TOKEN/why` says why the way leads to a violation.
//!
//! One thread talks to browsers (`network`, which asks `guard` who may come in), others do the work (`jobs`, by `desk`), so that
//! neither a slow client nor a long search keeps anybody else waiting.

mod answer;
mod desk;
mod guard;
mod jobs;
mod network;

pub use desk::{Caps, Site};

use desk::Desk;
use guard::Guard;
use network::House;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::AtomicBool;

/// Requests that are worked on at the same time.
const WORKERS: usize = 3;

/// Bytes of stack of a worker: trees of texts are walked by recursion.
const STACK: usize = 1 << 26;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    guard: Guard,
}

impl Server {
    /// Listens on `port` of this machine, or on any free one if it is 0.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, guard: Guard::new(port)? })
    }

    /// Where a browser finds the page: a link that nobody can guess.
    pub fn url(&self) -> String {
        self.guard.url()
    }

    /// Serves until `stop` is set.
    pub fn serve(self, site: &dyn Site, stop: &AtomicBool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let desk = Desk::new(site);
        let (jobs, todo) = jobs::queue(site.caps().timeout);
        let house = House::new(desk::page(site), self.guard, jobs);
        std::thread::scope(|scope| {
            for _ in 0..WORKERS {
                let work = || jobs::work(&desk, &todo);
                let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
                // Where so much address space is not allowed, the stack is what it is.
                if worker.is_err() {
                    scope.spawn(work);
                }
            }
            let served = runtime.block_on(network::serve(self.listener, house, stop));
            // Whoever still waits for an answer goes, and what was done for him is stopped: then the workers end.
            drop(runtime);
            served
        })
    }
}
