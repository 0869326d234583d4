//! Scratch: searches a file.
use explore::{Control, SearchOptions, search};
use machine::{Compiled, Options, Reductions};
use program::{Settings, World};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use system::{Limits, Verdict};

struct Disk;
impl World for Disk {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        let text = std::fs::read_to_string(path)?;
        Ok((1..5).fold(text, |t, n| t.replace(&format!(" level {n}:"), ":")))
    }
}

struct Counted<'a, 'b> {
    inner: &'a Compiled<'b>,
    n: std::sync::atomic::AtomicU64,
    every: u64,
    counts: std::sync::Mutex<std::collections::HashMap<(usize, u32, usize), (u64, std::collections::HashSet<machine::Local>)>>,
}

impl system::TransitionSystem for Counted<'_, '_> {
    fn state_len(&self) -> usize {
        self.inner.state_len()
    }
    fn initial(&self, out: &mut system::Successors) {
        self.inner.initial(out)
    }
    fn successors(&self, from: &[u32], out: &mut system::Successors) {
        self.inner.successors(from, out)
    }
    fn inspect(&self, state: &[u32], covers: &mut u64) -> Option<u32> {
        if self.n.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % self.every != 0 {
            return self.inner.inspect(state, covers);
        }
        let plain = self.inner.unpack(state);
        let mut counts = self.counts.lock().unwrap();
        for (t, local) in plain.locals.iter().enumerate() {
            let entry = counts.entry((t, local.point.0, local.queue.len())).or_default();
            entry.0 += 1;
            if !entry.1.contains(local) {
                entry.1.insert(local.clone());
            }
        }
        self.inner.inspect(state, covers)
    }
    fn stuck(&self, state: &[u32]) -> Option<u32> {
        self.inner.stuck(state)
    }
    fn own_bytes(&self) -> u64 {
        self.inner.own_bytes()
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).cloned();
    let set: Vec<(String, String)> =
        args.iter().filter_map(|a| a.split_once('=').map(|(a, b)| (a.to_string(), b.to_string()))).collect();
    let loaded = program::load(&Disk, Path::new(&args[1]));
    let settings = Settings { variant: get("--variant"), set, ..Settings::default() };
    let (program, diagnostics) = program::check(&loaded, &settings);
    for d in loaded.diagnostics.iter().chain(&diagnostics).take(8) {
        eprintln!("{}", d.render(&loaded.sources));
    }
    let mut automata = lower::lower(&program.expect("checks"));
    if let Some(keep) = get("--keep") {
        for p in automata.properties.values_mut() {
            if !keep.split(',').any(|k| k == p.name) && matches!(p.kind, automata::PropertyKind::Invariant(_)) {
                p.kind = automata::PropertyKind::Assert;
            }
        }
    }
    let memory = memory::builtin::find(&get("--memory").unwrap_or("tso".into())).expect("memory");
    let symmetry = !args.iter().any(|a| a == "--plain");
    let mut options = Options { reductions: Reductions { symmetry, partial_order: false, late_reads: if args.iter().any(|a| a == "--late") { machine::LateReads::Always } else { machine::LateReads::Never }, ..Reductions::ALL }, ..Options::default() };
    options.buffer = get("--buffer").map(|b| b.parse().unwrap());
    if args.iter().any(|a| a == "--print") {
        println!("{}", automata::text::write(&automata));
    }
    let started = std::time::Instant::now();
    let compiled = Compiled::new(&automata, &memory, &options);
    println!("late {}, {} permutations, {:?}, {} words", compiled.is_late(), compiled.n_permutations(), started.elapsed(), system::TransitionSystem::state_len(&compiled));
    let number = |name: &str| get(name).map(|n| n.parse::<u64>().unwrap());
    let limits = Limits { max_states: number("--max-states"), max_bytes: number("--max-bytes"), timeout: number("--timeout").map(std::time::Duration::from_secs) };
    let stop = AtomicBool::new(false);
    let last = std::sync::Mutex::new(0.0);
    let progress = |s: &system::Statistics| {
        let mut last = last.lock().unwrap();
        if s.seconds > *last + 10.0 {
            *last = s.seconds;
            println!("  {:.0} s: {} states, depth {}, frontier {}, {} MB, own {} MB", s.seconds, s.states, s.depth, s.frontier, s.peak_bytes >> 20, system::TransitionSystem::own_bytes(&compiled) >> 20);
        }
    };
    let control = Control { stop: &stop, progress: &progress, ended: &|_| {} };
    let workers = number("--workers").unwrap_or(1) as usize;
    if args.iter().any(|a| a == "--count") {
        let counted = Counted { n: Default::default(), every: number("--every").unwrap_or(1), inner: &compiled, counts: Default::default() };
        search(&counted, &SearchOptions { workers, limits }, &control);
        let counts = counted.counts.into_inner().unwrap();
        let mut rows: Vec<_> = counts.iter().collect();
        rows.sort_by_key(|(k, (n, _))| (k.0, std::cmp::Reverse(*n)));
        for ((t, p, q), (n, locals)) in rows {
            if args.iter().any(|a| a == "--locals") { for l in locals.iter().take(60) { println!("      {:?}", l); } }
            let thread = &automata.threads[automata::ThreadId(*t as u32)];
            let point = &thread.automaton.points[automata::PointId(*p)];
            println!("{} p{p} q{q} {:?}: {n} states, {} locals: {}", thread.name, point.labels, locals.len(), automata::text::action(&automata, &thread.automaton, &point.action));
        }
    }
    let outcome = search(&compiled, &SearchOptions { workers, limits }, &control);
    let s = outcome.statistics;
    let verdict = match outcome.verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::Violated { property, path } => format!("violated {} in {}", automata.properties[automata::PropertyId(property)].name, path.len() - 1),
        Verdict::Inconclusive(l) => format!("{l:?}"),
    };
    println!("{verdict}: {} states, {} transitions, depth {}, {:.2} s, {} MB, {:.1} B/state (own {} MB)", s.states, s.transitions, s.depth, s.seconds, s.peak_bytes >> 20, s.peak_bytes as f64 / s.states as f64, system::TransitionSystem::own_bytes(&compiled) >> 20);
    let ru = std::fs::read_to_string("/proc/self/status").unwrap();
    println!("{}", ru.lines().filter(|l| l.starts_with("VmHWM")).collect::<String>());
}
