//! Arcs beside a lane: from where an operation is issued to where it is performed, if something overtakes it.

use crate::words::TraceEvent;
use base::table::Id;

/// The arcs that are open in each lane, row after row.
pub(crate) struct Arcs {
    /// For each lane, the arc in each of its columns.
    lanes: Vec<Vec<Option<usize>>>,
}

impl Arcs {
    /// Room for all arcs of `events`.
    pub(crate) fn new(events: &[TraceEvent], n_lanes: usize) -> Self {
        let mut arcs = Arcs { lanes: vec![Vec::new(); n_lanes] };
        for what in events {
            arcs.step(what);
        }
        arcs.lanes.iter_mut().flatten().for_each(|column| *column = None);
        arcs
    }

    /// How many columns a lane has.
    pub(crate) fn width(&self, lane: usize) -> usize {
        self.lanes[lane].len()
    }

    /// The columns of all lanes in the row of `what`, in which an arc may begin or end.
    pub(crate) fn row(&mut self, what: &TraceEvent) -> Vec<String> {
        let before = self.lanes.clone();
        let at = self.step(what);
        let lane = |(n, columns): (usize, &Vec<Option<usize>>)| match at {
            Some((column, begins)) if n == what.thread.index() => corner(columns, column, begins),
            _ => lines(columns),
        };
        before.iter().enumerate().map(lane).collect()
    }

    /// The columns of all lanes between two rows.
    pub(crate) fn between(&self) -> Vec<String> {
        self.lanes.iter().map(|columns| lines(columns)).collect()
    }

    /// Opens or closes the arc of `what`: its column, and whether it begins there.
    fn step(&mut self, what: &TraceEvent) -> Option<(usize, bool)> {
        let arc = what.arc?;
        let columns = &mut self.lanes[what.thread.index()];
        if let Some(column) = columns.iter().position(|open| *open == Some(arc)) {
            columns[column] = None;
            return Some((column, false));
        }
        let column = columns.iter().position(Option::is_none).unwrap_or(columns.len());
        columns.resize(columns.len().max(column + 1), None);
        columns[column] = Some(arc);
        Some((column, true))
    }
}

fn lines(columns: &[Option<usize>]) -> String {
    columns.iter().map(|open| if open.is_some() { '│' } else { ' ' }).collect()
}

fn corner(columns: &[Option<usize>], at: usize, begins: bool) -> String {
    let column = |(n, open): (usize, &Option<usize>)| match n.cmp(&at) {
        std::cmp::Ordering::Less if open.is_some() => '│',
        std::cmp::Ordering::Less => ' ',
        std::cmp::Ordering::Equal if begins => '╭',
        std::cmp::Ordering::Equal => '╰',
        std::cmp::Ordering::Greater => '─',
    };
    columns.iter().enumerate().map(column).collect()
}
