//! How often something runs.

/// How often a procedure or thread runs, for what orders cost: `hot proc read(..)`, `cold thread collector`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// Often.
    Hot,
    /// Seldom.
    Cold,
}

impl Heat {
    /// The word with the space behind it; nothing if the text says none.
    pub fn prefix(heat: Option<Heat>) -> &'static str {
        match heat {
            Some(Heat::Hot) => "hot ",
            Some(Heat::Cold) => "cold ",
            None => "",
        }
    }
}
