//! `adversary --seed S --count N [--profile P] [--out DIR] [--keep N] [--spin]`: judges many cases and prints a table. With `--spin` SPIN
//! is asked, and no one else, in settings that a model for SPIN can have.

use adversary::campaign::{Plan, Settings, campaign, case};
use adversary::generate::Profile;
use adversary::judge::Court;
use adversary::setting::Setting;
use adversary::watch::Watch;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Cases between two lines about progress.
const PROGRESS: u64 = 1_000;

/// What was typed.
struct Args {
    seed: u64,
    count: u64,
    profile: Option<String>,
    out: Option<PathBuf>,
    keep: usize,
    is_shown: bool,
    asks_spin: bool,
}

fn args() -> Result<Args, String> {
    let mut args = Args { seed: 1, count: 1000, profile: None, out: None, keep: 2, is_shown: false, asks_spin: false };
    let mut typed = std::env::args().skip(1);
    while let Some(name) = typed.next() {
        let flag = match name.as_str() {
            "--show" => Some(&mut args.is_shown),
            "--spin" => Some(&mut args.asks_spin),
            _ => None,
        };
        if let Some(flag) = flag {
            *flag = true;
            continue;
        }
        let value = typed.next().ok_or(format!("{name} wants a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{name} cannot be {value}"));
        match name.as_str() {
            "--seed" => args.seed = number()?,
            "--count" => args.count = number()?,
            "--keep" => args.keep = number()? as usize,
            "--profile" => args.profile = Some(value),
            "--out" => args.out = Some(value.into()),
            _ => return Err(format!("there is no option {name}")),
        }
    }
    Ok(args)
}

fn main() -> ExitCode {
    match args().and_then(|args| go(&args)) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn go(args: &Args) -> Result<ExitCode, String> {
    let profiles = match &args.profile {
        None => Profile::all(),
        Some(names) => {
            let find = |name: &str| Profile::find(name).ok_or(format!("there is no profile {name}"));
            names.split(',').map(find).collect::<Result<_, _>>()?
        }
    };
    let settings: Settings = if args.asks_spin { Setting::random_for_spin } else { Setting::random };
    let court = if args.asks_spin { Court::of_spin() } else { Court::default() };
    if args.is_shown {
        for seed in args.seed..args.seed + args.count {
            let candidate = case(&profiles[0], settings, seed);
            println!("// {seed}: {}\n{}", candidate.setting.arguments(), candidate.text);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(out) = &args.out {
        std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    }
    let (seed, count, keep) = (args.seed, args.count, args.keep);
    let plan = Plan { seed, count, profiles, settings, keep, shrinking: Duration::from_secs(20) };
    let watch = Watch::start(args.out.clone(), Duration::from_secs(60));
    let begun = Instant::now();
    let report = campaign(
        &court,
        &plan,
        &|profile, seed, candidate| {
            watch.begin(profile, seed, candidate);
            let n_done = seed - plan.seed;
            if n_done > 0 && n_done.is_multiple_of(PROGRESS) {
                eprintln!("{n_done} cases in {:.0} s", begun.elapsed().as_secs_f64());
            }
        },
        &|finding| {
            println!("{}", finding.text());
            if let Some(out) = &args.out
                && let Err(error) = std::fs::write(out.join(finding.file_name()), finding.text())
            {
                eprintln!("{error}");
            }
        },
    );
    print!("{}", report.table());
    Ok(if report.n_disagreements() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
