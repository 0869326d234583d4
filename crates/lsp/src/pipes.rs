//! Messages over standard input and output. A message that cannot be read is answered with an error, and the next one is read.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::json;
use std::io::{self, BufRead, Read, Write};
use std::thread::JoinHandle;

/// More bytes than this are no message.
const MAX_BYTES: usize = 1 << 30;

/// The connection with the editor that has begun this program, and the thread that writes, which ends after the last message.
pub fn connect() -> (Connection, JoinHandle<()>) {
    let (to_server, receiver) = unbounded();
    let (sender, to_editor) = unbounded();
    std::thread::spawn(move || read(&to_server));
    let writing = std::thread::spawn(move || write(&to_editor));
    (Connection { sender, receiver }, writing)
}

/// Reads until the editor is silent, or says what has no beginning and no end.
fn read(to_server: &Sender<Message>) {
    let mut input = io::stdin().lock();
    while let Ok(bytes) = frame(&mut input) {
        let is_sent = match serde_json::from_slice(&bytes) {
            Ok(message) => to_server.send(message).is_ok(),
            Err(error) => refuse(&error.to_string()).is_ok(),
        };
        if !is_sent {
            return;
        }
    }
}

/// The bytes of the next message.
fn frame(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        let n_bytes = input.by_ref().take(1 << 12).read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            _ if n_bytes == 0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let length = length.filter(|length| *length <= MAX_BYTES).ok_or(io::ErrorKind::InvalidData)?;
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Says that a message could not be read: nobody knows which request it was.
fn refuse(why: &str) -> io::Result<()> {
    let error = json!({"code": ErrorCode::ParseError as i32, "message": why});
    let text = json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string();
    let mut output = io::stdout().lock();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// Writes until there is nothing more to say, or nobody who listens.
fn write(to_editor: &Receiver<Message>) {
    for message in to_editor {
        if message.write(&mut io::stdout().lock()).is_err() {
            return;
        }
    }
}
