//! Conjuncts, made ready to be judged fast.
//!
//! A conjunct that speaks of no thread is code of its own. One that speaks of one thread is evaluated in part for each state of that
//! thread, when that state is first met: what is left speaks of cells only, and is kept with the thread state; most often
//! nothing is left. One that speaks of several threads, a *joint* one, is code that looks at parts of the threads' states; each thread
//! state says beforehand which joint conjuncts it makes true by itself.

use crate::properties::clean::Clean;
use crate::properties::conjuncts::{Conjunct, Owner, conjuncts, is_odd, stated, threads};
use crate::properties::kernel::{Ground, Kernel, Numbers, Part, translate};
use crate::properties::reach::{self, CompiledGraph};
use crate::properties::residuals::{Bundle, Residuals};
use crate::properties::specialise::{Binding, is_true, specialise};
use crate::properties::view::View;
use crate::rules::Rules;
use crate::rules::local::Local;
use crate::tabulated::layout::Layout;
use automata::{Automata, Expr, StateLeaf, ThreadId};
use base::table::Id;
use std::borrow::Borrow;
use std::sync::Arc;

/// A conjunct that speaks of more threads needs room on the heap.
const FEW_THREADS: usize = 8;

/// All conjuncts of a system.
pub(crate) struct Judges {
    /// Those that speak of no thread.
    shared: Kernel,
    /// Those that speak of several threads.
    joint: Vec<Joint>,
    /// Those that cannot be evaluated in part.
    odd: Vec<Conjunct>,
    /// By the position of a conjunct, that among the joint ones.
    joint_of: Vec<Option<usize>>,
    graphs: Vec<Arc<CompiledGraph>>,
    numbers: Numbers,
    /// Words of a state that hold cells.
    n_cell_words: usize,
    /// For each thread, the leaves of joint conjuncts that speak of it.
    leaves: Vec<Vec<StateLeaf>>,
    /// What is left of conjuncts in thread states met so far.
    residuals: Residuals,
}

/// A conjunct that speaks of several threads.
struct Joint {
    threads: Vec<usize>,
    kernel: Kernel,
}

/// What the conjuncts say of one thread in one of its states.
pub(crate) struct Judged {
    /// What is left of those that speak of this thread only.
    pub(crate) own: Arc<Bundle>,
    /// For joint ones: what may be seen of the thread.
    views: Box<[JointView]>,
    /// Which joint ones some view leaves open, a bit each; one that does not speak of the thread is open.
    open: Box<[u64]>,
}

struct JointView {
    open: Box<[u64]>,
    /// What the thread's leaves are.
    parts: Box<[Part]>,
}

impl Judges {
    pub(crate) fn new(automata: &Automata, layout: &Layout) -> Self {
        let all = conjuncts(automata);
        let numbers = Numbers::default();
        let graphs = reach::translate_all(automata, layout, &numbers);
        let ground = Ground { layout, graphs: &graphs, numbers: &numbers };
        let is_odd = |conjunct: &&Conjunct| is_odd(automata, &conjunct.condition);
        let n_threads = |conjunct: &Conjunct| threads(automata, &conjunct.condition).len();
        let is_joint = |conjunct: &&Conjunct| n_threads(conjunct) > 1 && !is_odd(conjunct);
        let mut by_thread: Vec<Vec<StateLeaf>> = vec![Vec::new(); automata.threads.len()];
        for conjunct in all.iter().filter(is_joint) {
            automata.leaves(&conjunct.condition, &mut |leaf| {
                let Some(thread) = leaf.thread() else { return };
                let known = &mut by_thread[thread.index()];
                if !known.contains(leaf) {
                    known.push(leaf.clone());
                }
            });
        }
        let mut joint = Vec::new();
        let mut joint_of = Vec::new();
        for conjunct in &all {
            joint_of.push(is_joint(&conjunct).then_some(joint.len()));
            if is_joint(&conjunct) {
                let threads = threads(automata, &conjunct.condition).into_iter().map(ThreadId::index).collect();
                joint.push(Joint::new(conjunct, threads, ground, &by_thread));
            }
        }
        // Judged whole, so that where they see threads is what the whole says.
        let has_odd = |whole: &Conjunct| whole.conjuncts(automata).iter().any(|conjunct| is_odd(&conjunct));
        let odd = stated(automata).into_iter().filter(has_odd).collect();
        let shared = translate(all.iter().filter(|c| n_threads(c) == 0), ground, &no_part);
        Judges {
            shared,
            joint,
            joint_of,
            graphs,
            numbers,
            n_cell_words: layout.n_words,
            odd,
            leaves: by_thread,
            residuals: Residuals::default(),
        }
    }

    /// Those that cannot be evaluated in part, and must be judged plainly.
    pub(crate) fn odd(&self) -> &[Conjunct] {
        &self.odd
    }

    /// Whether no conjunct speaks of two threads.
    pub(crate) fn speaks_of_threads_apart(&self) -> bool {
        self.joint.is_empty() && self.odd.is_empty()
    }

    fn ground<'a>(&'a self, layout: &'a Layout) -> Ground<'a> {
        Ground { layout, graphs: &self.graphs, numbers: &self.numbers }
    }

    /// Judges those that speak of no thread.
    pub(crate) fn judge_shared(&self, words: &[u32], clean: &mut Clean, found: &mut dyn FnMut(Owner)) {
        if self.shared.number != 0 {
            let code = u64::from(self.shared.number);
            self.judge_all(code, std::slice::from_ref(&self.shared), words, clean, found);
        }
    }

    /// Runs code that looks at cells only, and that `code` stands for, unless it is known to find nothing.
    pub(crate) fn judge_all<K: Borrow<Kernel>>(
        &self,
        code: u64,
        kernels: &[K],
        words: &[u32],
        clean: &mut Clean,
        found: &mut dyn FnMut(Owner),
    ) {
        clean.unless_clean(code, &words[..self.n_cell_words], || {
            let mut is_clean = true;
            for kernel in kernels {
                kernel.borrow().run(words, &[], &mut |owner| {
                    is_clean = false;
                    found(owner);
                });
            }
            is_clean
        });
    }

    /// What the conjuncts say of `thread` in the state `local`.
    pub(crate) fn of_thread(&self, rules: &Rules<'_>, layout: &Layout, thread: ThreadId, local: &Local) -> Judged {
        let mut own: Vec<Arc<Kernel>> = Vec::new();
        for view in rules.views(local) {
            self.add_rests(rules, layout, thread, view, &mut own);
        }
        let views: Box<[JointView]> = match self.joint.is_empty() {
            true => Box::default(),
            false => rules.views(local).map(|view| self.joint_view(rules, layout, thread, view)).collect(),
        };
        let mut open = vec![0; self.joint.len().div_ceil(64)];
        views.iter().for_each(|view| open.iter_mut().zip(&view.open).for_each(|(all, one)| *all |= one));
        Judged { own: self.residuals.bundle(&self.numbers, own), views, open: open.into() }
    }

    /// Adds what is left of the conjuncts that speak of this thread only.
    fn add_rests(
        &self,
        rules: &Rules<'_>,
        layout: &Layout,
        thread: ThreadId,
        view: View<'_>,
        own: &mut Vec<Arc<Kernel>>,
    ) {
        let is_bound = |leaf: &StateLeaf| leaf.thread() == Some(thread);
        let seen = |leaf: &StateLeaf| rules.seen(view, leaf);
        let ground = self.ground(layout);
        let translate = |conjunct: &Conjunct| translate(std::iter::once(conjunct), ground, &no_part);
        for residual in &rules.code.residuals[view.point] {
            if residual.thread != thread || residual.is_joint || residual.is_odd || !residual.sees(view) {
                continue;
            }
            for kernel in residual.parts.iter().filter_map(|part| self.residuals.of(part, is_bound, seen, translate)) {
                if !own.iter().any(|known| known.number == kernel.number) {
                    own.push(kernel);
                }
            }
        }
    }

    fn joint_view(&self, rules: &Rules<'_>, layout: &Layout, thread: ThreadId, view: View<'_>) -> JointView {
        let mut open: Box<[u64]> = vec![0; self.joint.len().div_ceil(64)].into();
        for (position, joint) in self.joint.iter().enumerate() {
            open[position / 64] |= u64::from(!joint.threads.contains(&thread.index())) << (position % 64);
        }
        for residual in
            rules.code.residuals[view.point].iter().filter(|residual| residual.thread == thread && residual.sees(view))
        {
            let Some(position) = self.joint_of[residual.index] else { continue };
            let rest = specialise(&residual.rest.condition, &|leaf| seen(rules, thread, view, leaf));
            open[position / 64] |= u64::from(!is_true(&rest)) << (position % 64);
        }
        let part = |leaf: &StateLeaf| match rules.seen(view, leaf) {
            Binding::Is(Expr::Const(value)) => Part::Value(value),
            Binding::Is(Expr::Leaf(StateLeaf::Cell(cell))) => Part::Cell(layout.slot(cell)),
            _ => Part::ToCome,
        };
        JointView { open, parts: self.leaves[thread.index()].iter().map(part).collect() }
    }

    /// Bytes that the code of thread states takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.residuals.bytes()
    }

    /// Calls `found` with the owner of each conjunct that is false, given what is said of each thread.
    pub(crate) fn judge<'a>(
        &self,
        words: &[u32],
        judged: impl Fn(usize) -> &'a Judged,
        clean: &mut Clean,
        found: &mut dyn FnMut(Owner),
    ) {
        self.judge_shared(words, clean, found);
        for own in (0..self.leaves.len()).map(|thread| &judged(thread).own).filter(|own| own.number != 0) {
            self.judge_all(u64::from(own.number), &own.kernels, words, clean, found);
        }
        for word in 0..self.joint.len().div_ceil(64) {
            let all_open = u64::MAX >> (64 - (self.joint.len() - word * 64).min(64));
            let mut open = (0..self.leaves.len()).fold(all_open, |open, thread| open & judged(thread).open[word]);
            while open != 0 {
                let position = word * 64 + open.trailing_zeros() as usize;
                open &= open - 1;
                self.joint[position].judge(words, position, &judged, found);
            }
        }
    }
}

impl Joint {
    fn new(conjunct: &Conjunct, threads: Vec<usize>, ground: Ground<'_>, leaves: &[Vec<StateLeaf>]) -> Self {
        let part = |leaf: &StateLeaf| {
            let thread = leaf.thread().expect("shared state is no part of a thread's").index();
            let part = leaves[thread].iter().position(|known| known == leaf).expect("all were gathered");
            (threads.iter().position(|known| *known == thread).expect("it is spoken of"), part)
        };
        let kernel = translate(std::iter::once(conjunct), ground, &part);
        Joint { threads, kernel }
    }

    /// Judges every choice of one stand for each thread.
    fn judge<'a>(
        &self,
        words: &[u32],
        position: usize,
        judged: &impl Fn(usize) -> &'a Judged,
        found: &mut dyn FnMut(Owner),
    ) {
        let nothing: &[Part] = &[];
        if self.threads.len() <= FEW_THREADS {
            self.choose(0, &mut [nothing; FEW_THREADS], words, position, judged, found);
        } else {
            self.choose(0, &mut vec![nothing; self.threads.len()], words, position, judged, found);
        }
    }

    /// As `judge`, where the first `n_chosen` threads have their views already.
    fn choose<'a>(
        &self,
        n_chosen: usize,
        chosen: &mut [&'a [Part]],
        words: &[u32],
        position: usize,
        judged: &impl Fn(usize) -> &'a Judged,
        found: &mut dyn FnMut(Owner),
    ) {
        let Some(thread) = self.threads.get(n_chosen) else {
            return self.kernel.run(words, chosen, found);
        };
        let is_open = |view: &&JointView| view.open[position / 64] >> (position % 64) & 1 == 1;
        for view in judged(*thread).views.iter().filter(is_open) {
            chosen[n_chosen] = &view.parts;
            self.choose(n_chosen + 1, chosen, words, position, judged, found);
        }
    }
}

/// Where no conjunct speaks of a thread.
fn no_part(_: &StateLeaf) -> (usize, usize) {
    unreachable!("what is said of threads is evaluated in part")
}

impl Judged {
    /// Bytes held, shared code left out.
    pub(crate) fn bytes(&self) -> usize {
        let view =
            |view: &JointView| 8 * view.open.len() + size_of::<Part>() * view.parts.len() + size_of::<JointView>();
        size_of::<Judged>() + 8 * self.open.len() + self.views.iter().map(view).sum::<usize>()
    }
}

/// What is known of a leaf in this view of `thread`.
fn seen(rules: &Rules<'_>, thread: ThreadId, view: View<'_>, leaf: &StateLeaf) -> Binding {
    if leaf.thread() == Some(thread) { rules.seen(view, leaf) } else { Binding::Open }
}
