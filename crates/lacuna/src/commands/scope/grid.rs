//! Which scopes there are: all values of all parameters that vary, the smallest first.

use crate::exit::Error;
use crate::session::Protocol;

/// At most so many scopes.
const MAX_SCOPES: usize = 200;

/// A parameter that varies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) name: String,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// The ranges of `--vary`; if there are none, those of the file's parameters that `--set` leaves free.
pub(super) fn ranges(protocol: &Protocol, vary: &[String], set: &[String]) -> Result<Vec<Range>, Error> {
    let is_set = |name: &str| set.iter().any(|text| text.split('=').next().is_some_and(|n| n.trim() == name));
    if !vary.is_empty() {
        let ranges = vary.iter().map(|text| typed(protocol, text)).collect::<Result<Vec<_>, _>>()?;
        let is_twice = |at: usize| is_set(&ranges[at].name) || ranges[..at].iter().any(|r| r.name == ranges[at].name);
        if let Some(at) = (0..ranges.len()).find(|at| is_twice(*at)) {
            let error = Error::input(format!("`{}` is given twice", ranges[at].name));
            return Err(error.hint("a parameter either varies over one range or has one value"));
        }
        return Ok(ranges);
    }
    let free = protocol.outline.params.iter().filter(|param| !is_set(&param.name));
    let ranges: Vec<Range> = free.filter_map(|param| range(&param.name, &param.domain)).collect();
    if ranges.is_empty() {
        let error = Error::input(format!("{} has no parameter to vary", protocol.outline.name));
        return Err(error.hint("vary the queue bound: `--vary K=1..6`"));
    }
    Ok(ranges)
}

/// `MUTATORS=1..3` or `MUTATORS=2`
fn typed(protocol: &Protocol, text: &str) -> Result<Range, Error> {
    let wrong = || Error::input(format!("`--vary {text}` is no range")).hint("write `--vary NAME=1..3`");
    let (name, domain) = text.split_once('=').ok_or_else(wrong)?;
    let range = range(name.trim(), domain).filter(|range| range.low <= range.high).ok_or_else(wrong)?;
    let mut known: Vec<&str> = protocol.outline.params.iter().map(|param| param.name.as_str()).collect();
    known.push("K");
    if known.contains(&range.name.as_str()) {
        return Ok(range);
    }
    let hint = base::suggest::choice(&range.name, &known);
    Err(Error::input(format!("there is no parameter `{}` to vary", range.name)).hint(hint))
}

fn range(name: &str, domain: &str) -> Option<Range> {
    let (low, high) = domain.split_once("..").unwrap_or((domain, domain));
    Some(Range { name: name.into(), low: low.trim().parse().ok()?, high: high.trim().parse().ok()? })
}

/// All values, one for each range. The fewer steps from the least, the earlier; then by the first range, and so on.
pub(super) fn grid(ranges: &[Range]) -> Result<Vec<Vec<i64>>, Error> {
    let size = |range: &Range| usize::try_from(range.high - range.low).ok()?.checked_add(1);
    let total = ranges.iter().try_fold(1_usize, |total, range| total.checked_mul(size(range)?));
    if total.is_none_or(|total| total > MAX_SCOPES) {
        let error = Error::input(format!("that is more than {MAX_SCOPES} scopes"));
        return Err(error.hint("name fewer parameters, or smaller ranges, with `--vary`"));
    }
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for range in ranges {
        let longer = |values: &Vec<i64>| (range.low..=range.high).map(|v| [values.as_slice(), &[v]].concat()).collect();
        all = all.iter().flat_map(|values| -> Vec<Vec<i64>> { longer(values) }).collect();
    }
    let steps = |values: &[i64]| -> i64 { values.iter().zip(ranges).map(|(v, range)| v - range.low).sum() };
    all.sort_by_key(|values| (steps(values), std::cmp::Reverse(values.clone())));
    Ok(all)
}

/// Whether a scope has at least the values of another.
pub(super) fn is_beyond(values: &[i64], other: &[i64]) -> bool {
    values.iter().zip(other).all(|(a, b)| a >= b)
}
