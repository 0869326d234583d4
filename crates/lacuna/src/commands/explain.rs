//! `lacuna explain`: what a diagnostic's code means.

use crate::args::ExplainArgs;
use crate::exit::{Error, Exit, Outcome, print};
use base::Code;
use report::table::align;

/// Runs the command.
pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    let all: Vec<&(Code, &str)> =
        syntax::codes::ALL.iter().chain(program::codes::ALL).chain(memory::text::CODES).collect();
    let wanted = args.code.as_deref().map(|code| code.trim_start_matches(['E', 'W', 'e', 'w']));
    let number = wanted.map(|digits| digits.parse::<u16>()).transpose().ok().flatten();
    let rows: Vec<Vec<String>> = all
        .iter()
        .filter(|(code, _)| wanted.is_none() || Some(code.number) == number || wanted == Some(code.name))
        .map(|(code, text)| vec![format!("E{:04}", code.number), code.name.to_string(), text.to_string()])
        .collect();
    if rows.is_empty() {
        let message = format!("there is no code `{}`", args.code.as_deref().unwrap_or(""));
        return Err(Error::input(message).hint("`lacuna explain` without a code lists all"));
    }
    print(&align(&rows))?;
    Ok(Exit::Holds)
}
