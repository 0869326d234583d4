//! What the names of a text stand for, as far as its declarations say so without a check of types.
//!
//! A register may be called like a field elsewhere; then a mutant is made that the check of types refuses.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::parts;
use syntax::tree::{BinaryOp, UnaryOp};
use syntax::tree::{Block, Expr, ExprKind, FieldDecl, ItemKind, Module, SharedKind, Stmt, StmtKind, Type, TypeKind};

/// The names of all files.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// For each constant that has others of its kind: all of that kind, in the order of the text.
    pub(crate) alike: FxHashMap<String, Vec<String>>,
    /// Cells, abstract state and fields.
    pub(crate) shared: FxHashSet<String>,
    ghosts: FxHashSet<String>,
    bools: FxHashSet<String>,
    constants: FxHashSet<String>,
    checking: FxHashSet<String>,
    /// Whether statements have labels, which properties may ask for.
    pub(crate) has_labels: bool,
}

impl Declared {
    pub(crate) fn of(modules: &[Module]) -> Self {
        let mut declared = Declared::default();
        for item in modules.iter().flat_map(|module| &module.items) {
            declared.item(&item.kind);
        }
        declared.find_checking(modules);
        declared
    }

    fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Param { name, .. } | ItemKind::Const { name, .. } => {
                self.constants.insert(name.text.clone());
            }
            ItemKind::Flag { name, alternatives, .. } => {
                let words = std::iter::once(name).chain(alternatives);
                self.constants.extend(words.map(|word| word.text.clone()));
            }
            ItemKind::Enum { variants, .. } => self.add_alike(variants.iter().map(|v| v.text.clone()).collect()),
            ItemKind::Heap(objects) => {
                for object in objects {
                    let same = objects.iter().filter(|other| other.object.text == object.object.text);
                    self.add_alike(same.map(|other| other.name.text.clone()).collect());
                }
            }
            ItemKind::Word { fields, .. } | ItemKind::Object { fields, .. } => self.fields(fields),
            ItemKind::Shared(shared) => {
                let names = if shared.kind == SharedKind::Ghost { &mut self.ghosts } else { &mut self.shared };
                names.insert(shared.name.text.clone());
                self.typed(&shared.name.text, &shared.ty);
            }
            ItemKind::Register(register) => self.typed(&register.name.text, &register.ty),
            ItemKind::Proc { signature, body } => {
                signature.params.iter().for_each(|param| self.typed(&param.name.text, &param.ty));
                signature.result.iter().for_each(|ty| self.typed(&signature.name.text, ty));
                self.registers(body);
            }
            ItemKind::Thread(thread) => self.registers(&thread.body),
            ItemKind::Work(work) => self.registers(&work.body),
            _ => {}
        }
    }

    fn add_alike(&mut self, names: Vec<String>) {
        for name in &names {
            self.alike.insert(name.clone(), names.clone());
        }
    }

    fn fields(&mut self, fields: &[FieldDecl]) {
        for field in fields {
            self.shared.insert(field.name.text.clone());
            self.typed(&field.name.text, &field.ty);
        }
    }

    fn typed(&mut self, name: &str, ty: &Type) {
        if ty.kind == TypeKind::Bool {
            self.bools.insert(name.into());
        }
    }

    fn registers(&mut self, body: &Block) {
        for stmt in parts::stmts(body) {
            self.has_labels |= stmt.label.is_some();
            if let StmtKind::Let { name, ty, value } = &stmt.kind {
                match ty {
                    Some(ty) => self.typed(&name.text, ty),
                    None if self.is_bool(value) => drop(self.bools.insert(name.text.clone())),
                    None => {}
                }
            }
        }
    }

    /// Whether the value is true or false.
    pub(crate) fn is_bool(&self, expr: &Expr) -> bool {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, Implies, In, Less, LessEqual, NotEqual, Or};
        match &expr.kind {
            ExprKind::Bool(_) | ExprKind::Unary(UnaryOp::Not, _) => true,
            ExprKind::Binary(op, ..) => {
                matches!(op, Implies | Or | And | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In)
            }
            ExprKind::Name(name) | ExprKind::Field(_, name) | ExprKind::Call(name, _) => {
                self.bools.contains(&name.text)
            }
            ExprKind::Index(array, _) => self.is_bool(array),
            ExprKind::Method { place, name, .. } => match name.text.as_str() {
                "cas" | "sc" => true,
                "load" | "swap" | "cas_old" | "ll" => self.is_bool(place),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the value is the same in a whole run, whatever threads do.
    pub(crate) fn is_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Null => true,
            ExprKind::Name(name) => self.constants.contains(&name.text) || self.alike.contains_key(&name.text),
            ExprKind::Unary(_, e) => self.is_constant(e),
            ExprKind::Binary(_, a, b) => self.is_constant(a) && self.is_constant(b),
            _ => false,
        }
    }

    /// Whether the place is shared state and no ghost.
    pub(crate) fn is_shared(&self, place: &Expr) -> bool {
        root_name(place).is_some_and(|name| self.shared.contains(name))
    }

    /// Whether the statement only checks: properties, ghosts, and what is needed for them.
    pub(crate) fn is_checking(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Assert { .. } | StmtKind::Cover { .. } | StmtKind::Skip => true,
            StmtKind::Assign { place, .. } => root_name(place).is_some_and(|name| self.ghosts.contains(name)),
            StmtKind::Expr(Expr { kind: ExprKind::Call(name, _), .. }) => self.checking.contains(&name.text),
            StmtKind::If { .. }
            | StmtKind::Each { .. }
            | StmtKind::Atomic(_)
            | StmtKind::Then(_)
            | StmtKind::Issued(_)
            | StmtKind::Directly(_) => {
                let mut inner = parts::blocks(stmt).into_iter().flat_map(|block| &block.stmts);
                inner.all(|stmt| self.is_checking(stmt))
            }
            _ => false,
        }
    }

    /// Whether the procedure only checks.
    pub(crate) fn is_checking_proc(&self, name: &str) -> bool {
        self.checking.contains(name)
    }

    /// Procedures without result that do nothing but look and check, directly or through others of that kind.
    fn find_checking(&mut self, modules: &[Module]) {
        loop {
            let before = self.checking.len();
            for item in modules.iter().flat_map(|module| &module.items) {
                if let ItemKind::Proc { signature, body } = &item.kind {
                    let only = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Let { .. }) || self.is_checking(stmt);
                    if signature.result.is_none() && !body.stmts.is_empty() && body.stmts.iter().all(only) {
                        self.checking.insert(signature.name.text.clone());
                    }
                }
            }
            if self.checking.len() == before {
                return;
            }
        }
    }
}

/// The name that says what kind of place it is: of a field the field's, else the variable's.
fn root_name(place: &Expr) -> Option<&str> {
    match &place.kind {
        ExprKind::Name(name) | ExprKind::Field(_, name) => Some(&name.text),
        ExprKind::Index(array, _) => root_name(array),
        _ => None,
    }
}
