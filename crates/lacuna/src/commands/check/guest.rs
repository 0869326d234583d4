//! A process of a cluster that is not the first one: it searches what it is asked to, and prints nothing of it.

use super::ask::{Ask, identity, phase, run_at};
use super::team::Asked;
use super::{Request, saving};
use crate::exit::{Ended, Error, Exit};
use crate::progress::STOP;
use crate::terminal;
use cluster::{Failure, Guest, NoMeeting, Saved, Task, Told};
use explore::{Control, SearchOptions};
use machine::{Compiled, Options, Reductions};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use system::Limits;

/// How long the first process may not answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// Takes part in the searches of the first process until it has no more.
pub(super) fn help(asked: &Asked, requests: &[Request<'_>]) -> Ended {
    terminal::mute(false);
    let places = (asked.process, asked.hosts.len());
    let guest = Guest::new(places, asked.own_address(), &asked.hosts[0], asked.secret, identity(requests)?);
    let guest = guest.map_err(refused)?;
    let mut since = Instant::now();
    loop {
        let told = guest.wait(&mut |is_connected| match STOP.load(Ordering::SeqCst) {
            true => Some(NoMeeting::GivenUp),
            false if is_connected || since.elapsed() < PATIENCE => None,
            false => Some(NoMeeting::Refused(format!("the first process ({}) does not answer", asked.hosts[0]))),
        });
        match told {
            Ok(Told::End) => return Ok(Exit::Holds),
            Ok(Told::Begin { sockets, task }) => {
                let ask = Ask::read(&task).ok_or_else(|| Error::input("the first process asks for nothing known"))?;
                match search(asked, requests, &ask, sockets) {
                    Ok(()) => {}
                    Err(Failure::Lost(lost)) if !asked.is_local => {
                        let who = lost.map_or("a process".into(), |lost| asked.name(lost));
                        terminal::complain(&format!("{who} is gone; going back to the first process"));
                    }
                    Err(Failure::Lost(_) | Failure::Silent(_)) => {}
                    Err(Failure::Unusable(unusable)) => return Err(saving::refused(unusable)),
                }
            }
            Err(NoMeeting::Missing(why)) if !asked.is_local => terminal::complain(&why),
            Err(NoMeeting::Missing(_)) => {}
            Err(NoMeeting::GivenUp) => return Ok(Exit::Inconclusive),
            Err(no_meeting) => return Err(refused(no_meeting)),
        }
        since = Instant::now();
    }
}

/// One search.
fn search(
    asked: &Asked,
    requests: &[Request<'_>],
    ask: &Ask,
    sockets: Vec<Option<std::net::TcpStream>>,
) -> Result<(), Failure> {
    let (request, system, memory) = run_at(requests, ask.run).expect("all have the same runs");
    let machine = &request.options.machine;
    let reductions = Reductions { late_reads: ask.late_reads, ..machine.reductions };
    let machine = Options { reductions, budget: machine.budget.part(ask.timeout), ..machine.clone() };
    let compiled = Compiled::new(&system.automata, memory, &machine);
    let max_bytes = request.options.search.limits.max_bytes;
    let limits = Limits { max_states: ask.max_states, max_bytes, timeout: ask.timeout };
    let saved = match (ask.saved, &request.args.keeping.checkpoint) {
        (None, _) => None,
        (Some(_), None) => {
            let why = "the first process writes checkpoints, and this one was not told where: add `--checkpoint DIR`";
            return Err(Failure::Unusable(explore::Unusable(why.into())));
        }
        (Some(saved), Some(folder)) => {
            let folder = folder.join(format!("run-{}", ask.run)).join(format!("phase-{}", phase(ask.late_reads)));
            std::fs::create_dir_all(&folder).map_err(|e| {
                Failure::Unusable(explore::Unusable(format!("cannot write to `{}`: {e}", folder.display())))
            })?;
            Some(Saved { folder, identity: saved.identity, every: saved.every, generation: saved.generation })
        }
    };
    let options = SearchOptions { workers: ask.workers, limits };
    let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
    let task = Task { system: &compiled, options: &options, control: &control, goal: ask.goal, saved };
    cluster::search(&task, sockets, asked.process).map(|_| ())
}

/// Why this process has no place in the cluster.
fn refused(no_meeting: NoMeeting) -> Error {
    match no_meeting {
        NoMeeting::Refused(why) | NoMeeting::Missing(why) => Error::input(why),
        NoMeeting::GivenUp => Error::input("the search was given up"),
    }
}
