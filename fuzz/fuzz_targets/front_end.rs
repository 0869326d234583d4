//! Any text through parser, printer, formatter, checker and lowering.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    fuzzing::front_end(text);
});
