//! Weights by which linearly independent effects all advance by the same.
//!
//! The effects are taken one after the other, with what their change shall be as one more column, and each is reduced
//! by those before; what is nothing then is a combination of them, and its change follows. The rest is kept in reduced
//! row echelon form, in integers without common divisors, so that in the end each row says what the weight of one
//! place is; places that head no row get weight 0. They could get any: another choice adds a sum that no firing
//! changes.

use sweepnet_net::TransitionId;

use super::{Weights, primitive};
use crate::entries::{Entries, bytes_of, gcd, linear};
use crate::incidence::Incidence;

/// The most numbers that are looked at.
const MOST_WORK: usize = 20_000_000;

/// Weights by which each transition of a largest set of independent ones advances by the same amount. Transitions
/// are tried in the order given, those that fire most frequently best first, and after them all others; those that
/// empty places are left out. Nothing if no transition changes anything, if numbers become large, or the net is: no more
/// than so many bytes are kept at a time.
pub fn independent_effects(incidence: &Incidence, order: &[TransitionId], bytes: usize) -> Option<Weights> {
    let columns = incidence.by_transition();
    let width = u32::try_from(columns.width()).ok().filter(|width| *width < u32::MAX - 1)?;
    let mut seen = vec![false; columns.height()];
    let given = order.iter().map(|t| t.index()).filter(|t| *t < columns.height());
    let heads = vec![None; columns.width()];
    let mut rows = Echelon { width, rows: Vec::new(), heads, work: MOST_WORK, bytes };
    for t in given.chain(0..columns.height()) {
        if std::mem::replace(&mut seen[t], true) || incidence.resetting_transitions()[t] {
            continue;
        }
        let effect = columns.row(t).map(|(place, effect)| (place as u32, effect));
        rows.add(effect.chain([(width, 1)]).collect())?;
    }
    rows.solution()
}

/// Rows in reduced echelon form; the column behind the last place is what they shall add up to.
struct Echelon {
    width: u32,
    rows: Vec<Entries>,
    /// The row that each place heads.
    heads: Vec<Option<usize>>,
    work: usize,
    /// Bytes that more rows may take.
    bytes: usize,
}

impl Echelon {
    /// Adds a row, unless it is a combination of the others; nothing if that takes too long or too much memory, or numbers
    /// are too large.
    fn add(&mut self, mut row: Entries) -> Option<()> {
        let heads: Vec<(u32, usize)> = row[..row.len() - 1]
            .iter()
            .filter_map(|(place, _)| Some((*place, self.heads[*place as usize]?)))
            .collect();
        for (place, by) in heads {
            row = self.eliminate(&row, by, place)?;
        }
        // The smallest number heads the row: the others need not be multiplied then.
        let places = row.iter().filter(|(place, _)| *place < self.width);
        let Some(head) = places.min_by_key(|(_, value)| value.unsigned_abs()).map(|(place, _)| *place) else {
            return Some(());
        };
        let new = self.rows.len();
        self.bytes = self.bytes.checked_sub(bytes_of(&row) + size_of_val(&row))?;
        self.rows.push(row);
        self.heads[head as usize] = Some(new);
        for other in 0..new {
            self.work = self.work.checked_sub(1)?;
            if self.rows[other].binary_search_by_key(&head, |(place, _)| *place).is_ok() {
                let reduced = self.eliminate(&self.rows[other].clone(), new, head)?;
                self.bytes = self.bytes.saturating_add(bytes_of(&self.rows[other]));
                self.bytes = self.bytes.checked_sub(bytes_of(&reduced))?;
                self.rows[other] = reduced;
            }
        }
        Some(())
    }

    /// The row without a place, by subtracting a multiple of the row that the place heads.
    fn eliminate(&mut self, row: &[(u32, i128)], by: usize, place: u32) -> Option<Entries> {
        let by = &self.rows[by];
        self.work = self.work.checked_sub(row.len() + by.len())?;
        let at = |row: &[(u32, i128)]| {
            row.binary_search_by_key(&place, |(place, _)| *place).ok().map_or(0, |i| row[i].1)
        };
        let (mine, its) = (at(row), at(by));
        let common = i128::try_from(gcd(mine.unsigned_abs(), its.unsigned_abs())).ok().filter(|g| *g > 0)?;
        // The row keeps its sign.
        let (mine, its) = if its < 0 { (mine.checked_neg()?, its.checked_neg()?) } else { (mine, its) };
        let mut reduced = linear(row, its / common, by, -(mine / common))?;
        let divisor = reduced.iter().fold(0, |divisor, (_, value)| gcd(divisor, value.unsigned_abs()));
        if let Ok(divisor @ 2..) = i128::try_from(divisor) {
            reduced.iter_mut().for_each(|(_, value)| *value /= divisor);
        }
        reduced.shrink_to_fit();
        Some(reduced)
    }

    /// The weights that all rows ask for, times what makes them integers.
    fn solution(&self) -> Option<Weights> {
        let mut fractions = vec![(0_i128, 1_i128); self.heads.len()];
        let mut multiple = 1_i128;
        for (place, row) in self.heads.iter().enumerate() {
            let Some(row) = row else { continue };
            let at = |column: u32| {
                let row = &self.rows[*row];
                row.binary_search_by_key(&column, |(column, _)| *column).ok().map_or(0, |i| row[i].1)
            };
            let (sum, factor) = (at(self.width), at(place as u32));
            let common = i128::try_from(gcd(sum.unsigned_abs(), factor.unsigned_abs())).ok()?;
            let (sum, factor) = (sum.checked_div(common)?, factor.checked_div(common)?);
            let (sum, factor) =
                if factor < 0 { (sum.checked_neg()?, factor.checked_neg()?) } else { (sum, factor) };
            fractions[place] = (sum, factor);
            let shared = i128::try_from(gcd(multiple.unsigned_abs(), factor.unsigned_abs())).ok()?;
            multiple = multiple.checked_mul(factor.checked_div(shared)?)?;
        }
        let weights: Option<Vec<i128>> =
            fractions.iter().map(|(sum, factor)| sum.checked_mul(multiple / factor)).collect();
        primitive(&weights?)
    }
}
