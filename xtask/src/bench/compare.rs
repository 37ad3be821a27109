//! Figures against earlier ones: what got better, and what got worse by more than noise.

use super::row::{Earlier, ratio};
use super::{Figures, Row};

/// What is compared; of each, less is better.
const COMPARED: [(&str, &str); 3] =
    [("CPU", "cpu_seconds"), ("bits/state", "bits_per_state"), ("peak", "peak_resident_bytes")];

/// What is worse by more than this is marked.
const TOLERANCE: f64 = 0.10;

/// Old divided by new: above 1 is better. And whether it is worse than can be tolerated.
fn verdict(old: &Figures, new: &Figures, name: &str) -> Option<(f64, bool)> {
    let ratio = ratio(old, new, name).filter(|ratio| ratio.is_finite())?;
    Some((ratio, ratio * (1.0 + TOLERANCE) < 1.0))
}

/// Prints old divided by new for every net that is in both, and how many times the twin's time changed: where that
/// differs from 1, the machine was faster or slower than then.
pub fn print(old: &[Earlier], new: &[Row]) {
    println!("\nold / new: above 1 is better, ! is worse by more than {:.0} %", TOLERANCE * 100.0);
    print!("{:<26} {:>7}", "net", "threads");
    COMPARED.iter().for_each(|(heading, _)| print!(" {heading:>11}"));
    println!(" {:>11}", "naive CPU");
    let mut worse = 0;
    for row in new {
        let Some(earlier) = old.iter().find(|old| old.net == row.net && old.threads == row.threads) else {
            println!("{:<26} {:>7} is new", row.net, row.threads);
            continue;
        };
        print!("{:<26} {:>7}", row.net, row.threads);
        for (_, name) in COMPARED {
            match verdict(&earlier.ours, &row.ours, name) {
                Some((ratio, bad)) => {
                    worse += usize::from(bad);
                    print!(" {ratio:>10.2}{}", if bad { '!' } else { ' ' });
                }
                None => print!(" {:>10} ", "-"),
            }
        }
        let both = earlier.naive.as_ref().zip(row.naive.as_ref());
        match both.and_then(|(old, new)| verdict(old, new, "cpu_seconds")) {
            Some((ratio, _)) => println!(" {ratio:>10.2}"),
            None => println!(" {:>10}", "-"),
        }
    }
    println!("{worse} figures are worse by more than {:.0} %", TOLERANCE * 100.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_tenth_more_is_marked() {
        let taking = |seconds: f64| {
            let mut figures = Figures::default();
            figures.set("cpu_seconds", seconds);
            figures
        };
        let marked = |old, new| verdict(&taking(old), &taking(new), "cpu_seconds").map(|(_, bad)| bad);
        assert_eq!(marked(10.0, 10.9), Some(false));
        assert_eq!(marked(10.0, 11.1), Some(true));
        assert_eq!(marked(10.0, 5.0), Some(false));
        assert_eq!(verdict(&taking(1.0), &taking(1.0), "bits_per_state"), None);
    }
}
