//! Questions that terminal strongly connected components decide.
//!
//! A predicate is home if every terminal component has a state where it holds; a transition is live if each has a state
//! where it is enabled. So each question wants to see something in every component: one thing, or several.

use super::answer::Undecided;

/// One question under way.
#[derive(Debug)]
struct End<P> {
    /// Which of the things that it wants the present component has shown.
    seen: Vec<bool>,
    outcome: Option<Outcome<P>>,
}

/// How a question is decided before all components were seen.
#[derive(Debug)]
pub(crate) enum Outcome<P> {
    /// A component lacks these things; the path leads there.
    Lacking(Vec<usize>, P),
    /// It cannot be decided.
    Undecided(Undecided),
}

/// Questions under way, with paths of a certain kind.
#[derive(Debug)]
pub(crate) struct Ends<P> {
    ends: Vec<End<P>>,
    /// Positions of those that wait for a path.
    waiting: Vec<usize>,
    /// Whether the path that is asked for is to a terminal component.
    at_an_end: bool,
    regressed: bool,
}

impl<P: Clone> Ends<P> {
    /// Questions that each want to see so many things.
    pub fn new(wanted: impl IntoIterator<Item = usize>) -> Self {
        let end = |things| End { seen: vec![false; things], outcome: None };
        let ends = wanted.into_iter().map(end).collect();
        Self { ends, waiting: Vec::new(), at_an_end: false, regressed: false }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Looks at a state of a terminal component: `see` notes what it shows of what a question wants.
    pub fn look(&mut self, mut see: impl FnMut(usize, &mut [bool]) -> Result<(), Undecided>) {
        for (at, end) in self.ends.iter_mut().enumerate() {
            if end.outcome.is_none()
                && end.seen.contains(&false)
                && let Err(why) = see(at, &mut end.seen)
            {
                end.outcome = Some(Outcome::Undecided(why));
            }
        }
    }

    /// The component is complete; tells whether the path to it is wanted.
    pub fn complete(&mut self) -> bool {
        self.waiting.clear();
        for (at, end) in self.ends.iter_mut().enumerate() {
            match end.outcome.is_none() && end.seen.contains(&false) {
                true => self.waiting.push(at),
                false => end.seen.fill(false),
            }
        }
        self.at_an_end = !self.waiting.is_empty();
        self.at_an_end
    }

    /// From now on others may ask for a path.
    #[inline]
    pub fn leave(&mut self) {
        self.at_an_end = false;
    }

    /// A path was found; it is given back if it is for others.
    pub fn witness(&mut self, path: P) -> Option<P> {
        if !self.at_an_end {
            return Some(path);
        }
        for at in std::mem::take(&mut self.waiting) {
            let end = &mut self.ends[at];
            let lacking = (0..end.seen.len()).filter(|thing| !end.seen[*thing]).collect();
            end.outcome = Some(Outcome::Lacking(lacking, path.clone()));
        }
        None
    }

    /// A step lost progress: nothing is known of components any more.
    pub fn regress(&mut self) {
        self.regressed = true;
    }

    /// Whether a step lost progress.
    pub fn is_regressed(&self) -> bool {
        self.regressed
    }

    /// Whether all are decided.
    pub fn is_decided(&self) -> bool {
        self.ends.iter().all(|end| end.outcome.is_some())
    }

    /// How each was decided; nothing where every component that was seen had all.
    pub fn outcomes(self) -> impl Iterator<Item = Option<Outcome<P>>> {
        self.ends.into_iter().map(|end| end.outcome)
    }
}
