//! What processes say to one another before they search: frames with numbers and texts.

use std::io::{self, Read, Write};
use std::net::TcpStream;

/// The first bytes of each frame: who sends something else is none of us.
const MAGIC: [u8; 8] = *b"lacunaC1";
/// A longer frame is none.
const LONGEST: usize = 1 << 20;

/// What a process is asked, by hashes: all must be asked the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The hash of the program.
    pub build: u64,
    /// Of all texts.
    pub texts: u64,
    /// Of what is asked of them.
    pub question: u64,
}

/// A process introduces itself to the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    pub(crate) secret: u64,
    pub(crate) process: u64,
    pub(crate) n_processes: u64,
    pub(crate) identity: Identity,
    /// Where it listens.
    pub(crate) address: String,
}

/// What the first process says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// You are welcome: wait.
    Welcome,
    /// You are not, for this reason.
    Refused(String),
    /// A search begins: its number, where the processes listen, and what is searched.
    Begin { session: u64, addresses: Vec<String>, task: Vec<u8> },
    /// There is nothing more to do.
    End,
}

impl Hello {
    pub(crate) fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let Identity { build, texts, question } = self.identity;
        let mut out = Vec::new();
        let numbers = [self.secret, self.process, self.n_processes, build, texts, question];
        numbers.into_iter().for_each(|number| put(number, &mut out));
        out.extend_from_slice(self.address.as_bytes());
        send(stream, &out)
    }

    pub(crate) fn receive(stream: &mut TcpStream) -> io::Result<Self> {
        let bytes = receive(stream)?;
        let mut rest = &bytes[..];
        let mut number = || take(&mut rest).ok_or_else(nonsense);
        let (secret, process, n_processes) = (number()?, number()?, number()?);
        let identity = Identity { build: number()?, texts: number()?, question: number()? };
        let address = String::from_utf8(rest.to_vec()).map_err(|_| nonsense())?;
        Ok(Hello { secret, process, n_processes, identity, address })
    }
}

impl Word {
    pub(crate) fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let mut out = Vec::new();
        match self {
            Word::Welcome => put(0, &mut out),
            Word::Refused(why) => {
                put(1, &mut out);
                out.extend_from_slice(why.as_bytes());
            }
            Word::Begin { session, addresses, task } => {
                [2, *session, addresses.len() as u64].into_iter().for_each(|number| put(number, &mut out));
                for address in addresses {
                    put(address.len() as u64, &mut out);
                    out.extend_from_slice(address.as_bytes());
                }
                out.extend_from_slice(task);
            }
            Word::End => put(3, &mut out),
        }
        send(stream, &out)
    }

    pub(crate) fn receive(stream: &mut TcpStream) -> io::Result<Self> {
        let bytes = receive(stream)?;
        Self::parse(&mut &bytes[..]).ok_or_else(nonsense)
    }

    fn parse(bytes: &mut &[u8]) -> Option<Self> {
        match take(bytes)? {
            0 => Some(Word::Welcome),
            1 => Some(Word::Refused(String::from_utf8(bytes.to_vec()).ok()?)),
            2 => {
                let (session, n) = (take(bytes)?, take(bytes)?);
                let address = |bytes: &mut &[u8]| {
                    let len = take(bytes)? as usize;
                    String::from_utf8(bytes.split_off(..len)?.to_vec()).ok()
                };
                let addresses = (0..n).map(|_| address(bytes)).collect::<Option<_>>()?;
                Some(Word::Begin { session, addresses, task: bytes.to_vec() })
            }
            3 => Some(Word::End),
            _ => None,
        }
    }
}

/// Sends some numbers.
pub(crate) fn send_numbers(stream: &mut TcpStream, numbers: &[u64]) -> io::Result<()> {
    let mut out = Vec::new();
    numbers.iter().for_each(|number| put(*number, &mut out));
    send(stream, &out)
}

/// Receives some numbers.
pub(crate) fn receive_numbers(stream: &mut TcpStream) -> io::Result<Vec<u64>> {
    let bytes = receive(stream)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number)).collect())
}

fn send(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    let mut frame = MAGIC.to_vec();
    frame.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    frame.extend_from_slice(bytes);
    stream.write_all(&frame)
}

fn receive(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let len = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
    if head[..8] != MAGIC || len > LONGEST {
        return Err(nonsense());
    }
    let mut bytes = vec![0; len];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn put(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    bytes.split_off(..8)?.try_into().ok().map(u64::from_le_bytes)
}

fn nonsense() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "this is no process of the cluster")
}
