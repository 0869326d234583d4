//! The workers of one process: each has a thread, and a part of the states.

use crate::flow::Flow;
use crate::member::{Member, Place};
use crate::task::{Outcome, Process, Task};
use crate::trace::After;
use explore::Unusable;
use std::net::{Shutdown, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{Builder, scope, sleep};
use std::time::{Duration, Instant};
use system::{Limit, Travelling};
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{Allocator, Hooks};
use timely::worker::Worker;

/// How long a process that has lost another one waits before it closes its connections: meanwhile others see who was lost first.
const PATIENCE: Duration = Duration::from_millis(300);

/// Why a search has no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A process ended, or its connection did: which one, if that is known.
    Lost(Option<usize>),
    /// A checkpoint cannot be continued here.
    Unusable(Unusable),
    /// This limit was hit, and then a process did not answer.
    Silent(Limit),
}

/// What ended one worker.
pub(crate) enum End {
    /// Another worker has given up.
    Broken,
    /// A checkpoint cannot be continued here.
    Unusable(Unusable),
    /// All were told to stop for this reason, and some did not answer.
    Silent(Limit),
}

/// Searches with the processes at the other ends of `sockets`; there is none to this process, which is the one at `me`. The first process gets the outcome.
///
/// # Errors
/// If a process is lost or does not answer, or a checkpoint cannot be continued.
///
/// # Panics
/// By a bug of ours.
pub fn search<S: Travelling + ?Sized>(
    task: &Task<'_, S>,
    sockets: Vec<Option<TcpStream>>,
    me: usize,
) -> Result<Option<Outcome>, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(keep_quiet);
    let (n_processes, per_process) = (sockets.len(), task.options.workers);
    let clones: Vec<Option<TcpStream>> = sockets.iter().map(|s| s.as_ref()?.try_clone().ok()).collect();
    // Without it, small parcels wait for one another.
    clones.iter().flatten().for_each(|socket| drop(socket.set_nodelay(true)));
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(per_process, hooks.refill.clone(), None);
    let connected = initialize_networking_from_sockets(inner, sockets, me, per_process, hooks);
    let (builders, connections) = connected.map_err(|_| Failure::Lost(None))?;
    let process = Process::new(per_process);
    let ends: Vec<_> = scope(|scope| {
        let work = |(n, builder)| {
            let place = Place { index: me * per_process + n, n_workers: n_processes * per_process, per_process };
            let (process, clones) = (&process, &clones);
            let work = move || {
                let end = catch_unwind(AssertUnwindSafe(|| one_worker(task, place, process, builder, clones)));
                process.is_broken.fetch_or(!matches!(end, Ok(Ok(_))), Relaxed);
                end
            };
            Builder::new()
                .name(format!("cluster:{}", place.index))
                .spawn_scoped(scope, work)
                .expect("there is a thread to spare")
        };
        let threads: Vec<_> = builders.into_iter().enumerate().map(work).collect();
        threads.into_iter().map(|thread| thread.join().and_then(|end| end)).collect()
    });
    if !process.is_broken.load(Relaxed) {
        drop(connections);
        return Ok(ends.into_iter().flatten().flatten().flatten().next());
    }
    let lost = lost(&clones);
    let is_own_fault = ends.iter().any(|end| matches!(end, Ok(Err(End::Unusable(_)))));
    if !is_own_fault {
        sleep(PATIENCE);
    }
    close(&clones);
    // Its threads have ended or do so now, some of them by a panic, which is no news.
    let close = Builder::new().name("timely:close".into()).spawn(move || drop(connections));
    let _ = close.map(|thread| thread.join());
    for end in ends {
        match end {
            Ok(Err(End::Unusable(unusable))) => return Err(Failure::Unusable(unusable)),
            Ok(Err(End::Silent(limit))) => return Err(Failure::Silent(limit)),
            Err(panic) if lost.is_none() => resume_unwind(panic),
            _ => {}
        }
    }
    Err(Failure::Lost(lost))
}

fn one_worker<S: Travelling + ?Sized>(
    task: &Task<'_, S>,
    place: Place,
    process: &Process,
    builder: TcpBuilder,
    sockets: &[Option<TcpStream>],
) -> Result<Option<Outcome>, End> {
    // Without a clock it never waits.
    let mut worker = Worker::new(WorkerConfig::default(), Allocator::Tcp(builder.build()), Some(Instant::now()));
    let mut member = Member::new(task, place, process);
    if let Err(end) = member.search(&mut Flow::new(&mut worker)) {
        if matches!(end, End::Unusable(_)) {
            // A worker that goes quietly leaves the others waiting.
            close(sockets);
        }
        return Err(end);
    }
    After::new(&mut member, Flow::new(&mut worker)).outcome()
}

fn close(sockets: &[Option<TcpStream>]) {
    sockets.iter().flatten().for_each(|socket| drop(socket.shutdown(Shutdown::Both)));
}

/// The process at the other end of the first connection that is closed.
fn lost(sockets: &[Option<TcpStream>]) -> Option<usize> {
    let is_closed = |socket: &TcpStream| {
        let _ = socket.set_nonblocking(true);
        match socket.peek(&mut [0]) {
            Ok(n) => n == 0,
            Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
        }
    };
    let begun = Instant::now();
    loop {
        let found = sockets.iter().position(|socket| socket.as_ref().is_some_and(is_closed));
        if found.is_some() || begun.elapsed() > PATIENCE {
            return found;
        }
        sleep(Duration::from_millis(5));
    }
}

/// That a connection is lost is said once, in plain words, and not by every thread that notices.
fn keep_quiet() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_of_timely = std::thread::current().name().is_some_and(|name| name.starts_with("timely:"));
        let is_poison = panic.payload_as_str().is_some_and(|text| text.contains("MergeQueue"));
        if !is_of_timely && !is_poison {
            before(panic);
        }
    }));
}
