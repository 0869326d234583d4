//! The residual of a conjunct once the state of a thread is known, remembered.
//!
//! It depends on what is known of the leaves that are looked at, and which one is looked at next depends on the answers so far.
//! So the answers, in order, lead through a tree to what was left the last time.

use crate::properties::conjuncts::{Conjunct, Owner};
use crate::properties::kernel::{Kernel, Numbers};
use crate::properties::specialise::{Binding, is_true, specialise};
use automata::{StateExpr, StateLeaf};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The residuals of conjuncts, so far.
#[derive(Default)]
pub(crate) struct Residuals {
    known: Mutex<Known>,
    bytes: AtomicU64,
}

#[derive(Default)]
struct Known {
    /// By conjunct, which its address stands for.
    trees: FxHashMap<usize, Tree>,
    /// Equal residuals share their code.
    kernels: FxHashMap<(Owner, StateExpr), Arc<Kernel>>,
    /// Equal lists of code are one bundle.
    bundles: FxHashMap<Vec<u32>, Arc<Bundle>>,
}

/// All code that a thread state leaves.
#[derive(Debug, Default)]
pub(crate) struct Bundle {
    /// No other code has this number; 0 if there is none.
    pub(crate) number: u32,
    pub(crate) kernels: Box<[Arc<Kernel>]>,
}

/// The answers given so far, and what they left. The first node is the root.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
}

enum Node {
    Test { leaf: StateLeaf, branches: Vec<(Binding, usize)> },
    Residual(Option<Arc<Kernel>>),
}

impl Residuals {
    /// What is left of a conjunct, given what is `seen` of its leaves; none if nothing is. `is_bound` tells leaves of which something
    /// may be known.
    pub(crate) fn of(
        &self,
        conjunct: &Arc<Conjunct>,
        is_bound: impl Fn(&StateLeaf) -> bool,
        seen: impl Fn(&StateLeaf) -> Binding,
        translate: impl Fn(&Conjunct) -> Kernel,
    ) -> Option<Arc<Kernel>> {
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let Known { trees, kernels, .. } = &mut *known;
        let tree = trees.entry(Arc::as_ptr(conjunct) as usize).or_default();
        if let Some(left) = tree.find(&seen) {
            return left;
        }
        let path = RefCell::new(Vec::new());
        let condition = specialise(&conjunct.condition, &|leaf| {
            if !is_bound(leaf) {
                return Binding::Open;
            }
            let answer = seen(leaf);
            let mut path = path.borrow_mut();
            if !path.iter().any(|(known, _)| known == leaf) {
                path.push((leaf.clone(), answer.clone()));
            }
            answer
        });
        let kernel = |condition: &StateExpr| {
            let kernel = translate(&Conjunct { owner: conjunct.owner, condition: condition.clone() });
            self.bytes.fetch_add(kernel.bytes(), Ordering::Relaxed);
            Arc::new(kernel)
        };
        let left = (!is_true(&condition)).then(|| {
            kernels.entry((conjunct.owner, condition)).or_insert_with_key(|(_, condition)| kernel(condition)).clone()
        });
        tree.add(path.into_inner(), left.clone());
        left
    }

    /// All of this code as one.
    pub(crate) fn bundle(&self, numbers: &Numbers, kernels: Vec<Arc<Kernel>>) -> Arc<Bundle> {
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let key = kernels.iter().map(|kernel| kernel.number).collect();
        let new = || {
            self.bytes.fetch_add((size_of::<Bundle>() + 24 * kernels.len()) as u64, Ordering::Relaxed);
            let number = if kernels.is_empty() { 0 } else { numbers.next() };
            Arc::new(Bundle { number, kernels: kernels.into() })
        };
        known.bundles.entry(key).or_insert_with(new).clone()
    }

    /// An estimate of the bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Tree {
    fn find(&self, seen: &impl Fn(&StateLeaf) -> Binding) -> Option<Option<Arc<Kernel>>> {
        let mut node = self.nodes.first()?;
        loop {
            match node {
                Node::Residual(left) => return Some(left.clone()),
                Node::Test { leaf, branches } => {
                    let answer = seen(leaf);
                    node = &self.nodes[branches.iter().find(|(known, _)| *known == answer)?.1];
                }
            }
        }
    }

    /// Adds a path that was not there.
    fn add(&mut self, path: Vec<(StateLeaf, Binding)>, left: Option<Arc<Kernel>>) {
        let mut from: Option<(usize, Binding)> = None;
        for (leaf, answer) in path {
            let at = self.step(from.take(), || Node::Test { leaf, branches: Vec::new() });
            from = Some((at, answer));
        }
        self.step(from, || Node::Residual(left));
    }

    /// The node that an answer leads to, which is made if there is none.
    fn step(&mut self, from: Option<(usize, Binding)>, node: impl FnOnce() -> Node) -> usize {
        let next = self.nodes.len();
        let Some((from, answer)) = from else {
            if self.nodes.is_empty() {
                self.nodes.push(node());
            }
            return 0;
        };
        let Node::Test { branches, .. } = &mut self.nodes[from] else { unreachable!("a residual has no branches") };
        match branches.iter().find(|(known, _)| *known == answer) {
            Some((_, at)) => *at,
            None => {
                branches.push((answer, next));
                self.nodes.push(node());
                next
            }
        }
    }
}
