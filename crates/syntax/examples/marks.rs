//! What the lexer marks in texts, a line for each piece: `FILE:LINE KIND TEXT`. `tools/editors/run` compares editors with it.

use base::FileId;
use std::io::Write;
use syntax::{Mark, marks};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        for (mark, span) in marks(FileId(0), &text) {
            let (start, end) = (span.start as usize, span.end as usize);
            let line = text[..start].matches('\n').count() + 1;
            if mark != Mark::Name {
                writeln!(out, "{path}:{line} {mark:?} {}", text[start..end].trim_end())?;
            }
        }
    }
    Ok(())
}
