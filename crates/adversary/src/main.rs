//! stub
fn main() {
    let args: Vec<String> = std::env::args().collect();
    for p in adversary::generate::Profile::all() {
        if args.get(1).is_some_and(|a| a != p.name && a != "all") { continue; }
        let (mut ok, mut n) = (0, 0);
        let mut errs = std::collections::BTreeMap::new();
        for seed in 0..300 {
            let text = adversary::generate::generate(&p, seed);
            n += 1;
            match adversary::subject::Subject::new(&text) {
                Ok(_) => ok += 1,
                Err(e) => { errs.entry(e.lines().next().unwrap_or("").chars().take(60).collect::<String>()).or_insert((0, seed, e)).0 += 1; }
            }
        }
        println!("{} {ok}/{n}", p.name);
        if args.len() > 2 { for (_, (c, s, e)) in errs { println!("  {c} seed {s} {e}"); } }
    }
}
