//! Formulas as text: `always (p implies eventually q)`.
//!
//! From loosest to tightest: `implies` (to the right), `or`, `and`, then `until`, `release` and `weakly_until` (to the
//! right), then `not`, `next`, `always` and `eventually`. What is printed reads back as the same formula.

use crate::Formula;
use std::fmt;

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// What is wrong.
    pub message: String,
    /// Where, in bytes from the start.
    pub at: usize,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at byte {}", self.message, self.at)
    }
}

impl std::error::Error for ReadError {}

/// The longest text that is read: formulas are traversed recursively.
const MAX_TOKENS: usize = 1000;

/// Reads a formula; atom `i` is called `atoms[i]`.
pub fn read(text: &str, atoms: &[&str]) -> Result<Formula, ReadError> {
    let tokens = tokens(text)?;
    if tokens.len() > MAX_TOKENS {
        return Err(ReadError { message: format!("more than {MAX_TOKENS} words"), at: tokens[MAX_TOKENS].1 });
    }
    let mut reader = Reader { tokens, at: 0, end: text.len(), atoms };
    let formula = reader.formula(0)?;
    match reader.peek() {
        None => Ok(formula),
        Some(word) => Err(reader.error(format!("unexpected `{word}`"))),
    }
}

/// Words and parentheses, each with its place.
fn tokens(text: &str) -> Result<Vec<(&str, usize)>, ReadError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let len = match first {
            '(' | ')' => 1,
            c if is_part(c) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            c => return Err(ReadError { message: format!("unexpected `{c}`"), at }),
        };
        tokens.push((&rest[..len], at));
        rest = &rest[len..];
    }
}

struct Reader<'a> {
    tokens: Vec<(&'a str, usize)>,
    at: usize,
    end: usize,
    atoms: &'a [&'a str],
}

type Binary = fn(Formula, Formula) -> Formula;

/// How tightly an operator between two formulas binds, how tightly its right side must, and what it makes.
fn binary(word: &str) -> Option<(u32, u32, Binary)> {
    Some(match word {
        "implies" => (1, 1, Formula::implies),
        "or" => (2, 3, Formula::or),
        "and" => (3, 4, Formula::and),
        "until" => (4, 4, Formula::until),
        "release" => (4, 4, Formula::release),
        "weakly_until" => (4, 4, Formula::weak_until),
        _ => return None,
    })
}

fn unary(word: &str) -> Option<fn(Formula) -> Formula> {
    Some(match word {
        "not" => Formula::negation,
        "next" => Formula::next,
        "always" => Formula::always,
        "eventually" => Formula::eventually,
        _ => return None,
    })
}

/// The strength of `not`, `next`, `always` and `eventually`.
const UNARY: u32 = 5;

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|token| token.0)
    }

    fn error(&self, message: String) -> ReadError {
        ReadError { message, at: self.tokens.get(self.at).map_or(self.end, |token| token.1) }
    }

    /// A formula of operators that bind at least as tightly as `strength`.
    fn formula(&mut self, strength: u32) -> Result<Formula, ReadError> {
        let mut left = self.operand()?;
        while let Some((_, right, make)) = self.peek().and_then(binary).filter(|(own, ..)| *own >= strength) {
            self.at += 1;
            left = make(left, self.formula(right)?);
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula, ReadError> {
        let word = self.peek().ok_or_else(|| self.error("a formula is missing".to_string()))?;
        if let Some(make) = unary(word) {
            self.at += 1;
            return Ok(make(self.operand()?));
        }
        let formula = match word {
            "(" => {
                self.at += 1;
                let inner = self.formula(0)?;
                if self.peek() != Some(")") {
                    return Err(self.error("`)` is missing".to_string()));
                }
                inner
            }
            "true" => Formula::True,
            "false" => Formula::False,
            _ => match self.atoms.iter().position(|atom| *atom == word) {
                Some(atom) => Formula::Atom(atom as u32),
                None => return Err(self.error(format!("unknown atom `{word}`"))),
            },
        };
        self.at += 1;
        Ok(formula)
    }
}

/// A formula with the names of its atoms, for printing.
pub struct Words<'a> {
    formula: &'a Formula,
    atoms: &'a [&'a str],
}

impl Formula {
    /// The formula as text; atom `i` is called `atoms[i]`, or `atom_i` if it has no name.
    pub fn words<'a>(&'a self, atoms: &'a [&'a str]) -> Words<'a> {
        Words { formula: self, atoms }
    }
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(self.formula, 0, out)
    }
}

impl Words<'_> {
    /// Prints with parentheses if the formula binds less tightly than `strength`.
    fn print(&self, formula: &Formula, strength: u32, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match formula {
            Formula::True => return out.write_str("true"),
            Formula::False => return out.write_str("false"),
            Formula::Atom(atom) => {
                return match self.atoms.get(*atom as usize) {
                    Some(name) => out.write_str(name),
                    None => write!(out, "atom_{atom}"),
                };
            }
            Formula::Not(_) => "not",
            Formula::Next(_) => "next",
            Formula::Always(_) => "always",
            Formula::Eventually(_) => "eventually",
            Formula::And(..) => "and",
            Formula::Or(..) => "or",
            Formula::Implies(..) => "implies",
            Formula::Until(..) => "until",
            Formula::Release(..) => "release",
            Formula::WeakUntil(..) => "weakly_until",
        };
        let operands = formula.operands();
        let Some((own, right, _)) = binary(word) else {
            write!(out, "{word} ")?;
            return self.print(operands[0], UNARY, out);
        };
        // The side that the operator does not lean to must bind more tightly.
        let left = if right > own { own } else { own + 1 };
        if own < strength {
            out.write_str("(")?;
        }
        self.print(operands[0], left, out)?;
        write!(out, " {word} ")?;
        self.print(operands[1], right, out)?;
        if own < strength {
            out.write_str(")")?;
        }
        Ok(())
    }
}
