//! Detection gives the same answer as the processor's own words, on every machine.

use htm::{Features, Missing, Rtm};

#[test]
fn detection_agrees_with_the_listed_features() {
    let features = Features::read();
    match Rtm::detect() {
        Ok(_) => assert!(features.rtm && !features.rtm_always_abort, "{features}"),
        Err(Missing::Architecture) => assert_eq!(features, Features::default()),
        Err(Missing::NotListed) => assert!(!features.rtm, "{features}"),
        Err(Missing::AlwaysAborts) => assert!(features.rtm && features.rtm_always_abort, "{features}"),
        Err(Missing::NeverCommitted) => assert!(features.rtm, "{features}"),
    }
}

#[test]
fn linux_lists_the_same_features() {
    let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") else { return eprintln!("skipped: no /proc/cpuinfo") };
    let Some(flags) = text.lines().find(|line| line.starts_with("flags")) else {
        return eprintln!("skipped: no flags");
    };
    let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
    // The kernel may hide what the processor lists, never the other way round.
    let features = Features::read();
    assert!(features.rtm || !has("rtm"), "{features}");
    assert!(features.hle || !has("hle"), "{features}");
}

#[test]
fn what_is_missing_is_said_in_a_sentence() {
    for missing in [Missing::Architecture, Missing::NotListed, Missing::AlwaysAborts, Missing::NeverCommitted] {
        assert!(missing.to_string().starts_with("this "), "{missing}");
    }
}
