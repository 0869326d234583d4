//! Runs the second opinion on what a file expects of itself.

use memory::{AddressSpeculation, Isolation, MemoryModel, StoreConditional, Transactions};
use program::{Expected, ExpectedOf, Outline, Program, Settings, World};
use second::{Amount, Failure, Limits, Opinion, Options, Refusal};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Files from the disk.
struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        std::fs::read_to_string(path)
    }
}

/// One run that a file speaks of.
pub(crate) struct Run {
    /// Variant, scenario, memory model, settings.
    pub(crate) name: String,
    /// What the file expects.
    pub(crate) expected: Expected,
    /// What the second opinion says.
    pub(crate) opinion: Result<Opinion, Failure>,
    /// The texts, to show traces.
    pub(crate) sources: base::Sources,
}

impl Run {
    /// Whether the opinion is as expected; none if there is no opinion.
    pub(crate) fn is_expected(&self) -> Option<bool> {
        let opinion = self.opinion.as_ref().ok()?;
        let violated = opinion.properties.iter().filter(|(_, answer)| matches!(answer, second::Answer::Violated(_)));
        let violated: Vec<&str> = violated.map(|(name, _)| name.as_str()).collect();
        Some(match &self.expected {
            Expected::Holds => violated.is_empty(),
            Expected::Violated { property: None } => !violated.is_empty(),
            Expected::Violated { property: Some(name) } => violated.contains(&name.as_str()),
        })
    }

    /// The traces of all that is violated.
    pub(crate) fn traces(&self) -> String {
        let mut text = String::new();
        let Ok(opinion) = &self.opinion else { return format!("{:?}", self.opinion) };
        for (name, answer) in &opinion.properties {
            if let second::Answer::Violated(lines) = answer {
                text.push_str(&format!("  {name} is violated:\n"));
                for line in lines {
                    let place = self.sources.place(line.span).map(|(_, place)| place.line).unwrap_or_default();
                    let code = self.sources.text(line.span).lines().next().unwrap_or_default();
                    text.push_str(&format!("    {} ({place}: {code})\n", line.text));
                }
            }
        }
        text
    }
}

/// A run, and what is certified of it.
pub(crate) struct Certified {
    pub(crate) name: String,
    program: Program,
    model: MemoryModel,
    options: Options,
}

/// Keeps what is written at once apart.
#[derive(Default)]
struct Pieces(Vec<Vec<u8>>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn amount(max_states: usize) -> Amount<'static> {
    Amount { max_states, is_over: &|| false }
}

impl Certified {
    /// Whether the opinion finds nothing violated; none if there is no opinion.
    pub(crate) fn holds(&self) -> Option<bool> {
        self.violated(2_000).map(|violated| violated.is_empty())
    }

    /// What the opinion finds violated.
    pub(crate) fn violated(&self, max_states: usize) -> Option<Vec<String>> {
        let limits = Limits { max_states, deadline: None };
        let opinion = second::opinion(&self.program, &self.model, &self.options, limits).ok()?;
        let violated = opinion.properties.into_iter().filter(|(_, it)| matches!(it, second::Answer::Violated(_)));
        Some(violated.map(|(name, _)| name).collect())
    }

    fn pieces(&self, max_states: usize) -> Result<(u64, Vec<Vec<u8>>), String> {
        let mut pieces = Pieces::default();
        let written = second::write(&self.program, &self.model, &self.options, amount(max_states), &mut pieces);
        written.map(|n_states| (n_states, pieces.0)).map_err(|why| format!("{why:?}"))
    }

    /// The number of states, and the certificate.
    pub(crate) fn write(&self, max_states: usize) -> Result<(u64, Vec<u8>), String> {
        self.pieces(max_states).map(|(n_states, pieces)| (n_states, pieces.concat()))
    }

    pub(crate) fn verify(&self, bytes: &[u8]) -> Result<u64, Refusal> {
        second::verify(&self.program, &self.model, &self.options, amount(100_000), &mut { bytes })
    }

    /// For each state, the certificate without it, written as if it had never been there.
    pub(crate) fn with_a_row_less(&self, max_states: usize) -> Vec<Vec<u8>> {
        let Ok((_, pieces)) = self.pieces(max_states) else { return Vec::new() };
        let n_mask = (1..).find(|n_mask| pieces.iter().all(|piece| numbers(piece, *n_mask).is_some()));
        let n_mask = n_mask.expect("rows are as documented");
        let mut row = vec![0u32; 8 * n_mask];
        let rows = pieces[..pieces.len() - 1].iter().map(|piece| {
            for (word, by) in numbers(piece, n_mask).expect("it is a row") {
                row[word] = row[word].wrapping_add((by >> 1) ^ (by & 1).wrapping_neg());
            }
            row.clone()
        });
        let rows: Vec<Vec<u32>> = rows.collect();
        let without = |left_out: usize| (0..rows.len()).filter(move |n| *n != left_out);
        (0..rows.len()).map(|n| written(without(n).map(|n| &rows[n]), n_mask)).collect()
    }
}

/// What a row has for each word that differs from the row before; none if it is no row with so many bytes of bits.
fn numbers(piece: &[u8], n_mask: usize) -> Option<Vec<(usize, u32)>> {
    if piece == [0] {
        return Some(Vec::new());
    }
    let (mask, mut rest) = piece.get(1..)?.split_at_checked(n_mask)?;
    let mut all = Vec::new();
    for word in (0..8 * n_mask).filter(|word| mask[word / 8] >> (word % 8) & 1 == 1) {
        let n_bytes = rest.iter().position(|byte| *byte < 0x80)? + 1;
        let bytes = rest[..n_bytes].iter().rev();
        all.push((word, bytes.fold(0u32, |number, byte| number << 7 | u32::from(byte & 0x7f))));
        rest = &rest[n_bytes..];
    }
    rest.is_empty().then_some(all)
}

fn written<'r>(rows: impl Iterator<Item = &'r Vec<u32>>, n_mask: usize) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), vec![0u32; 8 * n_mask]);
    for row in rows {
        let differs = |word: usize| row[word] != before[word];
        bytes.push(1);
        bytes.extend((0..n_mask).map(|n| (0..8).fold(0u8, |mask, bit| mask | u8::from(differs(8 * n + bit)) << bit)));
        for word in (0..8 * n_mask).filter(|word| differs(*word)) {
            let by = row[word].wrapping_sub(before[word]) as i32;
            let mut left = ((by << 1) ^ (by >> 31)) as u32;
            while left >= 0x80 {
                bytes.push(left as u8 | 0x80);
                left >>= 7;
            }
            bytes.push(left as u8);
        }
        before.clone_from(row);
    }
    bytes.push(0);
    bytes
}

/// Every run that a file speaks of.
pub(crate) fn certified(file: &Path) -> Vec<Certified> {
    let loaded = program::load(&Disk, file);
    let outline = program::outline(&loaded);
    let chosen = |(settings, variant, scenario, model): Chosen<'_>| {
        chosen(&loaded, &outline, settings, (variant, scenario), model).map(|(_, it)| it)
    };
    choices(&outline).into_iter().filter_map(chosen).collect()
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every run that a file speaks of, each with at most so many states.
pub(crate) fn runs(file: &Path, max_states: usize) -> Vec<Run> {
    let loaded = program::load(&Disk, file);
    let outline = program::outline(&loaded);
    let run = |(settings, variant, scenario, model): Chosen<'_>| {
        run(&loaded, &outline, settings, (variant, scenario), model, max_states)
    };
    choices(&outline).into_iter().filter_map(run).collect()
}

/// Settings, variant, scenario and memory model.
type Chosen<'o> = (&'o [(String, String)], &'o str, &'o str, MemoryModel);

fn choices(outline: &Outline) -> Vec<Chosen<'_>> {
    let mut all_settings: Vec<&[(String, String)]> = vec![&[]];
    for expectation in &outline.expectations {
        if !all_settings.contains(&&expectation.settings[..]) {
            all_settings.push(&expectation.settings);
        }
    }
    let mut choices = Vec::new();
    for settings in all_settings {
        for variant in &outline.variants {
            for scenario in &outline.scenarios {
                let models = memory::builtin::all().into_iter();
                choices.extend(models.map(|model| (settings, &variant.name[..], &scenario.name[..], model)));
            }
        }
    }
    choices
}

fn run(
    loaded: &program::Loaded,
    outline: &Outline,
    settings: &[(String, String)],
    (variant, scenario): (&str, &str),
    model: MemoryModel,
    max_states: usize,
) -> Option<Run> {
    let (expected, it) = chosen(loaded, outline, settings, (variant, scenario), model)?;
    let limits = Limits { max_states, deadline: None };
    let opinion = second::opinion(&it.program, &it.model, &it.options, limits);
    Some(Run { name: it.name, expected, opinion, sources: loaded.sources.clone() })
}

fn chosen(
    loaded: &program::Loaded,
    outline: &Outline,
    settings: &[(String, String)],
    (variant, scenario): (&str, &str),
    mut model: MemoryModel,
) -> Option<(Expected, Certified)> {
    let mut options = Options { queue_bound: 4, buffer: None, check_deadlock: true, properties: None };
    let mut set = Vec::new();
    for (name, value) in settings {
        match name.as_str() {
            "speculate" => {
                model.speculate = value.parse().expect("a number");
                options.queue_bound = 6;
            }
            "spurious_failures" => model.store_conditional = StoreConditional::MayFail,
            "spurious_aborts" => model.transactions = Transactions::MayAbort,
            "weak_isolation" => model.isolation = Isolation::Weak,
            // It has no opinion there.
            "lazy_conflicts" | "elide_locks" => return None,
            "buffer" => options.buffer = Some(value.parse().expect("a number")),
            "history" => model.histories.iter_mut().for_each(|it| it.bound = value.parse().expect("a number")),
            "address_speculation" => model.address_speculation = AddressSpeculation::Forbidden,
            _ => set.push((name.clone(), value.clone())),
        }
    }
    let name = format!("{variant} {scenario} {} {settings:?}", model.name);
    let checked = |set: Vec<(String, String)>| {
        let chosen = Settings { variant: Some(variant.into()), scenario: Some(scenario.into()), set };
        let (program, diagnostics) = program::check(loaded, &chosen);
        program.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"))
    };
    let by_itself = checked(Vec::new()).constants;
    let given: Vec<(String, String)> = settings.iter().filter(|set| !by_itself.contains(set)).cloned().collect();
    let values = &by_itself;
    let of = ExpectedOf { variant, scenario, memory: &model.name, given: &given, values };
    let expected = outline.expected(of).unwrap_or_else(|diagnostic| panic!("{name}: {diagnostic:?}"))?;
    let program = checked(set);
    Some((expected, Certified { name, program, model, options }))
}
