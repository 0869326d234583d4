//! The steps between states of which some are put off, taken one by one again.

use crate::late::progress::{Cells, Reached, Write};
use crate::late::system::Late;
use crate::late::writes::Threads;
use crate::properties::clean::Clean;
use crate::properties::conjuncts::Owner;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::OverTables;
use automata::{Automata, PropertyId};

impl Late<'_> {
    /// The states that lead from `from`, not made canonical, to one whose canonical words are `to`: those on the way and the last.
    pub fn steps(&self, from: &[u32], to: &[u32], scratch: &mut Scratch) -> Option<Vec<Vec<u32>>> {
        let threads = self.all_progress(from, &mut scratch.findings);
        let mut found = None;
        self.each_write(from, &threads, &mut scratch.findings, &mut |words, thread, at| {
            let mut canonical = words.to_vec();
            self.system.make_canonical(&mut canonical);
            if found.is_none() && canonical == to {
                found = Some((words.to_vec(), thread, at));
            }
        });
        let (last, writer, at) = found?;
        let Write { from: before, cells, .. } = threads[writer].writes[at];
        let mut ends = self.positions(&threads, &last, cells);
        ends[writer] = before;
        let mut path = self.ways(from, &threads, &ends);
        path.push(last);
        Some(path)
    }

    /// The states that lead from `from`, not made canonical, to one that violates `property`; none on the way if `from` does.
    pub fn violation(&self, from: &[u32], property: PropertyId, scratch: &mut Scratch) -> Vec<Vec<u32>> {
        let threads = self.all_progress(from, &mut scratch.findings);
        let stays = vec![0; threads.len()];
        if let Some(ends) = self.violating(from, &threads, &mut stays.clone(), 0, property, &mut scratch.clean) {
            return self.ways(from, &threads, &ends);
        }
        let mut ends = stays;
        if property == Automata::DEADLOCK {
            self.each_end(&threads, 0, &mut from.to_vec(), &mut self.tables().options.budget.pace(), &mut |words| {
                if self.tables().deadlock(words).is_some() {
                    ends = self.positions(&threads, words, 0);
                }
            });
        }
        self.ways(from, &threads, &ends)
    }

    /// How far the threads have come in a state that violates `property`; `ends` says it for those before `thread`.
    fn violating(
        &self,
        from: &[u32],
        threads: &Threads,
        ends: &mut Vec<usize>,
        thread: usize,
        property: PropertyId,
        clean: &mut Clean,
    ) -> Option<Vec<usize>> {
        let Some(progress) = threads.get(thread) else {
            let holders = threads.iter().zip(&*ends).filter(|(progress, end)| progress.has_bus(**end));
            if holders.count() > 1 {
                return None;
            }
            let words = self.ways(from, threads, ends).pop().unwrap_or_else(|| from.to_vec());
            let judged = |thread: usize| {
                &self.tables().info(&words, thread).known().judged[self.tables().sharing[thread].position]
            };
            let mut is_it = false;
            self.tables().judges.judge(&words, judged, clean, &mut |owner| {
                is_it |= match owner {
                    Owner::Property(id) => id == property,
                    Owner::Undefined(i) => self.tables().automata.definedness[i as usize].property == property,
                    Owner::Cover(_) => false,
                };
            });
            return is_it.then(|| ends.clone());
        };
        (0..progress.all.len()).find_map(|end| {
            ends[thread] = end;
            self.violating(from, threads, ends, thread + 1, property, clean)
        })
    }

    /// For each thread, which of its progress it is at after a write to `cells`; the first if it is at none.
    fn positions(&self, threads: &Threads, words: &[u32], cells: Cells) -> Vec<usize> {
        let positions = threads.iter().enumerate().map(|(thread, progress)| {
            let number = words[self.tables().layout.n_words + thread];
            let is_here = |reached: &Reached| {
                let mut varied = words.to_vec();
                progress.vary(reached.variant, &mut varied);
                self.touched(thread, reached.number, cells) == number && varied == words
            };
            progress.all.iter().rposition(is_here).unwrap_or(0)
        });
        positions.collect()
    }

    /// The states on the way if each thread, one after the other, comes to the end given for it; the one that takes the bus last.
    fn ways(&self, from: &[u32], threads: &Threads, ends: &[usize]) -> Vec<Vec<u32>> {
        let mut words = from.to_vec();
        let mut path = Vec::new();
        let mut order: Vec<usize> = (0..threads.len()).collect();
        order.sort_by_key(|thread| threads[*thread].has_bus(ends[*thread]));
        for thread in order {
            let all = &threads[thread].all;
            let mut way: Vec<usize> = Vec::new();
            let mut at = ends[thread];
            while at != 0 {
                way.push(at);
                at = all[at].from;
            }
            for at in way.into_iter().rev() {
                words[self.tables().layout.n_words + thread] = all[at].number;
                for (word, (mask, from)) in words.iter_mut().zip(self.private_mask[thread].iter().zip(from)) {
                    *word = *word & !mask | from & mask;
                }
                threads[thread].vary(all[at].variant, &mut words);
                path.push(words.clone());
            }
        }
        path
    }

    /// All states that a stored one stands for, itself included.
    pub fn states(&self, from: &[u32], scratch: &mut Scratch) -> Vec<Vec<u32>> {
        let mut all = vec![from.to_vec()];
        for (thread, progress) in self.all_progress(from, &mut scratch.findings).iter().enumerate() {
            let mut further = Vec::new();
            for words in &mut all {
                for reached in &progress.all {
                    words[self.tables().layout.n_words + thread] = reached.number;
                    self.with_variant(progress, reached.variant, words, &mut |words| further.push(words.to_vec()));
                }
            }
            all = further;
        }
        all
    }
}
