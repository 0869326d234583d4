//! Programs nobody wrote: well-typed, small, and the same for the same seed.
//!
//! Reading order: `types`, `builder` (what is known of a program while it is written), `leaves` and `expr` with `asked`
//! (expressions), `body` (statements, procedures, threads), `property`. What a statement can be is in `features`, a file for each group.

pub(crate) mod body;
mod builder;
mod expr;
mod leaves;
mod observation;
mod property;
mod types;

pub use builder::{Builder, Kind, Local, Place, Proc, Scope, Shared, ThreadInfo};
pub use leaves::Leaves;
pub use types::{OBJECTS, Ty};

use crate::features::{self, BASIC, Feature};
use crate::random::Random;

/// The program of a seed and a profile, in the usual layout.
pub fn generate(profile: &Profile, seed: u64) -> String {
    let mut random = Random::new(seed ^ profile.salt());
    let features = profile.features(&mut random);
    let mut builder = Builder::new(random, features);
    (BASIC.prepare)(&mut builder);
    for feature in builder.features.clone() {
        (feature.prepare)(&mut builder);
    }
    while builder.threads.len() < builder.n_threads {
        builder.write_thread();
    }
    for feature in builder.features.clone() {
        (feature.finish)(&mut builder);
    }
    builder.write_properties();
    let text = builder.items.join("\n") + "\n";
    syntax::format(&text).unwrap_or(text)
}

/// What programs are made of.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The feature it is about; none if it mixes them.
    feature: Option<&'static Feature>,
}

impl Profile {
    /// One for each feature, and one that mixes all.
    pub fn all() -> Vec<Profile> {
        let of = |feature: &&'static Feature| Profile { name: feature.name, feature: Some(feature) };
        let mut all: Vec<Profile> = features::ALL.iter().map(of).collect();
        all.push(Profile { name: "mixed", feature: None });
        all.push(of(&&features::PROOFS));
        all
    }

    /// The profile of that name.
    pub fn find(name: &str) -> Option<Profile> {
        Self::all().into_iter().find(|profile| profile.name == name)
    }

    /// Different for each profile, so that equal seeds give unlike programs.
    fn salt(&self) -> u64 {
        self.name.bytes().fold(7, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)))
    }

    fn features(&self, random: &mut Random) -> Vec<&'static Feature> {
        let others = match self.feature {
            Some(_) if random.percent(70) => 0,
            Some(_) => 1,
            None => 2 + random.below(3),
        };
        let mut chosen: Vec<&'static Feature> = self.feature.into_iter().collect();
        for _ in 0..others {
            let other = random.pick(features::ALL);
            if !chosen.iter().any(|feature| feature.name == other.name) {
                chosen.push(other);
            }
        }
        chosen
    }
}
