//! The best cuts of a sequence of places into a given number of runs.
//!
//! What a partition costs is a sum over its components, so the best cuts are found by dynamic programming over all
//! runs between two positions. Only so many cuts are tried, spread evenly, because each of the runs between two of them
//! is measured.

use sweepnet_net::PlaceId;

use super::allowed::Counting;
use super::cost::Prices;
use super::measure::{Hash, Measure, Seen};

/// Divides a sequence of sets of places, none of which is cut, into as many runs as each number in `counts` says
/// (where that is possible), the best way for each. The sequence is cut only between `grid` pieces of it.
pub fn best_runs(
    measure: &mut Measure<'_>,
    sequence: &[Vec<PlaceId>],
    counts: &[usize],
    grid: usize,
) -> Vec<Vec<Vec<PlaceId>>> {
    let pieces = pieces(sequence, grid);
    let size = pieces.len();
    if size == 0 {
        return Vec::new();
    }
    let price = run_prices(measure, &pieces);
    let longest = counts.iter().copied().filter(|count| *count <= size).max().unwrap_or(0);
    // best[k][end]: the least cost of the first `end` pieces in k + 1 runs, and where the last of them starts.
    let mut best = vec![vec![(f64::INFINITY, 0); size + 1]; longest];
    for runs in 0..longest {
        for end in runs + 1..=size {
            best[runs][end] = if runs == 0 {
                (price[0][end], 0)
            } else {
                (runs..end)
                    .map(|start| (best[runs - 1][start].0 + price[start][end], start))
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .unwrap_or((f64::INFINITY, 0))
            };
        }
    }
    let divide = |count: usize| {
        let mut end = size;
        let mut runs = Vec::with_capacity(count);
        for k in (0..count).rev() {
            let start = best[k][end].1;
            runs.push(pieces[start..end].concat());
            end = start;
        }
        runs.reverse();
        runs
    };
    counts.iter().filter(|count| (1..=size).contains(*count)).map(|count| divide(*count)).collect()
}

/// The sequence as at most so many pieces.
fn pieces(sequence: &[Vec<PlaceId>], most: usize) -> Vec<Vec<PlaceId>> {
    let count = sequence.len().min(most);
    (0..count)
        .map(|i| sequence[i * sequence.len() / count..(i + 1) * sequence.len() / count].concat())
        .filter(|piece| !piece.is_empty())
        .collect()
}

/// The price of each run from one position to another.
fn run_prices(measure: &mut Measure<'_>, pieces: &[Vec<PlaceId>]) -> Vec<Vec<f64>> {
    let prices = Prices::of(measure);
    let size = pieces.len();
    let columns: Vec<(u64, Vec<Hash>)> =
        pieces.iter().map(|piece| (measure.key(piece), measure.hashes(piece))).collect();
    let processes = measure.processes();
    let of_pieces: Vec<Option<Vec<usize>>> =
        pieces.iter().map(|piece| processes.as_ref().and_then(|it| it.with(piece))).collect();
    let order: Vec<usize> = of_pieces.iter().flatten().flatten().copied().collect();
    let mut counting = processes.as_ref().map(|it| Counting::new(it, &order));
    let mut table = vec![vec![0.0; size + 1]; size];
    for (start, row) in table.iter_mut().enumerate() {
        let (mut key, mut hashes) = (0u64, vec![Hash::default(); measure.states()]);
        let (mut width, mut enabled) = (0, 0.0);
        let mut seen = Seen::ONE;
        let mut most = Some(1u32);
        if let Some(counting) = &mut counting {
            counting.restart();
        }
        for end in start + 1..=size {
            key = key.wrapping_add(columns[end - 1].0);
            // What is known of the parts is known of the whole.
            most = most.zip(measure.most(columns[end - 1].0)).and_then(|(a, b)| a.checked_mul(b));
            let allowed = counting.as_mut().and_then(|it| it.and(of_pieces[end - 1].as_deref()));
            let allowed = allowed.and_then(|most| u32::try_from(most).ok());
            if let Some(most) = [most, allowed].into_iter().flatten().min() {
                measure.limit(key, most);
            }
            if !measure.tells_all_apart(seen) {
                for (hash, more) in hashes.iter_mut().zip(&columns[end - 1].1) {
                    *hash = hash.wrapping_add(*more);
                }
            }
            seen = measure.count_beyond(seen, key, &hashes);
            width += measure.width(&pieces[end - 1]);
            enabled += measure.enabled(&pieces[end - 1]);
            let cost = prices.set(seen, width, enabled);
            row[end] = prices.share(&cost);
            if prices.is_hopeless(&cost) {
                // Longer runs are worse still, and there is no need to know by how much.
                row[end + 1..].fill(f64::INFINITY);
                break;
            }
        }
    }
    table
}

/// The numbers of runs worth trying for a sequence of so many places.
pub fn usual_counts(places: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = (1..=8).collect();
    if places >= 64 {
        counts.extend([12, 16]);
    }
    counts
}
