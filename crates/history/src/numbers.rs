//! A state as numbers, and back: for whoever keeps states outside the process.

use crate::profile::Profile;
use crate::state::{Gap, Histories, History, Knowledge, Message};
use crate::view::View;

/// A thread has no last cell.
const NO_CELL: u32 = 1 << 16;

impl Histories {
    /// An estimate of the bytes held.
    pub fn bytes(&self) -> usize {
        2 * self.numbers().len() + size_of::<Histories>()
    }

    /// The state as numbers.
    pub fn numbers(&self) -> Vec<u32> {
        let mut out = Vec::new();
        let mut put = |clock: &[u16]| out.extend(clock.iter().map(|number| u32::from(*number)));
        for thread in &self.threads {
            [&thread.current, &thread.acquired, &thread.released].into_iter().for_each(|view| put(&view.0));
            put(&thread.own);
            put(&thread.free);
        }
        put(&self.region.0);
        for thread in &self.threads {
            out.extend([
                thread.run.map_or(NO_CELL, u32::from),
                u32::from(thread.has_ended),
                thread.sequences.len() as u32,
            ]);
            for (cell, view) in &thread.sequences {
                out.push(u32::from(*cell));
                out.extend(view.0.iter().map(|number| u32::from(*number)));
            }
        }
        for History { messages, gaps } in &self.cells {
            out.push(messages.len() as u32);
            for message in messages {
                out.extend([message.value as u32, u32::from(message.is_attached)]);
                out.extend(message.view.0.iter().map(|number| u32::from(*number)));
            }
            let clocks = gaps
                .iter()
                .flat_map(|gap| [&gap.fences, &gap.accesses, &gap.through, &gap.targets, &gap.fence_targets]);
            out.extend(clocks.flatten().map(|number| u32::from(*number)));
        }
        out
    }

    /// The state that `numbers` begin with; none if there is no such state.
    pub fn from_numbers(profile: &Profile, numbers: &mut impl Iterator<Item = u32>) -> Option<Self> {
        let mut state = Histories::start(profile);
        let nothing = profile.shape().nothing();
        for thread in &mut state.threads {
            let Knowledge { current, acquired, released, own, free, .. } = thread;
            [&mut current.0, &mut acquired.0, &mut released.0, own, free]
                .into_iter()
                .try_for_each(|c| fill(c, numbers))?;
        }
        fill(&mut state.region.0, numbers)?;
        for thread in &mut state.threads {
            let (run, has_ended, n) = (numbers.next()?, numbers.next()?, numbers.next()?);
            thread.run = if run == NO_CELL { None } else { Some(u16::try_from(run).ok()?) };
            thread.has_ended = has_ended == 1;
            thread.sequences = (0..n).map(|_| sequence(&nothing, numbers)).collect::<Option<_>>()?;
        }
        for history in &mut state.cells {
            let n = numbers.next().filter(|n| (1..=1 << 16).contains(n))?;
            history.messages = (0..n).map(|_| message(&nothing, numbers)).collect::<Option<_>>()?;
            let gap = history.gaps[0].clone();
            history.gaps = (0..=n).map(|_| filled(gap.clone(), numbers)).collect::<Option<_>>()?;
        }
        state.is_possible().then_some(state)
    }

    /// Whether all positions are there.
    fn is_possible(&self) -> bool {
        let lengths: Vec<usize> = self.cells.iter().map(|history| history.messages.len()).collect();
        let fits = |view: &View| lengths.iter().enumerate().all(|(cell, n)| view.seen(cell) < *n);
        let threads = self.threads.iter().flat_map(|thread| [&thread.current, &thread.acquired, &thread.released]);
        let messages = self.cells.iter().flat_map(|history| &history.messages).map(|message| &message.view);
        threads.chain(messages).chain([&self.region]).all(fits)
    }
}

fn fill(clock: &mut [u16], numbers: &mut impl Iterator<Item = u32>) -> Option<()> {
    clock.iter_mut().try_for_each(|number| {
        *number = u16::try_from(numbers.next()?).ok()?;
        Some(())
    })
}

fn sequence(nothing: &View, numbers: &mut impl Iterator<Item = u32>) -> Option<(u16, View)> {
    let (cell, mut view) = (u16::try_from(numbers.next()?).ok()?, nothing.clone());
    fill(&mut view.0, numbers)?;
    Some((cell, view))
}

fn message(nothing: &View, numbers: &mut impl Iterator<Item = u32>) -> Option<Message> {
    let (value, is_attached, mut view) = (numbers.next()? as i32, numbers.next()? == 1, nothing.clone());
    fill(&mut view.0, numbers)?;
    Some(Message { value, is_attached, view })
}

fn filled(mut gap: Gap, numbers: &mut impl Iterator<Item = u32>) -> Option<Gap> {
    let Gap { fences, accesses, through, targets, fence_targets } = &mut gap;
    [fences, accesses, through, targets, fence_targets].into_iter().try_for_each(|clock| fill(clock, numbers))?;
    Some(gap)
}
