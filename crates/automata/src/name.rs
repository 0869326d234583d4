//! What the names of cells and threads are made of. Only here are they put together, and taken apart where a text states automata.

use std::fmt;

/// Where a cell is: `from.data[0]` is element `0` of the field `data` of the object `from`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellPlace {
    /// The object; none for a variable outside objects.
    pub object: Option<String>,
    /// The field or the variable.
    pub field: String,
    /// Which element, as it is shown; none if it is no array or has one element only.
    pub index: Option<String>,
}

/// Which thread it is: `mutator[1]` is copy 1 of the program `mutator`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreadPlace {
    /// The program, which all copies share.
    pub program: String,
    /// Which copy, from 0; none if there is only one.
    pub copy: Option<u32>,
}

impl CellPlace {
    /// The name within the object: `data[0]`.
    pub fn within(&self) -> String {
        match &self.index {
            Some(index) => format!("{}[{index}]", self.field),
            None => self.field.clone(),
        }
    }
}

impl fmt::Display for CellPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.object {
            Some(object) => write!(f, "{object}.{}", self.within()),
            None => write!(f, "{}", self.within()),
        }
    }
}

impl fmt::Display for ThreadPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.copy {
            Some(copy) => write!(f, "{}[{copy}]", self.program),
            None => write!(f, "{}", self.program),
        }
    }
}

/// A name and the index in brackets after it.
fn indexed(name: &str) -> (String, Option<&str>) {
    match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((name, index)) => (name.to_string(), Some(index)),
        None => (name.to_string(), None),
    }
}

impl From<&str> for CellPlace {
    fn from(name: &str) -> Self {
        // An object's name may have an index of its own, as in `node[0].next`, and an index may be an object: `mark[node[0]]`.
        let is_outside = |at: usize| name[..at].matches('[').count() == name[..at].matches(']').count();
        let dot = name.match_indices('.').map(|(at, _)| at).find(|at| is_outside(*at));
        let (object, rest) = dot.map_or((None, name), |dot| (Some(name[..dot].to_string()), &name[dot + 1..]));
        let (field, index) = indexed(rest);
        CellPlace { object, field, index: index.map(String::from) }
    }
}

impl From<&str> for ThreadPlace {
    fn from(name: &str) -> Self {
        let (program, copy) = indexed(name);
        match copy.map(str::parse) {
            Some(Ok(copy)) => ThreadPlace { program, copy: Some(copy) },
            _ => ThreadPlace { program: name.into(), copy: None },
        }
    }
}
