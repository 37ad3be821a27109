//! How much trouble a judgement takes.
//!
//! An exploration of ten thousand states takes less time than a careful judgement. So it begins with a guess, and the
//! judgement comes when there are so many states that it pays (`product/second_thoughts.rs`).

/// What a judgement may look at.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// States on which all proposals are measured. The best are measured on the whole sample.
    pub coarse_states: usize,
    /// Pieces of a sequence between which it may be cut.
    pub grid: usize,
    /// States on which clusters are measured.
    pub cluster_states: usize,
    /// What the net's structure proposes is enough if it costs no more than this, in bits per state.
    pub good_enough: f64,
    /// Proposals that are improved place by place.
    pub improved: usize,
    /// Proposals out of which places are taken that follow from others.
    pub determined: usize,
    /// Proposals whose components are joined where that pays: on few states, too many seem to belong together.
    pub joined: usize,
}

impl Care {
    /// For good.
    pub const FULL: Self = Self {
        coarse_states: 4_000,
        grid: 36,
        cluster_states: 1_200,
        good_enough: 0.0,
        improved: 2,
        determined: 8,
        joined: 2,
    };
    /// For a start: some milliseconds.
    pub const QUICK: Self = Self {
        coarse_states: 400,
        grid: 24,
        cluster_states: 200,
        good_enough: 2.0,
        improved: 0,
        determined: 3,
        joined: 0,
    };
}
