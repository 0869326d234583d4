//! Did-you-mean: the known name nearest to a mistyped one. The only place that says which names are near.

/// The hint for an unknown `name`: the nearest of `known`, else all of them if they are few.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut known: Vec<&str> = known.into_iter().collect();
    let mut seen = std::collections::BTreeSet::new();
    known.retain(|k| seen.insert(*k));
    if let Some(near) = nearest(name, &known) {
        return Some(format!("did you mean `{near}`?"));
    }
    (!known.is_empty() && known.len() <= 12).then(|| format!("there is {}", list(&known)))
}

/// The hint for a `name` that was typed and is not among the `known`: the nearest, and all of them.
pub fn choice(name: &str, known: &[&str]) -> String {
    let all = match known {
        [] => "there are none".to_string(),
        _ => format!("there are: {}", known.join(", ")),
    };
    nearest(name, known).map_or(all.clone(), |near| format!("did you mean `{near}`? {all}"))
}

/// The nearest name, if it is near enough to be meant.
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    known
        .iter()
        .map(|k| (distance(name, k), *k))
        .filter(|(d, k)| *d <= limit && *d < k.chars().count())
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// "`a`, `b` and `c`".
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.split_last() {
        None => "nothing".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The number of insertions, deletions, replacements and swaps of neighbours; letter case costs nothing.
pub fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().take(64).collect();
    let b: Vec<char> = b.to_lowercase().chars().take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_near_and_another_word_is_not() {
        assert_eq!(nearest("acquier", &["release", "acquire"]), Some("acquire"));
        assert_eq!(nearest("Root", &["root"]), Some("root"));
        assert_eq!(nearest("xyz", &["root", "from"]), None);
    }

    #[test]
    fn a_choice_names_the_nearest_first_and_then_all() {
        assert_eq!(choice("tos", &["sc", "tso"]), "did you mean `tso`? there are: sc, tso");
        assert_eq!(choice("power", &["sc", "tso"]), "there are: sc, tso");
        assert_eq!(choice("x", &[]), "there are none");
    }
}
