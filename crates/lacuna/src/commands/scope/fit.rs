//! A log-linear fit: the logarithm of a number as a sum, one summand for each parameter.

/// `ln(number) = base + sum of slope * value`, by least squares.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    base: f64,
    /// One for each parameter; none for one that has the same value everywhere, of which nothing can be said.
    pub(super) slopes: Vec<Option<f64>>,
    /// The values of those.
    fixed: Vec<f64>,
    /// The root of the mean squared difference of the logarithms; none if there are as many unknowns as numbers.
    pub(super) residual: Option<f64>,
}

impl Fit {
    /// The fit to numbers, each with the values of the parameters; none if they do not determine it.
    pub(super) fn of(points: &[(Vec<i64>, f64)]) -> Option<Fit> {
        let n_parameters = points.first()?.0.len();
        let varies = |p: &usize| points.iter().any(|(values, _)| values[*p] != points[0].0[*p]);
        let varying: Vec<usize> = (0..n_parameters).filter(varies).collect();
        if varying.is_empty() || points.len() < varying.len() + 1 {
            return None;
        }
        let row = |values: &[i64]| -> Vec<f64> {
            std::iter::once(1.0).chain(varying.iter().map(|p| values[*p] as f64)).collect()
        };
        let rows: Vec<Vec<f64>> = points.iter().map(|(values, _)| row(values)).collect();
        let logs: Vec<f64> = points.iter().map(|(_, number)| number.max(1.0).ln()).collect();
        let found = solve(normal(&rows, &logs))?;
        let mut slopes = vec![None; n_parameters];
        for (p, slope) in varying.iter().zip(&found[1..]) {
            slopes[*p] = Some(*slope);
        }
        let error = |(row, log): (&Vec<f64>, &f64)| (log - dot(row, &found)).powi(2);
        let squares: f64 = rows.iter().zip(&logs).map(error).sum();
        let residual = (points.len() > found.len()).then(|| (squares / points.len() as f64).sqrt());
        let fixed = points[0].0.iter().map(|value| *value as f64).collect();
        Some(Fit { base: found[0], slopes, fixed, residual })
    }

    /// The number that the fit gives for other values; none if a parameter that never varied has another value.
    pub(super) fn at(&self, values: &[i64]) -> Option<f64> {
        let mut log = self.base;
        for ((value, slope), fixed) in values.iter().zip(&self.slopes).zip(&self.fixed) {
            match slope {
                Some(slope) => log += slope * *value as f64,
                None if *value as f64 == *fixed => {}
                None => return None,
            }
        }
        Some(log.exp())
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The normal equations, each with its right side last.
fn normal(rows: &[Vec<f64>], logs: &[f64]) -> Vec<Vec<f64>> {
    let n = rows[0].len();
    let product = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let right = |i: usize| rows.iter().zip(logs).map(|(row, log)| row[i] * log).sum::<f64>();
    (0..n).map(|i| (0..n).map(|j| product(i, j)).chain([right(i)]).collect()).collect()
}

/// Gauss's elimination with pivots; none if the equations do not determine the unknowns.
fn solve(mut system: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = system.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|a, b| system[*a][column].abs().total_cmp(&system[*b][column].abs()))?;
        system.swap(column, pivot);
        if system[column][column].abs() < 1e-9 {
            return None;
        }
        let top = system[column].clone();
        for (_, row) in system.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column] / top[column];
            row.iter_mut().zip(&top).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    Some((0..n).map(|i| system[i][n] / system[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::Fit;

    #[test]
    fn what_grows_by_factors_is_found_exactly() {
        let number = |a: i64, b: i64| 7.0 * 3_f64.powi(a as i32) * 10_f64.powi(b as i32);
        let points: Vec<(Vec<i64>, f64)> =
            [(1, 1), (2, 1), (1, 2), (3, 1)].iter().map(|(a, b)| (vec![*a, *b], number(*a, *b))).collect();
        let fit = Fit::of(&points).expect("it is determined");
        assert!(fit.residual.expect("one more than needed") < 1e-9);
        let at = fit.at(&[3, 3]).expect("both vary");
        assert!((at / number(3, 3) - 1.0).abs() < 1e-6, "{at}");
    }

    #[test]
    fn the_residual_tells_how_far_off_it_is() {
        let points = [(vec![1], 10.0), (vec![2], 1000.0), (vec![3], 10.0)];
        let fit = Fit::of(&points).expect("it is determined");
        let residual = fit.residual.expect("one more than needed");
        assert!((residual - 2.17).abs() < 0.01, "{residual}");
        assert!(fit.slopes[0].expect("it varies").abs() < 1e-9);
    }

    #[test]
    fn nothing_is_said_of_what_never_varied() {
        assert_eq!(Fit::of(&[]), None);
        assert_eq!(Fit::of(&[(vec![1, 1], 5.0)]), None);
        let fit = Fit::of(&[(vec![1, 1], 5.0), (vec![2, 1], 10.0)]).expect("it is determined");
        assert_eq!(fit.residual, None);
        assert_eq!(fit.at(&[1, 2]), None);
        assert!((fit.at(&[3, 1]).expect("it varies") - 20.0).abs() < 1e-6);
    }
}
