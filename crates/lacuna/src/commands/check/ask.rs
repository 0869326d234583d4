//! What the first process of a cluster asks of the others: which run to search, and how.

use super::Request;
use super::saving;
use crate::exit::Error;
use cluster::{Goal, Identity};
use explore::checksum;
use machine::LateReads;
use memory::MemoryModel;
use std::time::Duration;
use workbench::System;

/// One search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    /// The position of the run.
    pub(super) run: usize,
    pub(super) late_reads: LateReads,
    pub(super) goal: Goal,
    /// Workers of each process.
    pub(super) workers: usize,
    pub(super) max_states: Option<u64>,
    pub(super) timeout: Option<Duration>,
    pub(super) saved: Option<SavedAs>,
}

/// Its checkpoints: what is searched, the time between two, and which one is continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SavedAs {
    pub(super) identity: u64,
    pub(super) every: Duration,
    pub(super) generation: u64,
}

/// The searches that may answer one question, by their numbers.
pub(super) const PHASES: [LateReads; 3] = [LateReads::WhenLarge, LateReads::Always, LateReads::Never];

/// The number of a search.
pub(super) fn phase(late_reads: LateReads) -> usize {
    PHASES.iter().position(|known| *known == late_reads).unwrap_or(0)
}

impl Ask {
    pub(super) fn write(&self) -> Vec<u8> {
        let optional = |number: Option<u64>| number.map_or([0, 0], |number| [1, number]);
        let mut numbers = vec![self.run as u64, phase(self.late_reads) as u64];
        numbers.extend([u64::from(self.goal == Goal::EveryProperty), self.workers as u64]);
        numbers.extend(optional(self.max_states));
        numbers.extend(optional(self.timeout.map(|timeout| timeout.as_micros() as u64)));
        if let Some(SavedAs { identity, every, generation }) = self.saved {
            numbers.extend([identity, every.as_micros() as u64, generation]);
        }
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let numbers: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number)).collect();
        let [run, phase, is_every, workers, has_most, most, has_timeout, timeout, ref rest @ ..] = numbers[..] else {
            return None;
        };
        let saved = match rest {
            [] => None,
            [identity, every, generation] => {
                let (identity, every, generation) = (*identity, Duration::from_micros(*every), *generation);
                Some(SavedAs { identity, every, generation })
            }
            _ => return None,
        };
        Some(Ask {
            run: run as usize,
            late_reads: *PHASES.get(phase as usize)?,
            goal: if is_every == 1 { Goal::EveryProperty } else { Goal::FirstViolation },
            workers: workers as usize,
            max_states: (has_most == 1).then_some(most),
            timeout: (has_timeout == 1).then_some(Duration::from_micros(timeout)),
            saved,
        })
    }
}

/// The run at a position, in the order in which the command makes them.
pub(super) fn run_at<'a>(
    requests: &'a [Request<'_>],
    position: usize,
) -> Option<(&'a Request<'a>, &'a System, &'a MemoryModel)> {
    let of = |request: &'a Request<'a>| {
        let systems = request.systems.iter();
        systems.flat_map(move |system| request.memories.iter().map(move |memory| (request, system, memory)))
    };
    requests.iter().flat_map(of).nth(position)
}

/// What all processes must have been asked, by hashes.
pub(super) fn identity(requests: &[Request<'_>]) -> Result<Identity, Error> {
    let (mut texts, mut question) = (0, 0);
    for request in requests {
        let contents = request.sources().iter().map(|(_, source)| source.text.as_bytes());
        texts = contents.fold(texts, checksum);
        let machine = &request.options.machine;
        let scope = (machine.queue_bound, machine.buffer, machine.reductions, machine.check_deadlock);
        let asked = format!("{:?} {scope:?} {}", request.memories, request.args.every_property);
        question = checksum(question, asked.as_bytes());
        for system in &request.systems {
            let properties = system.automata.properties.values();
            let properties: Vec<_> = properties.map(|property| (&property.name, property.kind.is_stated())).collect();
            let asked = format!("{} {} {:?} {properties:?}", system.variant, system.scenario, system.constants());
            question = checksum(question, asked.as_bytes());
        }
    }
    Ok(Identity { build: saving::build()?, texts, question })
}
