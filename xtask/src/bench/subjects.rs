//! The nets that are measured: many tokens in few places, few tokens in many places, and between.
//!
//! The numbers of states are known from outside and compared at every measurement: those of the papers for Kanban,
//! mesh, Readers-Writers and FMS 4, closed forms for philosophers, the ring and the railway (see their families),
//! and what the Model Checking Contest's tools agreed on. Those of FMS 5 and 6 are not from a paper: the first is what
//! the naive twin finds as well, the second what both engines find, fields in the flat store and ranks in a set.
//! Those of the coloured nets are from the papers of Helena and MARIA or follow from a closed form; those of the small
//! ones that have none are what the naive twin finds as well. Mutex and eratos are reconstructions that have the published
//! number of states.

use sweepnet_colour::ColouredNet;
use sweepnet_net::Net;
use sweepnet_testkit::{nets, shared};

use super::Options;
use super::coloured::{Model, On};
use crate::answers::read;

/// A net to be measured.
#[derive(Debug)]
pub struct Subject {
    /// Its name.
    pub name: &'static str,
    /// How many states it has.
    pub states: u64,
    /// How many arcs, where that is known.
    pub arcs: Option<u64>,
    /// Whether it is among the small ones.
    pub quick: bool,
    /// Whether two threads are promised to be faster than one.
    pub scales: bool,
    /// The name of a smaller one on which the naive twin is measured instead, and ours beside it.
    pub smaller: Option<&'static str>,
    /// What another tool needed for it, as published.
    pub rival: Option<Rival>,
    source: Source,
}

/// CPU seconds and bytes per state of Helena's plain depth-first search.
#[derive(Clone, Copy, Debug)]
pub struct Rival {
    /// CPU seconds.
    pub seconds: f64,
    /// Bytes per state.
    pub bytes: u32,
}

/// What is to be explored.
#[derive(Debug)]
pub enum Given {
    /// A place/transition net.
    Plain(Box<Net>),
    /// A coloured net, and on what.
    Coloured(Box<ColouredNet>, On),
}

#[derive(Debug)]
enum Source {
    /// Built.
    Family(fn() -> Net),
    /// Read from the shared models.
    Contest,
    /// Read from the examples.
    Example(Model),
}

/// One that is built, among the small ones.
const fn quick(name: &'static str, states: u64, make: fn() -> Net) -> Subject {
    Subject { quick: true, ..family(name, states, make) }
}

/// One that is built.
const fn family(name: &'static str, states: u64, make: fn() -> Net) -> Subject {
    of(name, states, Source::Family(make))
}

/// One of the contest.
const fn contest(name: &'static str, states: u64) -> Subject {
    of(name, states, Source::Contest)
}

const fn of(name: &'static str, states: u64, source: Source) -> Subject {
    Subject { name, states, arcs: None, quick: false, scales: false, smaller: None, rival: None, source }
}

/// A coloured one, explored on its unfolding.
const fn unfolded(name: &'static str, file: &'static str, parameter: i64, states: u64, arcs: u64) -> Subject {
    let model = Model { file, parameter, on: On::Unfolding };
    Subject { arcs: Some(arcs), ..of(name, states, Source::Example(model)) }
}

/// A coloured one, explored on its own markings.
const fn coloured(name: &'static str, file: &'static str, parameter: i64, states: u64, arcs: u64) -> Subject {
    let model = Model { file, parameter, on: On::Markings };
    Subject { arcs: Some(arcs), ..of(name, states, Source::Example(model)) }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    quick("Kanban 3", 58_400, || nets::kanban(3)),
    quick("Kanban 4", 454_475, || nets::kanban(4)),
    family("Kanban 5", 2_546_432, || nets::kanban(5)),
    family("Kanban 6", 11_261_376, || nets::kanban(6)),
    family("Kanban 7", 41_644_800, || nets::kanban(7)).scaling(),
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
    family("Railway 3x100", 485_100, || nets::railway(3, 100)),
    contest("HealthRecord-PT-03", 4_773_308),
    contest("ShieldRVs-PT-002B", 4_261_457),
    contest("AirplaneLD-PT-0050", 4_471_223),
    contest("SmartHome-PT-04", 5_307_680),
    contest("CloudDeployment-PT-3a", 190_102),
    contest("SafeBus-PT-06", 6_816_756),
    contest("HirschbergSinclair-PT-05", 6_158_095),
    contest("ParamProductionCell-PT-5", 1_657_242),
    contest("QuasiCertifProtocol-PT-06", 2_271_960),
    contest("Peterson-PT-3", 3_407_946),
    contest("DNAwalker-PT-09ringLR", 28_209_796),
    unfolded("dbm 8 unfolded", "dbm", 8, 17_497, 81_664).among_the_small(),
    unfolded("dbm 10 unfolded", "dbm", 10, 196_831, 1_181_000),
    unfolded("dbm 12 unfolded", "dbm", 12, 2_125_765, 15_588_960).beside("dbm 10 unfolded").rival(9.1, 48),
    unfolded("dining 8 unfolded", "dining", 8, 24_735, 160_400).among_the_small(),
    unfolded("dining 10 unfolded", "dining", 10, 321_667, 2_633_980),
    unfolded("dining 13 unfolded", "dining", 13, 14_741_195, 157_812_343)
        .beside("dining 10 unfolded")
        .rival(220.0, 45),
    unfolded("leader 9 unfolded", "leader", 9, 11_775, 73_916).among_the_small(),
    unfolded("leader 12 unfolded", "leader", 12, 218_931, 1_836_299),
    unfolded("leader 16 unfolded", "leader", 16, 10_475_430, 117_722_093)
        .beside("leader 12 unfolded")
        .rival(122.0, 43),
    unfolded("peterson 3 unfolded", "peterson", 3, 20_754, 62_262).among_the_small(),
    unfolded("peterson 4 unfolded", "peterson", 4, 3_407_946, 13_631_784)
        .beside("peterson 3 unfolded")
        .rival(6.3, 42),
    unfolded("mutex 13 unfolded", "mutex", 13, 274_432, 2_023_424),
    unfolded("mutex 17 unfolded", "mutex", 17, 5_701_632, 53_477_376)
        .beside("mutex 13 unfolded")
        .rival(37.6, 36),
    unfolded("eratos 50 unfolded", "eratos", 50, 183_523, 786_982),
    unfolded("eratos 70 unfolded", "eratos", 70, 3_177_699, 16_783_398).beside("eratos 50 unfolded"),
    coloured("dbm 8 coloured", "dbm", 8, 17_497, 81_664).among_the_small(),
    coloured("dbm 10 coloured", "dbm", 10, 196_831, 1_181_000),
    coloured("dining 8 coloured", "dining", 8, 24_735, 160_400).among_the_small(),
    coloured("dining 10 coloured", "dining", 10, 321_667, 2_633_980),
    coloured("leader 9 coloured", "leader", 9, 11_775, 73_916).among_the_small(),
    coloured("leader 12 coloured", "leader", 12, 218_931, 1_836_299),
    coloured("eratos 40 coloured", "eratos", 40, 23_779, 84_262),
    coloured("eratos 70 coloured", "eratos", 70, 3_177_699, 16_783_398).beside("eratos 40 coloured"),
];

impl Subject {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SUBJECTS.iter().find(|subject| subject.name == name)
    }

    /// Whether the net can be had.
    pub fn is_available(&self) -> bool {
        match self.source {
            Source::Family(_) | Source::Example(_) => true,
            Source::Contest => file(self.name).is_some_and(|file| file.is_file()),
        }
    }

    /// Whether it is a coloured net explored on its own markings, which is done by one thread.
    pub fn is_on_markings(&self) -> bool {
        matches!(self.source, Source::Example(Model { on: On::Markings, .. }))
    }

    /// The net.
    ///
    /// # Panics
    /// If its file cannot be read.
    pub fn given(&self) -> Given {
        match &self.source {
            Source::Family(make) => Given::Plain(Box::new(make())),
            Source::Contest => {
                Given::Plain(Box::new(read(&file(self.name).expect("the shared models are there"))))
            }
            Source::Example(model) => Given::Coloured(Box::new(model.net()), model.on),
        }
    }

    const fn scaling(self) -> Self {
        Self { scales: true, ..self }
    }

    const fn among_the_small(self) -> Self {
        Self { quick: true, ..self }
    }

    const fn beside(self, smaller: &'static str) -> Self {
        Self { smaller: Some(smaller), ..self }
    }

    const fn rival(self, seconds: f64, bytes: u32) -> Self {
        Self { rival: Some(Rival { seconds, bytes }), ..self }
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
