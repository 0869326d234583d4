//! How long the calling thread was ready to run but did not: somebody else had the processor.

use std::time::Duration;

/// Delays since the thread began, as Linux counts them; none where it does not say, or there is only an interpreter.
pub(crate) fn so_far() -> Duration {
    if cfg!(miri) {
        return Duration::ZERO;
    }
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_never_shrinks() {
        let before = so_far();
        std::thread::yield_now();
        assert!(so_far() >= before);
    }
}
