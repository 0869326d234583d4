//! A hostfile: one process a line, as `host:port`, the first one first. `#` begins a comment.

/// So many processes may be named.
const MOST: usize = 64;

/// The addresses of all processes.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read_hosts(text: &str) -> Result<Vec<String>, String> {
    let mut hosts: Vec<String> = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |what: &str| Err(format!("line {}: `{}` {what}", n + 1, line.escape_debug()));
        let Some((host, port)) = line.rsplit_once(':') else { return wrong("has no port") };
        if host.is_empty() || host.contains(char::is_whitespace) {
            return wrong("names no host");
        }
        if !port.parse::<u16>().is_ok_and(|port| port > 0) {
            return wrong("has no port from 1 to 65535");
        }
        if hosts.iter().any(|other| other == line) {
            return wrong("is there twice");
        }
        hosts.push(line.into());
    }
    match hosts.len() {
        0 => Err("it names no process".into()),
        n if n > MOST => Err(format!("it names {n} processes, and there can be {MOST}")),
        _ => Ok(hosts),
    }
}
