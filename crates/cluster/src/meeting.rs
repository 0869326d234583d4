//! How the processes of a cluster find one another: all go to the first one, which says when a search begins.
//!
//! For each search there are new connections, each process with each. A process that has lost another one comes back here, and so does one that was
//! started again; so the next search has all of them.

use crate::greeting::{Hello, Identity, Word, receive_numbers, send_numbers};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often one looks whether somebody has come.
const TICK: Duration = Duration::from_millis(1);
/// How long somebody who has come may take to say who it is.
const GREETING: Duration = Duration::from_secs(5);
/// How long the others may take to connect to one another.
const MESH: Duration = Duration::from_secs(20);

/// Why there is no meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMeeting {
    /// A process was asked something else, or has no place here: what to say of it.
    Refused(String),
    /// Somebody does not come, or has gone: what to say of it.
    Missing(String),
    /// The caller wants to wait no longer.
    GivenUp,
}

/// The first process.
pub struct Host {
    listener: TcpListener,
    n_processes: usize,
    secret: u64,
    identity: Identity,
    session: u64,
    guests: Vec<Option<(TcpStream, String)>>,
}

/// Another process.
pub struct Guest {
    listener: TcpListener,
    process: usize,
    n_processes: usize,
    host: String,
    address: String,
    secret: u64,
    identity: Identity,
}

/// What a guest is told.
pub enum Told {
    /// A search begins, with these connections; the task is the host's.
    Begin {
        /// To each other process.
        sockets: Vec<Option<TcpStream>>,
        /// What the host has given.
        task: Vec<u8>,
    },
    /// There is nothing more to do.
    End,
}

/// Listens at an address.
fn listen(address: &str) -> Result<TcpListener, NoMeeting> {
    let listener = TcpListener::bind(address).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    listener.map_err(|error| NoMeeting::Refused(format!("cannot listen at `{address}`: {error}")))
}

impl Host {
    /// Listens at an address; port 0 takes a port that is free.
    ///
    /// # Errors
    /// If it cannot be listened there.
    pub fn new(address: &str, n_processes: usize, secret: u64, identity: Identity) -> Result<Self, NoMeeting> {
        let guests = (0..n_processes).map(|_| None).collect();
        Ok(Host { listener: listen(address)?, n_processes, secret, identity, session: 0, guests })
    }

    /// Where it listens.
    pub fn address(&self) -> String {
        self.listener.local_addr().map_or_else(|_| String::new(), |address| address.to_string())
    }

    /// Waits for all others and begins a search: the connections to them. `is_over` is told who is missing.
    ///
    /// # Errors
    /// If somebody was asked something else, or `is_over` says so.
    pub fn begin(
        &mut self,
        task: &[u8],
        is_over: &mut dyn FnMut(&[usize]) -> Option<NoMeeting>,
    ) -> Result<Vec<Option<TcpStream>>, NoMeeting> {
        self.session += 1;
        self.wait(is_over)?;
        let own = self.address();
        let addresses = self.guests.iter().map(|guest| guest.as_ref().map_or(own.clone(), |guest| guest.1.clone()));
        let word = Word::Begin { session: self.session, addresses: addresses.collect(), task: task.to_vec() };
        let mut sockets: Vec<Option<TcpStream>> = vec![None];
        for (process, guest) in self.guests.iter_mut().enumerate().skip(1) {
            let (mut stream, _) = guest.take().expect("all are there");
            let gone = |_| NoMeeting::Missing(format!("process {process} is gone"));
            word.send(&mut stream).map_err(gone)?;
            sockets.push(Some(stream));
        }
        Ok(sockets)
    }

    /// Says to all who come soon that there is nothing more to do.
    pub fn end(mut self, patience: Duration) {
        let begun = Instant::now();
        let _ = self.wait(&mut |_| (begun.elapsed() > patience).then_some(NoMeeting::GivenUp));
        self.guests.iter_mut().flatten().for_each(|(stream, _)| drop(Word::End.send(stream)));
    }

    /// Waits for all others. `is_over` is told who is missing.
    ///
    /// # Errors
    /// If somebody was asked something else, or `is_over` says so.
    pub fn wait(&mut self, is_over: &mut dyn FnMut(&[usize]) -> Option<NoMeeting>) -> Result<(), NoMeeting> {
        loop {
            // Who came long ago may have gone meanwhile.
            for guest in &mut self.guests {
                *guest = guest.take().filter(|(stream, _)| !is_closed(stream));
            }
            let missing: Vec<usize> = (1..self.n_processes).filter(|process| self.guests[*process].is_none()).collect();
            if missing.is_empty() {
                return Ok(());
            }
            if let Some(why) = is_over(&missing) {
                return Err(why);
            }
            match self.listener.accept() {
                Ok((stream, from)) => self.greet(stream, from)?,
                Err(_) => sleep(TICK),
            }
        }
    }

    /// Somebody has come. Who is none of us is sent away without a word.
    fn greet(&mut self, mut stream: TcpStream, from: SocketAddr) -> Result<(), NoMeeting> {
        let Ok(hello) = prepare(&stream).and_then(|()| Hello::receive(&mut stream)) else { return Ok(()) };
        if hello.secret != self.secret {
            return Ok(());
        }
        let process = hello.process as usize;
        let refusal = self.refusal(&hello).map(|what| format!("process {process} (from {}) {what}", from.ip()));
        if let Some(why) = refusal {
            let _ = Word::Refused(why.clone()).send(&mut stream);
            return Err(NoMeeting::Refused(why));
        }
        if self.guests[process].is_some() {
            let _ = Word::Refused(format!("there is a process {process} already")).send(&mut stream);
            return Ok(());
        }
        if Word::Welcome.send(&mut stream).is_ok() && stream.set_read_timeout(None).is_ok() {
            self.guests[process] = Some((stream, hello.address));
        }
        Ok(())
    }

    /// What is wrong with somebody who has come.
    fn refusal(&self, hello: &Hello) -> Option<String> {
        let (own, other) = (self.identity, hello.identity);
        if hello.n_processes as usize != self.n_processes {
            return Some(format!("knows of {} processes, and this one of {}", hello.n_processes, self.n_processes));
        }
        if hello.process == 0 || hello.process as usize >= self.n_processes {
            return Some(format!("has no place among {} processes", self.n_processes));
        }
        if own.build != other.build {
            return Some("is another build of Lacuna".into());
        }
        if own.texts != other.texts {
            return Some("has another text of the protocol".into());
        }
        (own.question != other.question).then(|| "was asked with other options".into())
    }
}

impl Guest {
    /// The process at position `process`, which listens at `address` and goes to `host`.
    ///
    /// # Errors
    /// If it cannot be listened there.
    pub fn new(
        (process, n_processes): (usize, usize),
        address: &str,
        host: &str,
        secret: u64,
        identity: Identity,
    ) -> Result<Self, NoMeeting> {
        let listener = listen(address)?;
        let address = listener.local_addr().map_or_else(|_| address.into(), |address| address.to_string());
        Ok(Guest { listener, process, n_processes, host: host.into(), address, secret, identity })
    }

    /// Goes to the host and waits for a search.
    ///
    /// # Errors
    /// If the host does not answer or refuses, or `is_over` says so, which is told whether the host answers.
    pub fn wait(&self, is_over: &mut dyn FnMut(bool) -> Option<NoMeeting>) -> Result<Told, NoMeeting> {
        let mut stream = loop {
            match connect(&self.host) {
                Ok(stream) => break stream,
                Err(_) => sleep(Duration::from_millis(20)),
            }
            if let Some(why) = is_over(false) {
                return Err(why);
            }
        };
        let gone = |_| NoMeeting::Missing(format!("the first process ({}) is gone", self.host));
        let (secret, address) = (self.secret, self.address.clone());
        let (process, n_processes) = (self.process as u64, self.n_processes as u64);
        let hello = Hello { secret, process, n_processes, identity: self.identity, address };
        hello.send(&mut stream).map_err(gone)?;
        loop {
            await_word(&stream, is_over)?;
            match Word::receive(&mut stream).map_err(gone)? {
                Word::Welcome => {}
                Word::Refused(why) => return Err(NoMeeting::Refused(why)),
                Word::End => return Ok(Told::End),
                Word::Begin { session, addresses, task } => {
                    stream.set_read_timeout(None).map_err(gone)?;
                    let mesh = self.mesh(session, &addresses, stream);
                    let sockets = mesh.map_err(|e| NoMeeting::Missing(format!("cannot reach another process: {e}")))?;
                    return Ok(Told::Begin { sockets, task });
                }
            }
        }
    }

    /// Connections to all others: to those before this one it goes, for those after it it waits.
    fn mesh(&self, session: u64, addresses: &[String], host: TcpStream) -> io::Result<Vec<Option<TcpStream>>> {
        let begun = Instant::now();
        let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
        sockets[0] = Some(host);
        for (other, address) in addresses.iter().enumerate().take(self.process).skip(1) {
            let mut stream = connect(address)?;
            send_numbers(&mut stream, &[self.secret, session, self.process as u64])?;
            stream.set_read_timeout(None)?;
            sockets[other] = Some(stream);
        }
        while sockets.iter().skip(self.process + 1).any(Option::is_none) {
            if begun.elapsed() > MESH {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let Ok((mut stream, _)) = self.listener.accept() else {
                sleep(TICK);
                continue;
            };
            let numbers = prepare(&stream).and_then(|()| receive_numbers(&mut stream));
            // Somebody may still want to come to a search that has failed.
            if let Ok([secret, of, other]) = numbers.as_deref()
                && (*secret, *of) == (self.secret, session)
                && let Some(socket) = sockets.get_mut(*other as usize).filter(|_| *other as usize > self.process)
            {
                stream.set_read_timeout(None)?;
                *socket = Some(stream);
            }
        }
        Ok(sockets)
    }
}

/// Waits until there is something to read, or nothing will come.
fn await_word(stream: &TcpStream, is_over: &mut dyn FnMut(bool) -> Option<NoMeeting>) -> Result<(), NoMeeting> {
    let is_early = |error: &io::Error| matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
    while stream.peek(&mut [0]).is_err_and(|error| is_early(&error)) {
        is_over(true).map_or(Ok(()), Err)?;
    }
    let _ = stream.set_read_timeout(Some(GREETING));
    Ok(())
}

/// Connects to the first address of a host that answers.
fn connect(host: &str) -> io::Result<TcpStream> {
    let mut last = io::ErrorKind::NotFound.into();
    for address in host.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, GREETING) {
            Ok(stream) => return prepare(&stream).map(|()| stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Lets a connection wait, and not for ever.
fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    rustix::net::sockopt::set_socket_keepalive(stream, true)?;
    rustix::net::sockopt::set_tcp_keepidle(stream, Duration::from_secs(10))?;
    rustix::net::sockopt::set_tcp_keepintvl(stream, Duration::from_secs(5))?;
    rustix::net::sockopt::set_tcp_keepcnt(stream, 3)?;
    stream.set_read_timeout(Some(GREETING))
}

/// Whether the other end has closed a connection on which nothing is expected.
fn is_closed(stream: &TcpStream) -> bool {
    let looked = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut [0]));
    let _ = stream.set_nonblocking(false);
    !matches!(looked, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
}
