//! `lacuna reproduce`: a paper's study, run again. One file per study.

mod mplr22;
mod oopsla17;

use crate::args::ReproduceArgs;
use crate::exit::{Ended, Error};
use std::path::{Path, PathBuf};

/// Runs the command.
pub(crate) fn run(args: &ReproduceArgs) -> Ended {
    match args.study.as_str() {
        "oopsla17" => oopsla17::run(args),
        "mplr22" => mplr22::run(args),
        study => {
            let hint = base::suggest::choice(study, &["oopsla17", "mplr22"]);
            Err(Error::input(format!("there is no study `{study}`")).hint(hint))
        }
    }
}

/// The folder of the protocols: as given, else here, else where this build's sources are.
fn protocols(wanted: Option<&Path>) -> PathBuf {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocols");
    wanted.map(PathBuf::from).unwrap_or_else(|| {
        let here = PathBuf::from("protocols");
        if here.join("copying").is_dir() { here } else { PathBuf::from(built) }
    })
}
