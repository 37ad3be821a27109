//! The nets that are measured: many tokens in few places, few tokens in many places, and between.
//!
//! The numbers of states are known from outside and compared at every measurement: those of the papers for Kanban,
//! mesh, Readers-Writers and FMS 4, closed forms for philosophers, the ring and the railway (see their families),
//! and what the Model Checking Contest's tools agreed on. Those of FMS 5 and 6 are not from a paper: the first is what
//! the naive twin finds as well, the second what both engines find, fields in the flat store and ranks in a set.

use sweepnet_net::Net;
use sweepnet_testkit::{nets, shared};

use super::Options;
use crate::answers::read;

/// A net to be measured.
#[derive(Debug)]
pub struct Subject {
    /// Its name.
    pub name: &'static str,
    /// How many states it has.
    pub states: u64,
    /// Whether it is among the small ones.
    pub quick: bool,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// Built.
    Family(fn() -> Net),
    /// Read from the shared models.
    Contest,
}

/// One that is built, among the small ones.
const fn quick(name: &'static str, states: u64, make: fn() -> Net) -> Subject {
    Subject { name, states, quick: true, source: Source::Family(make) }
}

/// One that is built.
const fn family(name: &'static str, states: u64, make: fn() -> Net) -> Subject {
    Subject { name, states, quick: false, source: Source::Family(make) }
}

/// One of the contest.
const fn contest(name: &'static str, states: u64) -> Subject {
    Subject { name, states, quick: false, source: Source::Contest }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    quick("Kanban 3", 58_400, || nets::kanban(3)),
    quick("Kanban 4", 454_475, || nets::kanban(4)),
    family("Kanban 5", 2_546_432, || nets::kanban(5)),
    family("Kanban 6", 11_261_376, || nets::kanban(6)),
    family("Kanban 7", 41_644_800, || nets::kanban(7)),
    family("Kanban 8", 133_865_325, || nets::kanban(8)),
    quick("FMS 4", 438_600, || nets::fms(4)),
    family("FMS 5", 2_895_018, || nets::fms(5)),
    family("FMS 6", 15_126_440, || nets::fms(6)),
    quick("Philosophers 10", 6_726, || nets::philosophers(10)),
    quick("Philosophers 12", 39_202, || nets::philosophers(12)),
    family("Philosophers 13", 94_642, || nets::philosophers(13)),
    family("Philosophers 14", 228_486, || nets::philosophers(14)),
    family("Philosophers 15", 551_614, || nets::philosophers(15)),
    quick("Token ring 9", 236_196, || nets::token_ring(9)),
    family("Token ring 11", 2_598_156, || nets::token_ring(11)),
    quick("Readers-Writers 32", 64_889, || nets::readers_writers(32)),
    family("Readers-Writers 128", 12_440_545, || nets::readers_writers(128)),
    quick("Mesh 2", 200_544, || nets::mesh(2)),
    quick("Railway 2x100", 9_900, || nets::railway(2, 100)),
    contest("HealthRecord-PT-03", 4_773_308),
    contest("ShieldRVs-PT-002B", 4_261_457),
    contest("AirplaneLD-PT-0050", 4_471_223),
    contest("SmartHome-PT-04", 5_307_680),
    contest("SafeBus-PT-06", 6_816_756),
    contest("HirschbergSinclair-PT-05", 6_158_095),
    contest("ParamProductionCell-PT-5", 1_657_242),
    contest("QuasiCertifProtocol-PT-06", 2_271_960),
    contest("Peterson-PT-3", 3_407_946),
    contest("DNAwalker-PT-09ringLR", 28_209_796),
];

impl Subject {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SUBJECTS.iter().find(|subject| subject.name == name)
    }

    /// Whether the net can be had.
    pub fn is_available(&self) -> bool {
        match self.source {
            Source::Family(_) => true,
            Source::Contest => file(self.name).is_some_and(|file| file.is_file()),
        }
    }

    /// The net.
    ///
    /// # Panics
    /// If its file cannot be read.
    pub fn net(&self) -> Net {
        match self.source {
            Source::Family(make) => make(),
            Source::Contest => read(&file(self.name).expect("the shared models are there")),
        }
    }
}

fn file(name: &str) -> Option<std::path::PathBuf> {
    Some(shared::models()?.join("mcc").join(name).join("model.pnml"))
}

/// Those that the options choose.
pub fn chosen(options: &Options) -> impl Iterator<Item = &'static Subject> {
    SUBJECTS.iter().filter(|subject| {
        (subject.quick || !options.quick)
            && subject.states <= options.up_to
            && subject.name.contains(&options.filter)
    })
}
