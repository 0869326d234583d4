//! What `prove --unbounded` reports as general is discharged at the next scopes, too: for the systems of `tests/prove`, and for random ones.

use base::random::splitmix64;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Each cell by its row and column: whether it is discharged, and whether it is general.
type Cells = BTreeMap<(String, String), (bool, bool)>;

fn cells(path: &Path, settings: &[String]) -> Cells {
    let path = path.to_str().expect("a path");
    let mut arguments = vec!["prove", path, "--memory", "sc,tso", "--buffer", "1", "--unbounded", "--json", "-"];
    settings.iter().for_each(|setting| arguments.extend(["--set", setting.as_str()]));
    let (_, out, err) = crate::small_systems::lacuna("prove", &arguments);
    let reports: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {err}"));
    let mut cells = Cells::new();
    for report in reports.as_array().expect("reports") {
        let name = |of: &Value| format!("{} {}", report["memory"], of["name"]);
        let (rows, columns) = (report["rows"].as_array(), report["columns"].as_array());
        for (row, of_row) in rows.into_iter().flatten().zip(report["matrix"].as_array().into_iter().flatten()) {
            for (column, cell) in columns.into_iter().flatten().zip(of_row.as_array().into_iter().flatten()) {
                let is_discharged = ["untouched", "discharged"].iter().any(|result| cell["result"] == *result);
                let is_general = cell["is_general"] == true;
                cells.insert((name(row), name(column)), (is_discharged, is_general));
            }
        }
    }
    cells
}

/// Compares scopes; gives how many cells are general at the first.
fn assert_general(path: &Path, scopes: &[[String; 2]]) -> usize {
    let small = cells(path, &scopes[0]);
    let general: Vec<_> = small.iter().filter(|(_, (_, is_general))| *is_general).map(|(at, _)| at).collect();
    for scope in &scopes[1..] {
        let great = cells(path, scope);
        for at in &general {
            let (is_discharged, _) = great.get(*at).unwrap_or_else(|| panic!("{at:?} is there at {scope:?}"));
            let text = std::fs::read_to_string(path).unwrap_or_default();
            assert!(*is_discharged, "{at:?} is general at {:?} and fails at {scope:?}\n{text}", scopes[0]);
        }
    }
    general.len()
}

fn scope(objects: usize, copies: usize) -> [String; 2] {
    [format!("N={objects}"), format!("COPIES={copies}")]
}

#[test]
fn what_is_general_at_a_small_scope_holds_at_greater_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/prove/scopes.lac");
    let n = assert_general(&path, &[scope(2, 2), scope(3, 2), scope(4, 3)]);
    assert!(n > 50, "{n} cells are general");
    assert!(assert_general(&path, &[scope(3, 2), scope(4, 2), scope(5, 3)]) >= n);
}

#[test]
fn what_is_general_beside_each_kind_of_step_and_condition_holds_at_a_greater_scope() {
    for name in ["general.lac", "general_tso.lac"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/prove").join(name);
        assert!(assert_general(&path, &[scope(2, 2), scope(3, 3)]) > 900, "{name}");
    }
}

/// A hypothesis that no state of the small scope satisfies discharges everything there.
#[test]
fn what_a_step_computes_is_not_general_for_want_of_states() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/prove/values.lac");
    let n = assert_general(&path, &[scope(2, 2), scope(3, 3)]);
    assert!(n > 20, "{n} cells are general");
}

/// What one line of a random system may be: statements of a step, and conditions, in which `$o` and `$p` are objects and `$t` threads.
const STATEMENTS: [&str; 24] = [
    "hot = hot with mine",
    "cold = cold without mine",
    "hot = hot union cold",
    "cold = cold minus hot",
    "hot = {}",
    "cold = every Node",
    "mine = choose in hot",
    "mine = choose in cold",
    "mine = choose Node",
    "mine = null",
    "other = mine",
    "mine = last",
    "last = mine",
    "mine.mark = true",
    "other.mark = not mine.mark",
    "mine.next = other",
    "other = mine.next",
    "if mine in hot { last = other }",
    "if hot == cold { last = null }",
    "if not (mine in line) { line = push(line, mine) }",
    "line = pop(line)",
    "if size(line) > 0 { mine = top(line) }",
    "waiting = waiting with self",
    "waiting = waiting without (choose in waiting)",
];

const CONDITIONS: [&str; 24] = [
    "all o in Node: o in hot implies o in cold",
    "all o in Node: o in line implies o in hot",
    "all o in Node: o in hot implies o.mark",
    "last == null or last in hot",
    "last != null implies last.mark",
    "hot != {}",
    "hot == cold",
    "line == {} or last != null",
    "size(hot) <= 2",
    "size(line) <= 2",
    "all o in Node: exists p in Node: o in hot implies p in cold and p != o",
    "exists o in Node: not (o in hot)",
    "exists o in Node: exists p in Node: o != p and not (o in cold) and not (p in cold)",
    "all o in Node: all p in Node: o.next == p implies p in hot",
    "all o in Node: o in cold implies o.next == null or o.next in hot",
    "all o in Node: all p in Node: o == p or not (o in hot and p in hot)",
    "all o in Node: all p in Node: o in hot and reaches(o, p) implies p.mark",
    "all o in Node: o in cold implies exists p in Node: p in hot and reaches(p, o)",
    "all t in worker: worker[t].mine == null or worker[t].mine in hot",
    "all t in worker: at(worker[t], second) implies worker[t].mine != null",
    "all t in worker: all u in worker: t == u or worker[t].mine != worker[u].mine",
    "all t in worker: t in waiting implies worker[t].mine in cold",
    "waiting == {} or exists o in Node: o in hot",
    "all t in worker: all o in Node: pending(worker[t], o.next) == 0 or o in hot",
];

fn random_system(numbers: &mut u64) -> String {
    let mut text = String::from(
        "param N: 2..6 = 2\nparam COPIES: 2..4 = 2\nobject Node { next: Node? = null, mark: bool = false }\nheap { node: Node[N] }\n\
         unordered abstract hot: set Node = {}\nunordered abstract cold: set Node = {}\nunordered abstract last: Node? = null\n\
         unordered abstract line: queue Node of N = {}\nunordered abstract waiting: set worker = {}\n\
         register mine: Node? = null\nregister other: Node? = null\nthread worker[COPIES] {\n    loop {\n",
    );
    let mut pick = |from: &[&'static str]| from[splitmix64(numbers) as usize % from.len()];
    for label in ["first", "second", "third"] {
        text += &format!("        @{label} directly {{\n");
        for _ in 0..2 {
            text += &format!("            {}\n", pick(&STATEMENTS));
        }
        text += "        }\n";
    }
    text += "        @stored other.next = mine\n    }\n}\n";
    for i in 0..4 {
        text += &format!("invariant i{i}: {}\n", pick(&CONDITIONS));
    }
    text
}

#[test]
fn what_is_general_in_random_systems_holds_at_greater_scopes() {
    let n_systems = if std::env::var_os("LACUNA_FULL").is_some() { 300 } else { 6 };
    let folder = std::env::temp_dir().join(format!("lacuna-scopes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut numbers = 15;
    let mut n_general = 0;
    for i in 0..n_systems {
        let path = folder.join(format!("random{i}.lac"));
        std::fs::write(&path, random_system(&mut numbers)).expect("it can be written");
        n_general += assert_general(&path, &[scope(2, 2), scope(3, 3), scope(4, 2)]);
        n_general += assert_general(&path, &[scope(3, 2), scope(4, 3), scope(5, 2)]);
    }
    std::fs::remove_dir_all(&folder).expect("it can be removed");
    assert!(n_general > 5 * n_systems, "{n_general} cells are general");
}
