//! How often each event has fired, worked out from the marking.
//!
//! A marking m reached from m₀ by firing each event t y(t) times is m₀ + C·y. As long as the columns of the events that
//! have led to new states are independent, y follows from m, and need not be kept. An event whose column depends on
//! those before it is *free*: its count is kept with the state, and the others' follow from both.
//!
//! The sum of all y(t), a state's level, follows from the marking alone if it does not depend on the free counts: then
//! no marking can have two levels.

use sweepnet_structure::entries::{Entries, gcd, linear};

/// What an equation has on its left: a multiple of one event's count, or nothing, and free counts; on its right, a
/// combination of what fields have gained.
#[derive(Clone, Debug)]
struct Equation {
    event: Option<usize>,
    scale: i128,
    free: Entries,
    gains: Entries,
}

/// Equations with more numbers than this, all together, are given up: every count is kept then.
const MOST_NUMBERS: usize = 1 << 20;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Recovery {
    /// By event, what firing adds to each field.
    columns: Vec<Entries>,
    equations: Vec<Equation>,
    /// By event, the equation that gives its count.
    owner: Vec<Option<usize>>,
    free: Vec<bool>,
}

/// Where an event leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// To a level this far from its source's, if that state was found before.
    Level(i64),
    /// To a marking that was never found before.
    New,
    /// Nobody knows.
    Unknown,
}

impl Recovery {
    /// No event has fired; `columns` tells by event what it adds to each of so many fields.
    pub fn new(columns: Vec<Entries>, fields: usize) -> Self {
        let unknown = |field: usize| Equation {
            event: None,
            scale: 1,
            free: Vec::new(),
            gains: vec![(field as u32, 1)],
        };
        let (owner, free) = (vec![None; columns.len()], vec![false; columns.len()]);
        Self { equations: (0..fields).map(unknown).collect(), columns, owner, free }
    }

    /// Nothing can be worked out: the counts of these events are all kept.
    pub fn of_nothing(kept: &[bool]) -> Self {
        let (columns, owner) = (vec![Vec::new(); kept.len()], vec![None; kept.len()]);
        Self { columns, equations: Vec::new(), owner, free: kept.to_vec() }
    }

    /// An event has led to a new state. Tells whether its count has to be kept from now on; nothing if the numbers
    /// become too large, so that every count has to be.
    pub fn enter(&mut self, event: usize) -> Option<bool> {
        let column = &self.columns[event];
        let parts: Vec<i128> = self.equations.iter().map(|e| dot(&e.gains, column)).collect::<Option<_>>()?;
        let usable = |at: &usize| self.equations[*at].event.is_none() && parts[*at] != 0;
        let shortest = (0..parts.len()).filter(usable).min_by_key(|at| self.equations[*at].gains.len());
        let Some(pivot) = shortest else {
            for (equation, part) in self.equations.iter_mut().zip(&parts) {
                if *part != 0 {
                    equation.free = linear(&equation.free, 1, &[(event as u32, *part)], 1)?;
                }
            }
            self.free[event] = true;
            return Some(true);
        };
        let mut own = self.equations[pivot].clone();
        (own.event, own.scale) = (Some(event), parts[pivot]);
        own.reduce()?;
        for (at, part) in parts.iter().enumerate().filter(|(at, part)| *at != pivot && **part != 0) {
            let equation = &mut self.equations[at];
            let common = i128::try_from(gcd(own.scale.unsigned_abs(), part.unsigned_abs())).ok()?;
            let (mine, theirs) = (own.scale / common, (part / common).checked_neg()?);
            equation.scale = equation.scale.checked_mul(mine)?;
            equation.free = linear(&equation.free, mine, &own.free, theirs)?;
            equation.gains = linear(&equation.gains, mine, &own.gains, theirs)?;
            equation.reduce()?;
        }
        self.equations[pivot] = own;
        self.owner[event] = Some(pivot);
        let numbers = self.equations.iter().map(|it| it.free.len() + it.gains.len()).sum::<usize>();
        (numbers <= MOST_NUMBERS).then_some(false)
    }

    /// Whether the count of an event has to be kept.
    pub fn is_free(&self, event: usize) -> bool {
        self.free[event]
    }

    /// How often an event has fired, from what each field has gained and from the counts that are kept.
    pub fn count(&self, event: usize, gain: impl Fn(u32) -> i128, kept: impl Fn(u32) -> u64) -> Option<u64> {
        if self.free[event] {
            return Some(kept(event as u32));
        }
        let Some(owner) = self.owner[event] else { return Some(0) };
        let equation = &self.equations[owner];
        let gained = equation
            .gains
            .iter()
            .try_fold(0_i128, |sum, (field, factor)| sum.checked_add(factor.checked_mul(gain(*field))?))?;
        let sum = equation.free.iter().try_fold(gained, |sum, (event, factor)| {
            sum.checked_sub(factor.checked_mul(i128::from(kept(*event)))?)
        })?;
        u64::try_from(sum.checked_div(equation.scale)?).ok()
    }

    /// The sum of all counts, but for the free ones, as a sum over what fields have gained, times a unit.
    pub fn level(&self) -> Option<(Entries, u64)> {
        let known = || self.equations.iter().filter(|equation| equation.event.is_some());
        let unit = known().try_fold(1_i128, |unit, equation| {
            let common = i128::try_from(gcd(unit.unsigned_abs(), equation.scale.unsigned_abs())).ok()?;
            (unit / common).checked_mul(equation.scale)
        })?;
        let sum = known().try_fold(Entries::new(), |sum, equation| {
            linear(&sum, 1, &equation.gains, unit / equation.scale)
        })?;
        Some((sum, u64::try_from(unit).ok()?))
    }

    /// Where an event leads; for a level that follows from the marking.
    pub fn course(&self, event: usize) -> Course {
        let column = &self.columns[event];
        let (mut over, mut under) = (0_i128, 1_i128);
        for equation in &self.equations {
            let Some(part) = dot(&equation.gains, column) else { return Course::Unknown };
            match (equation.event, part) {
                (_, 0) => {}
                // It leaves the space of all that was found.
                (None, _) => return Course::New,
                (Some(_), part) => match add(over, under, part, equation.scale) {
                    Some(sum) => (over, under) = sum,
                    None => return Course::Unknown,
                },
            }
        }
        match over % under {
            0 => i64::try_from(over / under).map_or(Course::Unknown, Course::Level),
            _ => Course::New,
        }
    }
}

impl Equation {
    /// Divides by what all numbers have in common, and makes the scale positive.
    fn reduce(&mut self) -> Option<()> {
        let numbers = self.free.iter().chain(&self.gains).map(|(_, value)| value.unsigned_abs());
        let start = if self.event.is_some() { self.scale.unsigned_abs() } else { 0 };
        let common = i128::try_from(numbers.fold(start, gcd)).ok()?.max(1);
        let by = if self.scale < 0 { -common } else { common };
        for (_, value) in self.free.iter_mut().chain(&mut self.gains) {
            *value /= by;
        }
        self.scale = if self.event.is_some() { self.scale / by } else { 1 };
        Some(())
    }
}

/// The sum of products.
fn dot(a: &Entries, b: &Entries) -> Option<i128> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.iter().try_fold(0_i128, |sum, (index, value)| {
        match long.binary_search_by_key(index, |entry| entry.0) {
            Ok(at) => sum.checked_add(value.checked_mul(long[at].1)?),
            Err(_) => Some(sum),
        }
    })
}

/// The sum of two fractions, reduced; denominators are positive.
fn add(over: i128, under: i128, more: i128, scale: i128) -> Option<(i128, i128)> {
    let sum = over.checked_mul(scale)?.checked_add(more.checked_mul(under)?)?;
    let whole = under.checked_mul(scale)?;
    let common = i128::try_from(gcd(sum.unsigned_abs(), whole.unsigned_abs())).ok()?.max(1);
    Some((sum / common, whole / common))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Readers and writers: fields p2, p3, p4, p6, p7.
    fn readers_writers() -> Recovery {
        let columns = vec![
            vec![(0, 1)],
            vec![(0, -1), (1, 1)],
            vec![(0, -1), (2, 1)],
            vec![(1, -1), (3, 1)],
            vec![(2, -1), (4, 1)],
            vec![(3, -1)],
            vec![(4, -1)],
        ];
        Recovery::new(columns, 5)
    }

    #[test]
    fn counts_and_levels_follow_from_the_marking() {
        let mut recovery = readers_writers();
        assert_eq!(recovery.course(1), Course::New);
        for event in 0..5 {
            assert_eq!(recovery.enter(event), Some(false));
        }
        let marking = [4_i128, 3, 2, 1, 1];
        let gain = |field: u32| marking[field as usize];
        let counts: Vec<_> = (0..7).map(|event| recovery.count(event, gain, |_| 0)).collect();
        assert_eq!(counts, [11, 4, 3, 1, 1, 0, 0].map(Some));
        let courses: Vec<_> = (0..7).map(|event| recovery.course(event)).collect();
        assert_eq!(courses, [1, 1, 1, 1, 1, -3, -3].map(Course::Level));
    }

    #[test]
    fn counts_that_do_not_follow_are_kept() {
        let mut recovery = readers_writers();
        (0..5).for_each(|event| assert_eq!(recovery.enter(event), Some(false)));
        assert_eq!(recovery.enter(5), Some(true));
        let marking = [4_i128, 3, 2, 1, 1];
        let gain = |field: u32| marking[field as usize];
        // One more of the events on the way for each time the last of them has fired.
        let counts: Vec<_> = (0..7).map(|event| recovery.count(event, gain, |_| 2)).collect();
        assert_eq!(counts, [13, 6, 3, 3, 1, 2, 0].map(Some));
    }
}
