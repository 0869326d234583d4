//! The first process of a cluster: it begins the others if they are on this machine, asks them to search with it, and goes on from a checkpoint
//! when one of them is lost.

use super::Request;
use super::ask::{Ask, PHASES, SavedAs, identity, phase};
use crate::args::{CheckArgs, ClusterArgs};
use crate::exit::Error;
use crate::progress::STOP;
use crate::{files, limits, parallel, terminal};
use automata::PropertyKind;
use cluster::{Failure, Goal, Host, NoMeeting, Saved, Task, generation_in, read_hosts};
use explore::{Control, EveryResult, SearchOptions, Unusable, checksum};
use machine::{Compiled, LateReads};
use std::io::{BufRead, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use system::{Budget, Limit, Reached, Statistics};
use workbench::{Elsewhere, Keeping};

/// So many processes search together at most.
const MOST: usize = 64;
/// How long others may take to come: from this machine, and from others.
const PATIENCE_HERE: Duration = Duration::from_secs(60);
const PATIENCE: Duration = Duration::from_secs(300);
/// After so long it is said who is missing.
const SAY: Duration = Duration::from_secs(2);
/// How long others may take to hear that there is nothing more to do.
const END: Duration = Duration::from_secs(2);
/// So many processes may be lost in one search that has checkpoints.
const MOST_LOST: usize = 16;

/// What this process is.
pub(super) enum Role {
    Alone,
    First(Asked),
    Guest(Asked),
}

/// A cluster, as it was typed.
pub(super) struct Asked {
    /// Where the processes are, the first one first.
    pub(super) hosts: Vec<String>,
    /// Which one this is.
    pub(super) process: usize,
    /// Whether all are on this machine, begun by the first one.
    pub(super) is_local: bool,
    /// What those who were begun here know, and nobody else.
    pub(super) secret: u64,
}

impl Role {
    pub(super) fn of(args: &CheckArgs) -> Result<Self, Error> {
        let ClusterArgs { processes, cluster, process, member } = &args.cluster;
        if let Some(member) = member {
            return Ok(Role::Guest(Asked::member(member, processes.unwrap_or(0))?));
        }
        match (processes, cluster) {
            (Some(n), _) if *n == 0 || *n > MOST => {
                Err(Error::input(format!("there cannot be {n} processes")).hint("it takes a number from 1 to 64"))
            }
            (Some(n), _) if *n > 1 => {
                limits::share(*n);
                let hosts = vec!["127.0.0.1:0".into(); *n];
                Ok(Role::First(Asked { hosts, process: 0, is_local: true, secret: secret() }))
            }
            (_, Some(file)) => {
                let text = files::read(file).map_err(|e| files::cannot_read(file, &e, "a hostfile"))?;
                let wrong = |what| {
                    let error = Error::input(format!("{}: {what}", file.display()));
                    error.hint("a hostfile has `host:port` in each line, the first process first")
                };
                let hosts = read_hosts(&text).map_err(wrong)?;
                let process = process.unwrap_or(0);
                if process >= hosts.len() {
                    let n = hosts.len();
                    let error = Error::input(format!("there is no process {process}: `{}` names {n}", file.display()));
                    return Err(error.hint("they are counted from 0"));
                }
                let is_alone = hosts.len() == 1;
                let asked = Asked { hosts, process, is_local: false, secret: 0 };
                Ok(match process {
                    _ if is_alone => Role::Alone,
                    0 => Role::First(asked),
                    _ => Role::Guest(asked),
                })
            }
            _ => Ok(Role::Alone),
        }
    }
}

/// A number that nobody can guess.
fn secret() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}

impl Asked {
    /// A process that the first one has begun: `I@ADDRESS`, and a number on standard input, which ends with the first one.
    fn member(member: &str, n_processes: usize) -> Result<Self, Error> {
        let wrong = || Error::input(format!("`--member {member}` is not for people")).hint("use `--processes N`");
        let (process, address) = member.split_once('@').ok_or_else(wrong)?;
        let process: usize = process.parse().map_err(|_| wrong())?;
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map_err(|_| wrong())?;
        let secret = line.trim().parse().map_err(|_| wrong())?;
        if !(1..n_processes).contains(&process) {
            return Err(wrong());
        }
        // Whatever this process is doing then, it ends.
        std::thread::spawn(|| {
            let _ = std::io::stdin().lock().read_line(&mut String::new());
            std::process::exit(3);
        });
        limits::share(n_processes);
        terminal::mute(true);
        let mut hosts = vec!["127.0.0.1:0".to_string(); n_processes];
        hosts[0] = address.into();
        Ok(Asked { hosts, process, is_local: true, secret })
    }

    /// Where this process listens.
    pub(super) fn own_address(&self) -> &str {
        &self.hosts[self.process]
    }

    /// A process, for people.
    pub(super) fn name(&self, process: usize) -> String {
        match self.is_local {
            true => format!("process {process}"),
            false => format!("process {process} ({})", self.hosts[process]),
        }
    }
}

/// Temporal properties are searched by one process.
///
/// # Errors
/// Names the first one.
pub(super) fn refuse_temporal(requests: &[Request<'_>]) -> Result<(), Error> {
    let systems = requests.iter().flat_map(|request| &request.systems);
    let mut properties = systems.flat_map(|system| system.automata.properties.values());
    let Some(property) = properties.find(|property| matches!(property.kind, PropertyKind::Ltl(_))) else {
        return Ok(());
    };
    let error =
        Error::input(format!("`{}` is a temporal property, which several processes cannot check", property.name));
    Err(error.hint("use one process, or choose other properties with `--property`"))
}

/// The first process, with all others.
pub(super) struct Team(Arc<Members>);

/// The first process in one run.
pub(super) struct TeamOf {
    members: Arc<Members>,
    run: usize,
    saved: Option<(PathBuf, Duration, u64)>,
}

struct Members {
    asked: Asked,
    /// The limits of the command.
    budget: Budget,
    inner: Mutex<Inner>,
}

struct Inner {
    host: Option<Host>,
    /// The processes that this one has begun.
    children: Vec<Option<Child>>,
}

impl Team {
    /// Waits for all others, who must have been asked the same.
    pub(super) fn gather(asked: Asked, requests: &[Request<'_>]) -> Result<Self, Error> {
        let host = Host::new(asked.own_address(), asked.hosts.len(), asked.secret, identity(requests)?);
        let host = host.map_err(refused)?;
        let children = asked.hosts.iter().map(|_| None).collect();
        let inner = Mutex::new(Inner { host: Some(host), children });
        let members = Members { asked, budget: limits::command(), inner };
        match members.meet(None) {
            // A limit is said of the runs.
            Ok(_) | Err(NoMeeting::GivenUp) => Ok(Team(Arc::new(members))),
            Err(no_meeting) => Err(refused(no_meeting)),
        }
    }

    /// For the run at this position.
    pub(super) fn of(&self, run: usize) -> TeamOf {
        TeamOf { members: self.0.clone(), run, saved: None }
    }

    /// There is nothing more to search.
    pub(super) fn end(&self) {
        let mut inner = self.0.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.host.take().into_iter().for_each(|host| host.end(END));
        for mut child in inner.children.drain(..).flatten() {
            // Its standard input ends, and with it the process.
            drop(child.stdin.take());
            let begun = Instant::now();
            while begun.elapsed() < END && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(10));
            }
            // One that is suspended does not end by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl TeamOf {
    /// Lets all search; with checkpoints if the run has a place for them.
    pub(super) fn keeping(&self, keeping: Keeping) -> Keeping {
        let saved = match keeping {
            Keeping::Saved { folder, every, identity } => Some((folder, every, identity)),
            _ => None,
        };
        Keeping::Elsewhere(Arc::new(TeamOf { members: self.members.clone(), run: self.run, saved }))
    }

    /// The checkpoints of one search of the run.
    fn saved(&self, late_reads: LateReads) -> Result<Option<Saved>, Unusable> {
        let Some((folder, every, identity)) = &self.saved else { return Ok(None) };
        let folder = folder.join(format!("phase-{}", phase(late_reads)));
        let identity = checksum(*identity, &phase(late_reads).to_le_bytes());
        let generation = generation_in(&folder, identity)?;
        Ok(Some(Saved { folder, identity, every: *every, generation }))
    }
}

impl Elsewhere for TeamOf {
    fn begun(&self) -> Result<Option<LateReads>, Unusable> {
        for late_reads in PHASES.into_iter().rev() {
            if self.saved(late_reads)?.is_some_and(|saved| saved.generation > 0) {
                return Ok(Some(late_reads));
            }
        }
        Ok(None)
    }

    fn search(
        &self,
        system: &Compiled<'_>,
        late_reads: LateReads,
        is_every: bool,
        options: &SearchOptions,
        control: &Control<'_>,
    ) -> Result<EveryResult, Unusable> {
        let (begun, mut n_lost) = (Instant::now(), 0);
        let goal = if is_every { Goal::EveryProperty } else { Goal::FirstViolation };
        let stopped = |limit| {
            let statistics = Statistics { seconds: begun.elapsed().as_secs_f64(), ..Statistics::default() };
            EveryResult { violated: Vec::new(), limit: Some(limit), statistics, reached: Reached::default() }
        };
        loop {
            let mut options = options.clone();
            options.workers = self.members.n_workers(options.workers);
            let timeout = &mut options.limits.timeout;
            *timeout = timeout.map(|timeout| timeout.saturating_sub(begun.elapsed()));
            let saved = self.saved(late_reads)?;
            if let Some(Saved { folder, .. }) = &saved {
                let cannot = |e| Unusable(format!("cannot write to `{}`: {e}", folder.display()));
                std::fs::create_dir_all(folder).map_err(cannot)?;
            }
            let as_saved = |saved: &Saved| {
                let Saved { identity, every, generation, .. } = *saved;
                SavedAs { identity, every, generation }
            };
            let ask = Ask {
                run: self.run,
                late_reads,
                goal,
                workers: options.workers,
                max_states: options.limits.max_states,
                timeout: options.limits.timeout,
                saved: saved.as_ref().map(as_saved),
            };
            let sockets = match self.members.meet(Some(&ask)) {
                Ok(sockets) => sockets,
                Err(NoMeeting::GivenUp) => {
                    return Ok(stopped(self.members.budget.look().unwrap_or(Limit::Interrupted)));
                }
                Err(NoMeeting::Missing(why) | NoMeeting::Refused(why)) => {
                    terminal::complain(&format!("{why}; the run is not finished"));
                    return Ok(stopped(Limit::Process));
                }
            };
            let is_saved = saved.is_some();
            let task = Task { system, options: &options, control, goal, saved };
            match cluster::search(&task, sockets, 0) {
                Ok(outcome) => {
                    let outcome = outcome.expect("the first process has the outcome");
                    let cluster::Outcome { violated, limit, statistics, reached } = outcome;
                    return Ok(EveryResult { violated, limit, statistics, reached });
                }
                Err(Failure::Unusable(unusable)) => return Err(unusable),
                Err(Failure::Silent(limit)) => {
                    terminal::complain("a process did not answer when the search was to stop");
                    return Ok(stopped(limit));
                }
                Err(Failure::Lost(lost)) => {
                    n_lost += 1;
                    let who = lost.map_or("a process".into(), |lost| self.members.asked.name(lost));
                    if !is_saved || n_lost > MOST_LOST {
                        terminal::complain(&format!(
                            "{who} is gone; the run is not finished (with `--checkpoint DIR` it goes on)"
                        ));
                        return Ok(stopped(Limit::Process));
                    }
                    terminal::complain(&format!("{who} is gone; going on from the last checkpoint"));
                }
            }
        }
    }
}

impl Members {
    /// Workers of each process: what was typed, or the cores of this machine, shared.
    fn n_workers(&self, typed: usize) -> usize {
        match self.asked.is_local && typed == parallel::n_cores() {
            true => (typed / self.asked.hosts.len()).max(1),
            false => typed,
        }
    }

    /// Waits for all others, and begins a search if there is something to ask.
    fn meet(&self, ask: Option<&Ask>) -> Result<Vec<Option<TcpStream>>, NoMeeting> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { host, children } = &mut *inner;
        let host = host.as_mut().ok_or(NoMeeting::GivenUp)?;
        let (begun, address, mut is_said) = (Instant::now(), host.address(), false);
        let mut tend = |missing: &[usize]| {
            if STOP.load(Ordering::SeqCst) || self.budget.look().is_some() {
                return Some(NoMeeting::GivenUp);
            }
            let names = || missing.iter().map(|process| self.asked.name(*process)).collect::<Vec<_>>().join(", ");
            let patience = if self.asked.is_local { PATIENCE_HERE } else { PATIENCE };
            if begun.elapsed() > patience {
                return Some(NoMeeting::Missing(format!("{} did not come", names())));
            }
            if !self.asked.is_local && begun.elapsed() > SAY && !std::mem::replace(&mut is_said, true) {
                terminal::complain(&format!("waiting for {}", names()));
            }
            self.tend(missing, &address, children).err()
        };
        match ask {
            Some(ask) => host.begin(&ask.write(), &mut tend),
            None => host.wait(&mut tend).map(|()| Vec::new()),
        }
    }

    /// Begins the processes on this machine that are missing.
    fn tend(&self, missing: &[usize], address: &str, children: &mut [Option<Child>]) -> Result<(), NoMeeting> {
        for process in missing.iter().filter(|_| self.asked.is_local) {
            let child = &mut children[*process];
            let ended = child.as_mut().and_then(|child| child.try_wait().ok().flatten());
            if let Some(code) = ended.and_then(|status| status.code()) {
                // It has said why. Who was killed has no code, and is begun again.
                return Err(NoMeeting::Missing(format!("process {process} has ended with {code}")));
            }
            if child.is_none() || ended.is_some() {
                let begun = self.begin(*process, address);
                *child = Some(begun.map_err(|e| NoMeeting::Missing(format!("cannot begin process {process}: {e}")))?);
            }
        }
        Ok(())
    }

    /// Begins a process with the words that were typed.
    fn begin(&self, process: usize, address: &str) -> std::io::Result<Child> {
        let words = std::env::args_os().skip(1);
        let mut command = Command::new(std::env::current_exe()?);
        command.args(words).arg(format!("--member={process}@{address}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        if let Some(stdin) = &mut child.stdin {
            writeln!(stdin, "{}", self.asked.secret)?;
        }
        Ok(child)
    }
}

/// Why there is no cluster.
fn refused(no_meeting: NoMeeting) -> Error {
    match no_meeting {
        NoMeeting::Refused(why) => {
            Error::input(why).hint("all processes need the same build, texts and options, each its own `--process I`")
        }
        NoMeeting::Missing(why) => Error::input(why),
        NoMeeting::GivenUp => Error::input("the search was given up"),
    }
}
