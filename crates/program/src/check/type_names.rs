//! Types by name: ranges, aliases, words, references, thread indices.

use super::{Checker, Definition};
use crate::codes;
use crate::names::Decl;
use crate::typed::{SharedId, ThreadId};
use crate::types::{Enum, Object, Range, Type, Value, Word, WordField};
use base::Span;
use base::table::Id;
use syntax::tree::{self, TypeKind};

/// Bits that a packed word may have: values are 32 bits wide, with a sign.
const MAX_WORD_BITS: u32 = 30;
/// Copies of one thread.
const MAX_COPIES: Value = 64;

impl<'a> Checker<'a> {
    /// Declares enums, object types and the objects of the heap, so that constants may name them.
    pub(super) fn declare_types(&mut self) {
        for (name, variants) in self.names.enums.clone() {
            if variants.is_empty() {
                self.error(codes::EMPTY_RANGE, name.span, format!("the enum `{}` has no variants", name.text));
            }
            let variants = variants.iter().map(|v| v.text.clone()).collect();
            self.types.enums.push(Enum { name: name.text.clone(), variants });
        }
        for (name, _) in &self.names.objects {
            let object = Object { name: name.text.clone(), fields: Vec::new(), size: 0, instances: Vec::new() };
            self.types.objects.push(object);
        }
        self.declare_heap();
    }

    /// The type that a piece of text stands for.
    pub(super) fn resolve_type(&mut self, ty: &'a tree::Type) -> Type {
        match &ty.kind {
            TypeKind::Bool => Type::Bool,
            TypeKind::Error => Type::Error,
            TypeKind::Range(low, high) => {
                let (low, high) = (self.constant_number(low), self.constant_number(high));
                match (low, high) {
                    (Some(low), Some(high)) => self.range_type(low, high, ty.span),
                    _ => Type::Error,
                }
            }
            TypeKind::Named(name) => self.type_by_name(&name.text, name.span),
            TypeKind::Set(element) => self.set_type(element),
            TypeKind::Queue(element, length) => self.queue_type(element, length),
            TypeKind::Optional(name) => match self.type_by_name(&name.text, name.span) {
                Type::Ref { object, .. } => Type::Ref { object, is_optional: true },
                Type::Error => Type::Error,
                other => {
                    let message =
                        format!("`?` is for references only, and `{}` is {}", name.text, self.types.show(other));
                    self.error(codes::MISMATCH, ty.span, message);
                    Type::Error
                }
            },
        }
    }

    fn range_type(&mut self, low: Value, high: Value, span: Span) -> Type {
        if low > high {
            self.error(codes::EMPTY_RANGE, span, format!("the range {low}..{high} has no values"));
            return Type::Error;
        }
        Type::Int(Range::new(low, high))
    }

    /// The type of that name.
    pub(super) fn type_by_name(&mut self, name: &'a str, span: Span) -> Type {
        let Some(entry) = self.names.get(name) else {
            self.unknown_type(name, span);
            return Type::Error;
        };
        match entry.decl {
            Decl::Enum(id) => Type::Enum(id),
            Decl::Object(object) => Type::Ref { object, is_optional: false },
            Decl::Thread(id) => self.index_of_thread(id, span),
            Decl::Alias(_) | Decl::Word(_) => self.defined_type(name, entry.decl),
            other => {
                let message = format!("`{name}` is {}, not a type", other.what());
                let is_number = matches!(other, Decl::Const(..) | Decl::Param(..));
                let is_set = matches!(other, Decl::Shared(id) if self.is_set(id));
                let diagnostic = self.error(codes::NOT_A_TYPE, span, message);
                diagnostic
                    .notes
                    .push(base::diagnostic::Note { span: entry.span, message: "it is declared here".into() });
                diagnostic.hint = match is_set {
                    true => Some(format!("go through the type of its elements, and ask for each `x in {name}`")),
                    false => is_number.then(|| format!("for so many values write `0..{name}-1`")),
                };
                Type::Error
            }
        }
    }

    /// Whether a shared variable is declared as a set.
    fn is_set(&self, id: SharedId) -> bool {
        matches!(self.names.shared[id.index()].ty.kind, TypeKind::Set(_))
    }

    fn unknown_type(&mut self, name: &'a str, span: Span) {
        let known = self.names.all(Decl::is_type);
        let mut hint = match name.to_ascii_lowercase().as_str() {
            "int" | "integer" | "nat" | "byte" | "short" | "long" | "u8" | "u32" | "i32" | "usize" => {
                Some("write the range of its values, such as `0..3`".into())
            }
            "boolean" => Some("write `bool`".into()),
            _ => base::suggest::hint(name, known),
        };
        if let Some(scenario) = self.names.scenario_with_thread(name) {
            let (other, this) = (&scenario.name.text, &self.scenario);
            hint = Some(format!("the thread `{name}` runs in scenario `{other}`, but not in `{this}`"));
        }
        self.error(codes::UNKNOWN_TYPE, span, format!("there is no type `{name}`")).hint = hint;
    }

    fn index_of_thread(&mut self, id: ThreadId, span: Span) -> Type {
        let thread = self.names.threads[id.index()];
        if thread.count.is_none() {
            let name = &thread.name;
            let message = format!("`{}` is one thread, so it has no index type", name.text);
            let hint = format!("write `thread {}[N]` to have several", name.text);
            self.error(codes::NOT_A_TYPE, span, message).hint = Some(hint);
            return Type::Error;
        }
        match self.thread_count(id) {
            0 => Type::Error,
            n => Type::Int(Range::new(0, n as Value - 1)),
        }
    }

    /// How many copies of a replicated thread there are; 0 if that could not be found.
    pub(super) fn thread_count(&mut self, id: ThreadId) -> u32 {
        match self.counts.get(&id) {
            Some(Definition::Done(count)) => return *count,
            Some(Definition::Begun) => {
                let name = self.names.threads[id.index()].name.text.clone();
                self.cycle(&name);
                return 0;
            }
            None => {}
        }
        if !self.begin_definition(&self.names.threads[id.index()].name.text) {
            return 0;
        }
        self.counts.insert(id, Definition::Begun);
        let count = match &self.names.threads[id.index()].count {
            None => 1,
            Some(expr) => match self.constant_number(expr) {
                Some(n) if (1..=MAX_COPIES).contains(&n) => n as u32,
                Some(n) => {
                    let message = format!("a thread has 1 to {MAX_COPIES} copies, not {n}");
                    self.error(codes::OUT_OF_RANGE, expr.span, message);
                    0
                }
                None => 0,
            },
        };
        self.counts.insert(id, Definition::Done(count));
        self.end_definition();
        count
    }

    /// An alias or word, resolved once.
    fn defined_type(&mut self, name: &'a str, decl: Decl<'a>) -> Type {
        match self.type_names.get(name) {
            Some(Definition::Done(ty)) => return *ty,
            Some(Definition::Begun) => {
                self.cycle(name);
                return Type::Error;
            }
            None => {}
        }
        if !self.begin_definition(name) {
            return Type::Error;
        }
        self.type_names.insert(name, Definition::Begun);
        let ty = match decl {
            Decl::Alias(ty) => self.resolve_type(ty),
            Decl::Word(fields) => self.word(name, fields),
            _ => Type::Error,
        };
        self.type_names.insert(name, Definition::Done(ty));
        self.end_definition();
        ty
    }

    fn word(&mut self, name: &str, fields: &'a [tree::FieldDecl]) -> Type {
        let mut word = Word { name: name.to_string(), fields: Vec::new() };
        let mut shift = 0;
        for field in fields {
            let ty = self.resolve_type(&field.ty);
            let ty = self.not_a_set(ty, field.ty.span, "a field of a word");
            self.plain_field(field);
            let range = self.types.range(ty);
            if shift + range.bits() > MAX_WORD_BITS {
                let bits = shift + range.bits();
                let message = format!("a word has {MAX_WORD_BITS} bits at most, and `{name}` needs {bits} up to here");
                self.error(codes::WIDE_WORD, field.name.span, message);
                return Type::Error;
            }
            word.fields.push(WordField { name: field.name.text.clone(), ty, range, shift });
            shift += range.bits();
        }
        if word.fields.iter().any(|f| f.ty == Type::Error) {
            return Type::Error;
        }
        Type::Word(self.types.words.push(word))
    }

    /// A word's field has neither index nor initial value, and is no memory by itself.
    fn plain_field(&mut self, field: &'a tree::FieldDecl) {
        if let Some(index) = &field.index {
            let message = "a field of a word has no index: a word is one value";
            self.error(codes::NOT_AN_ARRAY, index.span, message);
        }
        for (is_it, word) in [(field.is_plain, "plain"), (field.is_elidable, "elidable")] {
            if is_it {
                let message = format!("a field of a word is not {word}: a word is one value");
                self.error(codes::NOT_MEMORY, field.name.span, message).hint =
                    Some(format!("the cell or field that holds the word may be {word}"));
            }
        }
        if let Some(init) = &field.init {
            let message = "a field of a word has no initial value of its own";
            self.error(codes::NOT_CONSTANT, init.span, message).hint =
                Some("give the cell that holds the word its initial value".into());
        }
    }
}
