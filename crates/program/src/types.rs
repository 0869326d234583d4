//! Types and what they are made of: enums, packed words, objects with their instances.
//!
//! Every type is finite: its values are the whole numbers of one range. A reference is the object's
//! index within its type in the order of the heap, `null` is -1, a word is its fields packed with
//! the lowest bits first, each as the distance from its least value. A set has one bit for each value of its element
//! type, the lowest for the least.

use crate::queues::{Queue, QueueId};
use base::{Span, Table};

/// What a register or cell holds.
pub type Value = i32;

/// The value of `null`.
pub const NULL: Value = -1;

base::id_type! {
    /// An enum.
    pub struct EnumId("enum");
    /// A word type.
    pub struct WordId("word");
    /// An object type.
    pub struct ObjectId("object");
    /// A set type.
    pub struct SetId("set");
}

/// What constants are computed in, exactly.
pub type Wide = i64;

/// Whole numbers, both ends included. Of an expression, an end that is the least or the greatest number there is means: or beyond.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The least.
    pub low: Value,
    /// The greatest.
    pub high: Value,
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// What could not be understood; goes with every type, so that one mistake is reported once.
    Error,
    /// `bool`
    Bool,
    /// Numbers of a range; for an expression, the range its value is known to be in.
    Int(Range),
    /// An enum.
    Enum(EnumId),
    /// A packed word.
    Word(WordId),
    /// A reference.
    Ref {
        /// To objects of this type.
        object: ObjectId,
        /// Whether `null` is allowed.
        is_optional: bool,
    },
    /// A set.
    Set(SetId),
    /// A queue.
    Queue(QueueId),
    /// The type of the literal `null`.
    Null,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// The variants, numbered from 0.
    pub variants: Vec<String>,
}

/// A packed word.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its name.
    pub name: String,
    /// The fields, lowest bits first.
    pub fields: Vec<WordField>,
}

/// One field of a packed word.
#[derive(Clone, Debug)]
pub struct WordField {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The values of the type.
    pub range: Range,
    /// The number of its lowest bit.
    pub shift: u32,
}

/// An object type, with the objects there are.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// The fields.
    pub fields: Vec<ObjectField>,
    /// Cells of one object.
    pub size: usize,
    /// The objects of the heap, in its order.
    pub instances: Vec<Instance>,
}

/// A field of an object type.
#[derive(Clone, Debug)]
pub struct ObjectField {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The index type, for an array.
    pub index: Option<Type>,
    /// The type of one cell.
    pub ty: Type,
    /// The first cell, counted from the start of the object.
    pub offset: usize,
    /// Whether accesses without an order are not atomic.
    pub is_plain: bool,
    /// Whether it is a lock that may be elided.
    pub is_elidable: bool,
}

/// One object of the heap.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// The initial value of each field; of an array, of all elements or one for each.
    pub init: Vec<Vec<Value>>,
}

/// All declared types.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Enums.
    pub enums: Table<EnumId, Enum>,
    /// Words.
    pub words: Table<WordId, Word>,
    /// Objects.
    pub objects: Table<ObjectId, Object>,
    /// For each set type its element type; each once.
    pub sets: Table<SetId, Type>,
    /// Queue types; each once.
    pub queues: Table<QueueId, Queue>,
}

impl Range {
    /// `low..high`.
    pub fn new(low: Value, high: Value) -> Self {
        Range { low, high }
    }

    /// Whether `value` is one of them.
    pub fn contains(self, value: impl Into<i64>) -> bool {
        let value = value.into();
        i64::from(self.low) <= value && value <= i64::from(self.high)
    }

    /// Whether all of `other` are among them, for certain.
    pub fn includes(self, other: Range) -> bool {
        let is_bounded = other.low > Value::MIN && other.high < Value::MAX;
        is_bounded && self.spans(other)
    }

    /// Whether its ends are at or beyond those of `other`.
    pub fn spans(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// How many there are.
    pub fn count(self) -> u64 {
        (i64::from(self.high) - i64::from(self.low) + 1).max(0) as u64
    }

    /// The number of bits that tell them apart.
    pub fn bits(self) -> u32 {
        64 - self.count().saturating_sub(1).leading_zeros()
    }

    /// All of them.
    pub fn values(self) -> impl Iterator<Item = Value> {
        self.low..=self.high
    }
}

impl Type {
    /// Whether a value of type `other` may stand where this type is wanted.
    pub fn accepts(self, other: Type) -> bool {
        match (self, other) {
            (Type::Error, _) | (_, Type::Error) | (Type::Int(_), Type::Int(_)) => true,
            (Type::Ref { object: a, .. }, Type::Ref { object: b, .. }) => a == b,
            (Type::Ref { .. }, Type::Null) | (Type::Null, Type::Ref { .. }) => true,
            (a, b) => a == b,
        }
    }

    /// The type of what is either of this type or of `other`, if there is one.
    pub fn join(self, other: Type) -> Option<Type> {
        match (self, other) {
            (Type::Error, _) | (_, Type::Error) => Some(Type::Error),
            (Type::Int(a), Type::Int(b)) => Some(Type::Int(Range::new(a.low.min(b.low), a.high.max(b.high)))),
            (Type::Ref { object, is_optional: a }, Type::Ref { object: same, is_optional: b }) => {
                (object == same).then_some(Type::Ref { object, is_optional: a || b })
            }
            (Type::Ref { object, .. }, Type::Null) | (Type::Null, Type::Ref { object, .. }) => {
                Some(Type::Ref { object, is_optional: true })
            }
            (a, b) => (a == b).then_some(a),
        }
    }
}

impl Word {
    /// Bits in all.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|f| f.range.bits()).sum()
    }

    /// The word made of these values of its fields; none if one is out of its field's range.
    pub fn pack(&self, values: &[Value]) -> Option<Value> {
        self.fields.iter().zip(values).try_fold(0, |word, (field, value)| {
            field.range.contains(*value).then(|| word | ((value - field.range.low) << field.shift))
        })
    }

    /// The value of field `index` in `word`.
    pub fn part(&self, index: usize, word: Value) -> Value {
        let field = &self.fields[index];
        ((word >> field.shift) & field.mask()).wrapping_add(field.range.low)
    }

    /// The values a packed word may have as a number.
    pub fn range(&self) -> Range {
        let high =
            self.fields.iter().map(|f| ((i64::from(f.range.high) - i64::from(f.range.low)).max(0)) << f.shift.min(31));
        Range::new(0, Value::try_from(high.sum::<i64>()).unwrap_or(Value::MAX))
    }
}

impl WordField {
    /// Ones for the bits of the field, lowest first.
    pub fn mask(&self) -> Value {
        ((1i64 << self.range.bits().min(31)) - 1) as Value
    }
}

impl Types {
    /// The values of a type.
    pub fn range(&self, ty: Type) -> Range {
        match ty {
            Type::Error => Range::new(0, 0),
            Type::Bool => Range::new(0, 1),
            Type::Int(range) => range,
            Type::Enum(id) => Range::new(0, (self.enums[id].variants.len() as Value - 1).max(0)),
            Type::Word(id) => self.words[id].range(),
            Type::Ref { object, is_optional } => {
                let low = if is_optional { NULL } else { 0 };
                Range::new(low, (self.objects[object].instances.len() as Value - 1).max(low))
            }
            Type::Set(id) => Range::new(0, ((1i64 << self.range(self.sets[id]).count().min(31)) - 1) as Value),
            Type::Queue(id) => Range::new(0, self.queues[id].all()),
            Type::Null => Range::new(NULL, NULL),
        }
    }

    /// The type of sets with such elements.
    pub fn set_of(&mut self, element: Type) -> Type {
        let known = self.sets.iter().find(|(_, ty)| **ty == element).map(|(id, _)| id);
        Type::Set(known.unwrap_or_else(|| self.sets.push(element)))
    }

    /// The element type of a set type.
    pub fn element(&self, ty: Type) -> Option<Type> {
        match ty {
            Type::Set(id) => Some(self.sets[id]),
            _ => None,
        }
    }

    /// The type as the language writes it.
    pub fn show(&self, ty: Type) -> String {
        match ty {
            Type::Error => "unknown".into(),
            Type::Bool => "bool".into(),
            Type::Int(range) if range.low == range.high => format!("the number {}", range.low),
            Type::Int(range) => format!("{}..{}", range.low, range.high),
            Type::Enum(id) => self.enums[id].name.clone(),
            Type::Word(id) => self.words[id].name.clone(),
            Type::Ref { object, is_optional } => {
                format!("{}{}", self.objects[object].name, if is_optional { "?" } else { "" })
            }
            Type::Set(id) => match self.sets[id] {
                Type::Int(range) => format!("set {}..{}", range.low, range.high),
                element => format!("set {}", self.show(element)),
            },
            Type::Queue(id) => {
                let Queue { element, length, .. } = self.queues[id];
                match element {
                    Type::Int(range) => format!("queue {}..{} of {length}", range.low, range.high),
                    element => format!("queue {} of {length}", self.show(element)),
                }
            }
            Type::Null => "null".into(),
        }
    }

    /// A value of a type as the language writes it; `(1, InWide)` for a word, `{a, b}` for a set, `[a, b]` for a queue.
    pub fn show_value(&self, ty: Type, value: Value) -> String {
        self.value_name(ty, value).unwrap_or_else(|| value.to_string())
    }

    /// The name of a value, if values of the type have names.
    pub fn value_name(&self, ty: Type, value: Value) -> Option<String> {
        match ty {
            Type::Error | Type::Int(_) => None,
            Type::Bool => Some(if value == 0 { "false" } else { "true" }.into()),
            Type::Enum(id) => self.enums[id].variants.get(usize::try_from(value).ok()?).cloned(),
            Type::Ref { .. } | Type::Null if value == NULL => Some("null".into()),
            Type::Null => None,
            Type::Ref { object, .. } => {
                self.objects[object].instances.get(usize::try_from(value).ok()?).map(|i| i.name.clone())
            }
            Type::Set(id) => {
                let element = self.sets[id];
                let range = self.range(element);
                let holds = |v: &Value| value >> (v - range.low) & 1 == 1;
                let elements: Vec<String> = range.values().filter(holds).map(|v| self.show_value(element, v)).collect();
                Some(format!("{{{}}}", elements.join(", ")))
            }
            Type::Queue(id) => self.show_queue(self.queues[id], value),
            Type::Word(id) => {
                let word = &self.words[id];
                let part = |(i, field): (usize, &WordField)| {
                    let part = word.part(i, value);
                    field.range.contains(part).then(|| self.show_value(field.ty, part))
                };
                let parts: Option<Vec<String>> = word.fields.iter().enumerate().map(part).collect();
                Some(format!("({})", parts?.join(", ")))
            }
        }
    }
}
