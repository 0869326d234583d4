//! Items as text.

use super::Printer;
use super::expr::pattern;
use super::flow::Flow;
use super::list::{Entry, Separator, entry};
use crate::tree::{
    Expect, ExpectRow, ExpectVerdict, Expr, FieldDecl, Guarantee, HeapObject, Heat, Item, ItemKind, Module, Name,
    Refines, Require, Scenario, Setting, SharedDecl, SharedKind, Signature, ThreadDecl, Title, Type,
};

impl Printer<'_> {
    pub(super) fn module(&mut self, module: &Module) {
        if self.layout.is_none() {
            self.doc("//!", &module.doc);
        }
        for item in &module.items {
            self.before(item.span.start);
            if self.layout.is_none() {
                self.doc("///", &item.doc);
            }
            self.item(item);
        }
        self.comments_before(u32::MAX);
    }

    fn doc(&mut self, marker: &str, lines: &[String]) {
        for line in lines {
            self.raw_line(format!("{marker} {line}").trim_end());
        }
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Enum { name, variants } => {
                let entries = variants.iter().map(|variant| entry(variant, variant.span.end, Flow::new(&variant.text)));
                self.list(Flow::new(format!("enum {}", name.text)), entries.collect(), Separator::Comma, item);
            }
            ItemKind::Word { name, fields } => self.fields("word", name, fields, item),
            ItemKind::Object { name, fields } => self.fields("object", name, fields, item),
            ItemKind::Heap(objects) => {
                let entries = objects.iter().map(|object| self.heap_object(object)).collect();
                self.list(Flow::new("heap"), entries, Separator::Semicolon, item);
            }
            ItemKind::Variant { name, title, settings } => {
                let entries = settings.iter().map(|setting| self.setting(setting)).collect();
                let head = Flow::new(format!("variant {}{}", name.text, quoted(title)));
                self.list(head, entries, Separator::Semicolon, item);
            }
            ItemKind::Expect(expect) => self.expect(expect, item),
            ItemKind::Proc { signature, body } => {
                self.comments_inside(body.span.start);
                let mut head = Flow::new(format!("{}proc ", Heat::prefix(signature.heat)));
                self.signature(&mut head, signature);
                if let Some(Refines { specification, when_performed }) = &signature.refines {
                    head.push(&format!(" refines {}", specification.text));
                    head.push(if *when_performed { " when performed" } else { "" });
                }
                if !self.try_flat(&[body], item.span.end, |p| format!("{} {}", head.flat(), p.flat_block(body))) {
                    self.block(head, body);
                }
            }
            ItemKind::Thread(thread) => self.thread(thread),
            ItemKind::Work(work) => self.work(work),
            ItemKind::Bucket(bucket) => self.bucket(bucket, item),
            ItemKind::Scenario(scenario) => self.scenario(scenario, item),
            _ => {
                self.comments_inside(item.span.end);
                let mut flow = Flow::new("");
                self.simple(&mut flow, &item.kind);
                self.line(&flow);
            }
        }
    }

    /// An item without braces.
    fn simple(&self, flow: &mut Flow, kind: &ItemKind) {
        match kind {
            ItemKind::Use(name) => flow.push(&format!("use {}", name.text)),
            ItemKind::Param { name, ty, default } => {
                self.typed(flow, &format!("param {}", name.text), ty);
                self.assigned(flow, default);
            }
            ItemKind::Flag { name, alternatives, variants, default } => {
                flow.push(&format!("flag {}: ", name.text));
                for (idx, word) in alternatives.iter().enumerate() {
                    if idx > 0 {
                        flow.push(" |");
                        flow.space(0);
                    }
                    flow.push(&word.text);
                    for variant in variants.iter().filter(|variant| variant.word == *word) {
                        flow.push(&format!(" as {}{}", variant.name.text, quoted(&variant.title)));
                    }
                }
                flow.push(&format!(" = {}", default.text));
            }
            ItemKind::Const { name, value } => {
                flow.push(&format!("const {}", name.text));
                self.assigned(flow, value);
            }
            ItemKind::TypeAlias { name, ty } => {
                flow.push(&format!("type {} = ", name.text));
                self.ty(flow, ty);
            }
            ItemKind::Shared(shared) => self.shared(flow, shared),
            ItemKind::Register(register) => {
                flow.push("register ");
                self.indexed(flow, &register.name, &register.index);
                self.typed(flow, "", &register.ty);
                self.assigned(flow, &register.init);
            }
            ItemKind::Require(require) => self.require(flow, require),
            ItemKind::Releaser(releaser) => {
                flow.push("releaser ends when ");
                self.expr(flow, &releaser.ends);
            }
            ItemKind::Predicate { name, params, condition } => {
                flow.push(&format!("predicate {}", name.text));
                self.parameters(flow, params.iter().map(|(name, ty)| (false, name, ty)));
                flow.push(":");
                flow.space(0);
                self.expr(flow, condition);
            }
            ItemKind::Invariant { name, level: None, condition } => self.property(flow, "invariant", name, condition),
            ItemKind::Invariant { name, level: Some(level), condition } => {
                flow.push(&format!("invariant {} level {}:", name.text, level.number));
                flow.space(0);
                self.expr(flow, condition);
            }
            ItemKind::Guarantee(guarantee) => {
                let level = guarantee.level.map_or(String::new(), |level| format!(" level {}", level.number));
                flow.push(&format!("guarantee {}{level}: {} at (", guarantee.name.text, guarantee.thread.text));
                for (n, label) in guarantee.labels.iter().enumerate() {
                    if n > 0 {
                        flow.push(",");
                        flow.space(0);
                    }
                    flow.push(&pattern(label));
                }
                flow.push(")");
                self.relation(flow, guarantee);
            }
            ItemKind::Forbid { name, condition } => self.property(flow, "forbid", name, condition),
            ItemKind::Cover { name, condition } => self.property(flow, "cover", name, condition),
            ItemKind::Ltl { name, formula, is_fair } => {
                self.property(flow, "ltl", name, formula);
                flow.push(if *is_fair { " fairly" } else { "" });
            }
            _ => flow.push("<error>"),
        }
    }

    fn property(&self, flow: &mut Flow, keyword: &str, name: &Name, condition: &Expr) {
        flow.push(&format!("{keyword} {}:", name.text));
        flow.space(0);
        self.expr(flow, condition);
    }

    /// What a guarantee says of the states before and after a step.
    fn relation(&self, flow: &mut Flow, guarantee: &Guarantee) {
        if let Some(requires) = &guarantee.requires {
            flow.space(0);
            flow.push("requires ");
            self.expr(flow, requires);
        }
        if let Some(places) = &guarantee.modifies {
            flow.space(0);
            flow.push("modifies (");
            for (n, place) in places.iter().enumerate() {
                flow.push(if n > 0 { ", " } else { "" });
                self.expr(flow, place);
            }
            flow.push(")");
        }
        if let Some(ensures) = &guarantee.ensures {
            flow.space(0);
            flow.push("ensures ");
            self.expr(flow, ensures);
        }
    }

    fn typed(&self, flow: &mut Flow, text: &str, ty: &Type) {
        flow.push(text);
        flow.push(": ");
        self.ty(flow, ty);
    }

    fn assigned(&self, flow: &mut Flow, value: &Expr) {
        flow.push(" = ");
        self.expr(flow, value);
    }

    fn indexed(&self, flow: &mut Flow, name: &Name, index: &Option<Type>) {
        flow.push(&name.text);
        if let Some(index) = index {
            flow.push("[");
            self.ty(flow, index);
            flow.push("]");
        }
    }

    fn shared(&self, flow: &mut Flow, shared: &SharedDecl) {
        flow.push(if shared.is_unordered { "unordered " } else { "" });
        flow.push(if shared.is_plain { "plain " } else { "" });
        flow.push(if shared.is_elidable { "elidable " } else { "" });
        flow.push(match shared.kind {
            SharedKind::Cell => "cell ",
            SharedKind::Abstract => "abstract ",
            SharedKind::Ghost => "ghost ",
        });
        self.indexed(flow, &shared.name, &shared.index);
        self.typed(flow, "", &shared.ty);
        self.assigned(flow, &shared.init);
    }

    fn require(&self, flow: &mut Flow, require: &Require) {
        match require {
            Require::Proc(signature) => {
                flow.push("require proc ");
                self.signature(flow, signature);
            }
            Require::Thread(name) => flow.push(&format!("require thread {}", name.text)),
            Require::Object(name) => flow.push(&format!("require object {}", name.text)),
            Require::Cell(name, ty) => self.typed(flow, &format!("require cell {}", name.text), ty),
        }
    }

    fn signature(&self, flow: &mut Flow, signature: &Signature) {
        flow.push(&signature.name.text);
        self.parameters(flow, signature.params.iter().map(|param| (param.is_place, &param.name, &param.ty)));
        if let Some(result) = &signature.result {
            flow.push(" -> ");
            self.ty(flow, result);
        }
    }

    /// `(x: T, place y: T, ..)`
    pub(super) fn parameters<'t>(&self, flow: &mut Flow, params: impl Iterator<Item = (bool, &'t Name, &'t Type)>) {
        flow.push("(");
        for (idx, (is_place, name, ty)) in params.enumerate() {
            if idx > 0 {
                flow.push(",");
                flow.space(0);
            }
            flow.push(if is_place { "place " } else { "" });
            self.typed(flow, &name.text, ty);
        }
        flow.push(")");
    }

    fn fields(&mut self, keyword: &str, name: &Name, fields: &[FieldDecl], item: &Item) {
        let entries = fields.iter().map(|field| {
            let mut flow = Flow::new(match (field.is_plain, field.is_elidable) {
                (true, _) => "plain ",
                (_, true) => "elidable ",
                _ => "",
            });
            self.indexed(&mut flow, &field.name, &field.index);
            self.typed(&mut flow, "", &field.ty);
            if let Some(init) = &field.init {
                self.assigned(&mut flow, init);
            }
            entry(&field.name, field.init.as_ref().map_or(field.ty.span.end, |init| init.span.end), flow)
        });
        let entries = entries.collect();
        self.list(Flow::new(format!("{keyword} {}", name.text)), entries, Separator::Comma, item);
    }

    fn heap_object(&self, object: &HeapObject) -> Entry {
        let mut flow = Flow::new(format!("{}: {}", object.name.text, object.object.text));
        let mut end = object.object.span.end;
        if let Some(count) = &object.count {
            flow.push("[");
            self.expr(&mut flow, count);
            flow.push("]");
            end = count.span.end;
        }
        for (idx, setting) in object.settings.iter().enumerate() {
            flow.push(if idx == 0 { " { " } else { "; " });
            let setting = self.setting(setting);
            flow.extend(setting.flow);
            end = setting.end;
        }
        if !object.settings.is_empty() {
            flow.push(" }");
        }
        entry(&object.name, end, flow)
    }

    fn setting(&self, setting: &Setting) -> Entry {
        let mut flow = Flow::new(&setting.name.text);
        self.assigned(&mut flow, &setting.value);
        entry(&setting.name, setting.value.span.end, flow)
    }

    fn expect(&mut self, expect: &Expect, item: &Item) {
        let mut head = Flow::new("expect");
        if !expect.variants.is_empty() {
            head.push(" ");
            names(&mut head, &expect.variants, ",");
        }
        for (idx, setting) in expect.settings.iter().enumerate() {
            head.push(if idx == 0 { " with " } else { ", " });
            head.extend(self.setting(setting).flow);
        }
        let entries = expect.rows.iter().filter_map(row).collect();
        self.list(head, entries, Separator::Semicolon, item);
    }

    /// `thread name[count] { .. }`
    fn thread(&mut self, thread: &ThreadDecl) {
        let body = &thread.body;
        self.comments_inside(body.span.start);
        let head = self.thread_head(thread);
        if !self.try_flat(&[body], body.span.end, |p| format!("{} {}", head.flat(), p.flat_block(body))) {
            self.block(head, body);
        }
    }

    fn thread_head(&self, thread: &ThreadDecl) -> Flow {
        let mut head = Flow::new(format!("{}thread {}", Heat::prefix(thread.heat), thread.name.text));
        if let Some(count) = &thread.count {
            head.push("[");
            self.expr(&mut head, count);
            head.push("]");
        }
        head
    }

    fn scenario(&mut self, scenario: &Scenario, item: &Item) {
        let default = if scenario.is_default { " default" } else { "" };
        let head = Flow::new(format!("scenario {}{default}{}", scenario.name.text, quoted(&scenario.title)));
        let mut parts: Vec<(u32, Result<&Setting, &ThreadDecl>)> = Vec::new();
        parts.extend(scenario.settings.iter().map(|setting| (setting.name.span.start, Ok(setting))));
        parts.extend(scenario.threads.iter().map(|thread| (thread.name.span.start, Err(thread))));
        if self.layout.is_some() {
            parts.sort_by_key(|(start, _)| *start);
        }
        let entries = parts.iter().map(|(_, part)| match part {
            Ok(setting) => self.setting(setting),
            Err(thread) => {
                let text = format!("{} {}", self.thread_head(thread).flat(), self.flat_block(&thread.body));
                entry(&thread.name, thread.body.span.end, Flow::new(text))
            }
        });
        let entries: Vec<Entry> = entries.collect();
        if entries.is_empty() {
            return self.list(head, entries, Separator::Semicolon, item);
        }
        if self.try_flat_list(&head, &entries, Separator::Semicolon, item) {
            return;
        }
        self.open_list(head);
        for (entry, (_, part)) in entries.iter().zip(&parts) {
            match part {
                Ok(_) => self.entry(entry, ""),
                Err(thread) => {
                    self.before(self.keyword_before(entry.start));
                    self.thread(thread);
                }
            }
        }
        self.close_list(item);
    }

    /// Where the keyword before the name at `start` begins.
    fn keyword_before(&self, start: u32) -> u32 {
        self.layout.as_ref().map_or(start, |layout| layout.token_before(start))
    }
}

/// ` "title"`, or nothing.
fn quoted(title: &Option<Title>) -> String {
    title.as_ref().map(|title| format!(" \"{}\"", title.text.replace(['"', '\n'], "'"))).unwrap_or_default()
}

/// Names with `separator` and a space between them.
fn names(flow: &mut Flow, names: &[Name], separator: &str) {
    for (idx, name) in names.iter().enumerate() {
        if idx > 0 {
            flow.push(separator);
            flow.space(0);
        }
        flow.push(&name.text);
    }
}

/// A row of `expect`; one without memory models says nothing.
fn row(row: &ExpectRow) -> Option<Entry> {
    let (first, mut end) = (row.memories.first()?, row.memories.last()?.span.end);
    let mut flow = Flow::new("");
    names(&mut flow, &row.memories, ",");
    flow.push(": ");
    match &row.verdict {
        ExpectVerdict::Holds => flow.push("holds"),
        ExpectVerdict::Violated { scenarios, property } => {
            flow.push("violated");
            if let Some(last) = scenarios.last() {
                flow.push(" in ");
                names(&mut flow, scenarios, ",");
                end = last.span.end;
            }
            if let Some(property) = property {
                flow.push(&format!(" by {}", property.text));
                end = property.span.end;
            }
        }
    }
    Some(entry(first, end, flow))
}
