//! The run on a machine with RTM of 2026-11-16: its reads fitted by one half of their points, judged by the other.

use laboratory::compare::{Comparison, compare, predict};
use laboratory::curve::{Curve, Spread, fifty};
use laboratory::halves::{Half, half};
use laboratory::{Machine, Operation, Plan, builtin, fit, recorded};
use std::sync::OnceLock;

fn measured() -> Vec<Curve> {
    recorded::read(include_str!("../../../bench/runs/2026-11-16-rtm/laboratory-quick.csv")).expect("it reads")
}

/// The same, if the median of three repetitions stands for each point instead of the share of all trials.
fn by_medians() -> Vec<Curve> {
    let mut curves = measured();
    curves.iter_mut().flat_map(|curve| &mut curve.points).for_each(|point| point.share = point.success.median);
    curves
}

fn machine() -> Machine {
    let machine = builtin::find("xeon-tsxldtrk").expect("built in");
    Machine { anchors: Vec::new(), ..machine }
}

/// First attempts, often enough that their shares are certain; sizes end where nothing commits.
fn simulate(machine: &Machine) -> Vec<Curve> {
    let plan = Plan { trials: 200, max_attempts: 1, ends_after_failures: Some(1), ..Plan::quick().simulated() };
    predict(machine, &plan, &mut |_| false).0
}

/// The prediction for the machine, made once.
fn predicted() -> &'static [Curve] {
    static PREDICTED: OnceLock<Vec<Curve>> = OnceLock::new();
    PREDICTED.get_or_init(|| simulate(&machine()))
}

fn missed(comparisons: &[Comparison]) -> Vec<String> {
    let missed = comparisons.iter().filter(|one| one.meets_bar() != Some(true));
    missed.map(|one| format!("{} {:+.2}", one.case, one.error().unwrap_or(f64::NAN))).collect()
}

#[test]
fn the_run_has_twelve_curves_of_twenty_two_points() {
    let curves = measured();
    assert_eq!(curves.len(), 12);
    assert!(curves.iter().all(|curve| curve.points.len() == 22));
    assert_eq!(recorded::read("measured,here,read,64-bit,distinct,x"), Err(1));
    assert_eq!(recorded::read("kind,machine\npredicted,of,no,use\n"), Ok(Vec::new()));
}

/// Three repetitions of twelve trials: every share is a number of 36.
#[test]
fn the_share_of_all_trials_is_what_the_file_says_or_the_mean_of_three_repetitions() {
    for point in measured().iter().flat_map(|curve| &curve.points).filter(|point| point.n_bytes <= 1 << 20) {
        assert!((point.share * 36.0 - (point.share * 36.0).round()).abs() < 0.01, "{point:?}");
    }
    let line = "measured,here,read,64-bit,distinct,4096,4,KB,1,0.5,1,1,1,2,0,0,0";
    let share = |text: &str| recorded::read(text).expect("it reads")[0].points[0].share;
    assert!((share(line) - 2.5 / 3.0).abs() < 1e-9);
    assert!((share(&format!("{line},0.9000")) - 0.9).abs() < 1e-9);
}

#[test]
fn the_known_numbers_of_the_machine_are_those_of_the_run() {
    let machine = builtin::find("xeon-tsxldtrk").expect("built in");
    for curve in measured() {
        let anchor = machine.anchors.iter().find(|anchor| anchor.case == curve.case).expect("every case is known");
        assert_eq!(anchor.median, curve.fifty.map(|fifty| fifty.median.round()), "{}", curve.case);
    }
    assert_eq!(machine.anchors.len(), measured().len());
}

#[test]
fn the_signature_of_the_machine_is_the_one_that_is_fitted() {
    let machine = machine();
    assert_eq!(fit::fit(&machine, &measured()).read_tracking, machine.read_tracking);
}

/// Why shares, and not medians of three: of the half that is fitted to, they are explained three times better.
#[test]
fn the_half_that_is_fitted_to_prefers_shares_to_medians() {
    let squares = |curves: &[Curve]| fit::squares(&fit::fit(&machine(), curves), curves).expect("a signature");
    let (shares, medians) = (squares(&measured()), squares(&by_medians()));
    assert!(3.0 * shares < medians, "{shares} against {medians}");
}

#[test]
fn what_no_fit_has_seen_is_predicted_within_a_quarter() {
    let comparisons = compare(&machine(), predicted(), &measured());
    assert_eq!(comparisons.len(), 12);
    let mut reads = comparisons.iter().filter(|one| one.case.operation == Operation::Read);
    assert!(reads.all(|read| read.bar == Some(0.25)));
    assert_eq!(missed(&comparisons), [""; 0]);
}

/// With medians for both fit and judgement, one case is missed, as it was before shares were counted.
#[test]
fn by_medians_of_three_one_case_is_missed() {
    let machine = fit::fit(&machine(), &by_medians());
    let missed = missed(&compare(&machine, &simulate(&machine), &by_medians()));
    assert!(matches!(missed.as_slice(), [one] if one.starts_with("read stride-4096 warm-5 +0.")), "{missed:?}");
}

/// Numbers that look random and are the same in every run.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// One of three numbers.
fn pick(of: &[f64; 3], state: &mut u64) -> f64 {
    of[((random(state) * 3.0) as usize).min(2)]
}

/// The 50 % points of a measured curve if its repetitions are drawn anew, each point from the three that there are: the 5th and the
/// 95th of a hundred.
fn resampled(curve: &Curve, number: fn(&[f64; 3]) -> f64) -> [f64; 2] {
    let mut state = 1;
    let mut once = || {
        let shares = curve.points.iter().map(|point| {
            let Spread { median, min, max } = point.success;
            let mut drawn = [0.0; 3];
            drawn.fill_with(|| pick(&[min, median, max], &mut state));
            drawn.sort_by(f64::total_cmp);
            (curve.case.in_unit(point.n_bytes as f64), number(&drawn))
        });
        fifty(&shares.collect::<Vec<_>>())
    };
    let mut found: Vec<f64> = (0..2000).filter_map(|_| once()).collect();
    found.sort_by(f64::total_cmp);
    [found[found.len() / 20], found[found.len() - 1 - found.len() / 20]]
}

/// The rows of the book's table: predicted, measured by shares and by medians, each with its error and with what chance does to it.
#[test]
fn the_book_shows_what_is_predicted_and_measured_and_how_certain_that_is() {
    let book = include_str!("../../../docs/book/src/htm.md");
    let half_of = |curve: &Curve| half(curve, Half::Judged);
    let mut rows = Vec::new();
    for curve in measured().iter().filter(|curve| curve.case.operation == Operation::Read) {
        let same = predicted().iter().find(|other| other.case == curve.case).expect("predicted too");
        let predicted = half_of(same).fifty.expect("it falls").median;
        let medians = by_medians().into_iter().find(|other| other.case == curve.case).expect("the same curves");
        let columns = [(half_of(curve), mean as fn(&[f64; 3]) -> f64), (half_of(&medians), |drawn| drawn[1])];
        let columns = columns.map(|(judged, number)| {
            let (seen, [low, high]) = (judged.fifty.expect("it falls").median, resampled(&judged, number));
            let error = (100.0 * (predicted / seen - 1.0)).round();
            format!("{seen:.0} [{low:.0}-{high:.0}] | {error:+.0} %")
        });
        let case = format!("{} {}, {}", curve.case.pattern, curve.case.mode, curve.case.unit());
        let row = format!("| {case} | {predicted:.0} | {} |", columns.join(" | "));
        rows.push(row);
    }
    let missing: Vec<&String> = rows.iter().filter(|row| !book.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "the book has no {missing:#?}");
}

fn mean(shares: &[f64; 3]) -> f64 {
    shares.iter().sum::<f64>() / 3.0
}
