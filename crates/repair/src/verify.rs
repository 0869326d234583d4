//! Texts put to the test: every scenario, at the scope asked for and beyond it.

use crate::problem::{Instance, K, Question};
use memory::MemoryModel;
use patch::Patched;
use program::Loaded;
use system::Limit;
use workbench::{Answer, RunOptions, Verdict};

/// So many states are looked at beyond the scope asked for.
const MAX_STATES_BEYOND: u64 = 600_000;

/// What was verified, and how.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Of what.
    pub instance: Instance,
    /// The states looked at.
    pub states: u64,
    /// The limit that was hit, if one was: then nothing is known.
    pub limit: Option<Limit>,
}

impl Question<'_> {
    /// Runs an instance of `loaded` under `memory`; none if its program is wrong.
    pub(crate) fn run(&self, loaded: &Loaded, instance: &Instance, memory: &MemoryModel) -> Option<Answer> {
        let system = self.system(loaded, instance)?;
        Some(self.answer(&system.automata, memory, &self.options_of(instance)))
    }

    /// The options of an instance's run, which begins now: beyond the scope asked for, a limit on states and perhaps a longer queue.
    pub(crate) fn options_of(&self, instance: &Instance) -> RunOptions {
        let mut options = self.options.after(self.begun.elapsed());
        if let Some((name, value)) = &instance.larger {
            let limit = options.search.limits.max_states.unwrap_or(u64::MAX).min(MAX_STATES_BEYOND);
            options.search.limits.max_states = Some(limit);
            if name == K {
                options.machine.queue_bound = value.parse().unwrap_or(options.machine.queue_bound);
            }
        }
        options
    }

    /// Instances beyond the scope asked for: each parameter that can be one greater, is, and the queue is longer by two. Those
    /// that fail or are too large
    /// under sequential consistency already are left out: they say nothing about orders. The smallest come first.
    pub fn larger(&self) -> Vec<Instance> {
        let Some(sc) = memory::builtin::find("sc") else { return Vec::new() };
        let outline = self.outline();
        let params = outline.params.iter().filter_map(|p| Some((p.name.clone(), self.one_more(&p.name, &p.domain)?)));
        // A fence takes a place in the queue: what holds must not hold because the queue is short.
        let queue = (K.to_string(), self.options.machine.queue_bound as i64 + 2);
        let mut all: Vec<(u64, Instance)> = Vec::new();
        let queue = self.memory.histories.is_none().then_some(queue);
        for (name, value) in params.chain(queue) {
            for scenario in self.scenarios {
                let larger = Some((name.clone(), value.to_string()));
                let instance = Instance { scenario: scenario.clone(), larger };
                let answer = self.run(self.loaded, &instance, &sc).filter(|answer| answer.verdict == Verdict::Holds);
                all.extend(answer.map(|answer| (answer.statistics.states, instance)));
            }
        }
        all.sort_by_key(|(states, _)| *states);
        all.into_iter().map(|(_, instance)| instance).collect()
    }

    /// The value of a parameter plus one, if it is allowed and the variant does not set it.
    fn one_more(&self, name: &str, domain: &str) -> Option<i64> {
        if self.set.iter().any(|(set, _)| set == name) || self.variant_sets(name) {
            return None;
        }
        let high: i64 = domain.split_once("..")?.1.trim().parse().ok()?;
        let scenario = self.scenarios.first()?.clone();
        let system = self.system(self.loaded, &Instance { scenario, larger: None })?;
        let value: i64 = system.constants().iter().find(|(n, _)| n == name)?.1.parse().ok()?;
        (value < high).then_some(value + 1)
    }

    fn variant_sets(&self, name: &str) -> bool {
        use syntax::tree::ItemKind;
        let items = self.loaded.modules.iter().flat_map(|module| &module.items);
        items.into_iter().any(|item| match &item.kind {
            ItemKind::Variant { name: variant, settings, .. } => {
                variant.text == self.variant && settings.iter().any(|setting| setting.name.text == name)
            }
            _ => false,
        })
    }

    /// Runs all instances of changed files. The first that is violated is given instead, with its number.
    pub fn verify(&self, patched: &Patched, instances: &[Instance]) -> Result<Vec<Verified>, usize> {
        let loaded = patched.load();
        let mut verified = Vec::new();
        for (n, instance) in instances.iter().enumerate() {
            let answer = self.run(&loaded, instance, self.memory);
            let answer = answer.unwrap_or_else(|| panic!("the patch is no program:\n{}", patched.diff()));
            let limit = match answer.verdict {
                Verdict::Violated(_) => return Err(n),
                Verdict::Inconclusive(limit) => Some(limit),
                Verdict::Holds => None,
            };
            verified.push(Verified { instance: instance.clone(), states: answer.statistics.states, limit });
        }
        Ok(verified)
    }
}
