//! Work packets as text.

use super::Printer;
use super::flow::Flow;
use crate::tree::{Bucket, Expr, Item, Request, Work};

impl Printer<'_> {
    /// `work name(unit: T) set workers n { .. }`
    pub(super) fn work(&mut self, work: &Work) {
        let body = &work.body;
        self.comments_inside(body.span.start);
        let order = if work.is_unordered { "unordered " } else { "" };
        let mut head = Flow::new(format!("{order}work {}", work.name.text));
        self.parameters(&mut head, work.unit.iter().map(|(name, ty)| (false, name, ty)));
        head.push(&format!(" {}", work.pool.word()));
        if let Some(workers) = &work.workers {
            head.push(" workers ");
            self.expr(&mut head, workers);
        }
        if !self.try_flat(&[body], body.span.end, |p| format!("{} {}", head.flat(), p.flat_block(body))) {
            self.block(head, body);
        }
    }

    /// `bucket name { kinds } opens when .. closes when ..`
    pub(super) fn bucket(&mut self, bucket: &Bucket, item: &Item) {
        self.comments_inside(item.span.end);
        let kinds: Vec<&str> = bucket.kinds.iter().map(|kind| kind.text.as_str()).collect();
        let kinds = if kinds.is_empty() { "{}".to_string() } else { format!("{{ {} }}", kinds.join(", ")) };
        let mut flow = Flow::new(format!("bucket {} {kinds}", bucket.name.text));
        flow.push(if bucket.is_open { " open" } else { "" });
        self.guard(&mut flow, "opens", bucket.opens.as_ref());
        self.guard(&mut flow, "closes", bucket.closes.as_ref());
        self.line(&flow);
    }

    fn guard(&self, flow: &mut Flow, word: &str, guard: Option<&Expr>) {
        if let Some(guard) = guard {
            flow.space(0);
            flow.push(&format!("{word} when "));
            self.expr(flow, guard);
        }
    }

    /// `request name(unit)`
    pub(super) fn request(&self, flow: &mut Flow, request: &Request) {
        flow.push(&format!("request {}(", request.work.text));
        for (idx, unit) in request.units.iter().enumerate() {
            flow.push(if idx > 0 { ", " } else { "" });
            self.expr(flow, unit);
        }
        flow.push(")");
    }
}
