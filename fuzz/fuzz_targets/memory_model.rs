//! Any text as a memory model.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    fuzzing::memory_model(text);
});
