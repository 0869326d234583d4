//! The types of generated values.

/// A type of the generated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `bool`
    Bool,
    /// A range.
    Num(i64, i64),
    /// The enum `Hue`, if declared.
    Hue,
    /// The word `Pair`, if declared.
    Pair,
    /// A reference; whether it may be null.
    Node(bool),
    /// A set of such values.
    Set(Box<Ty>),
    /// A queue of at most two such values.
    Queue(Box<Ty>),
}

/// The variants of `Hue`.
pub(super) const HUES: [&str; 3] = ["Red", "Green", "Blue"];

/// The parts of `Pair`.
pub(super) const PARTS: [(&str, Ty); 2] = [("low", Ty::Num(0, 1)), ("up", Ty::Bool)];

/// The names of the objects in the heap.
pub const OBJECTS: [&str; 2] = ["na", "nb"];

impl Ty {
    /// The type as text.
    pub fn text(&self) -> String {
        match self {
            Ty::Bool => "bool".into(),
            Ty::Num(low, high) => format!("{low}..{high}"),
            Ty::Hue => "Hue".into(),
            Ty::Pair => "Pair".into(),
            Ty::Node(false) => "Node".into(),
            Ty::Node(true) => "Node?".into(),
            Ty::Set(element) => format!("set {}", element.text()),
            Ty::Queue(element) => format!("queue {} of 2", element.text()),
        }
    }

    /// Whether every value of `other` is one of this type.
    pub fn holds(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Num(low, high), Ty::Num(l, h)) => low <= l && h <= high,
            (Ty::Node(nullable), Ty::Node(other)) => *nullable || !other,
            _ => self == other,
        }
    }

    /// Whether a value of `other` may be assigned, perhaps out of range.
    pub fn takes(&self, other: &Ty) -> bool {
        matches!((self, other), (Ty::Num(..), Ty::Num(..)) | (Ty::Node(_), Ty::Node(_))) || self == other
    }

    /// Whether a memory cell can be of it.
    pub fn fits_memory(&self) -> bool {
        !matches!(self, Ty::Set(_) | Ty::Queue(_))
    }
}
