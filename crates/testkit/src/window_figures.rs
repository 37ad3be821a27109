//! What the paper on partial search with T-semiflows prints, net by net. The nets are those of the shared models.

/// A row of Figure 3: what the structure of a net tells.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The net's file, without the ending.
    pub net: &'static str,
    /// Transitions.
    pub transitions: usize,
    /// Places.
    pub places: usize,
    /// Minimal T-semiflows.
    pub semiflows: usize,
    /// Their largest rank.
    pub window: u128,
}

/// Figure 3. All sets of semiflows are integral.
pub const PROFILES: [Profile; 6] = [
    Profile { net: "kanban-2", transitions: 16, places: 16, semiflows: 5, window: 8 },
    Profile { net: "fms-2", transitions: 20, places: 22, semiflows: 4, window: 13 },
    Profile { net: "multipoll-2", transitions: 21, places: 18, semiflows: 8, window: 5 },
    Profile { net: "csm-2", transitions: 13, places: 14, semiflows: 4, window: 5 },
    Profile { net: "readers-writers-4", transitions: 7, places: 7, semiflows: 2, window: 4 },
    Profile { net: "mesh2x2-2", transitions: 32, places: 32, semiflows: 8, window: 5 },
];

/// Figure 4: reachable markings, with the complete flag up.
pub const COUNTS: [(&str, u64); 17] = [
    ("kanban-2", 4_600),
    ("kanban-4", 454_475),
    ("kanban-5", 2_546_432),
    ("fms-2", 3_444),
    ("fms-4", 438_600),
    ("multipoll-2", 11_328),
    ("multipoll-4", 106_280),
    ("multipoll-9", 1_943_160),
    ("mesh2x2-2", 200_544),
    ("csm-2", 76),
    ("csm-32", 95_876),
    ("csm-75", 1_170_704),
    ("csm-115", 4_162_544),
    ("readers-writers-4", 90),
    ("readers-writers-32", 64_889),
    ("readers-writers-62", 762_384),
    ("readers-writers-114", 7_927_295),
];

/// Bytes of a slot of Readers-Writers in the paper: one for each transition.
pub const SLOT: u32 = 7;

/// A row of Figure 5: Readers-Writers in circular memory.
#[derive(Clone, Copy, Debug)]
pub struct Circular {
    /// Processes.
    pub processes: u64,
    /// Bytes of the array.
    pub bytes: u64,
    /// Markings found, that which overflowed included. The paper prints one less than there are for 128 processes, and in
    /// two rows that overflow.
    pub markings: u64,
    /// How often the array was filled.
    pub rounds: u64,
    /// Whether the window outgrew it.
    pub overflow: bool,
}

const fn row(processes: u64, bytes: u64, markings: u64, rounds: u64, overflow: bool) -> Circular {
    Circular { processes, bytes, markings, rounds, overflow }
}

/// Figure 5.
pub const CIRCULAR: [Circular; 16] = [
    row(255, 45_000_000, 185_977_536, 28, false),
    row(255, 35_000_000, 185_977_536, 37, false),
    row(255, 25_000_000, 185_977_536, 52, false),
    row(255, 21_000_000, 66_252_651, 22, true),
    row(128, 45_000_000, 12_440_545, 1, false),
    row(128, 35_000_000, 12_440_545, 2, false),
    row(128, 25_000_000, 12_440_545, 3, false),
    row(128, 15_000_000, 12_440_545, 5, false),
    row(128, 5_000_000, 12_440_545, 17, false),
    row(128, 3_000_000, 5_631_405, 13, true),
    row(64, 1_000_000, 860_145, 6, false),
    row(64, 500_000, 860_145, 12, false),
    row(64, 250_000, 169_728, 4, true),
    row(32, 300_000, 64_889, 1, false),
    row(32, 75_000, 64_889, 6, false),
    row(32, 50_000, 23_099, 3, true),
];
