//! How good are the judge's partitions? For each net named on the command line (or a list of usual ones), prints
//! the best candidates with their scores, and what they truly cost over the whole state space; with `--guess` those of
//! the guess that an exploration begins with.
//!
//!     cargo run --release -p sweepnet-space --example partitions -- HealthRecord-PT-03 kanban:5

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::BufReader;
use std::time::Instant;

use sweepnet_net::{Net, PlaceId};
use sweepnet_space::product::partition::measure::Measure;
use sweepnet_space::product::partition::{
    Knowledge, Part, PartitionChoice, Proposer, Sample, Scored, choose, guess,
};
use sweepnet_space::{Control, Limits, Observer, Plan, View, explore};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::random::Random;
use sweepnet_testkit::{nets, shared};

const USUAL: [&str; 15] = [
    "kanban:5",
    "philosophers:12",
    "CloudDeployment-PT-3a",
    "DNAwalker-PT-02track12Block2",
    "ParamProductionCell-PT-5",
    "QuasiCertifProtocol-PT-06",
    "Peterson-PT-3",
    "ShieldRVs-PT-002B",
    "AirplaneLD-PT-0050",
    "HealthRecord-PT-03",
    "SmartHome-PT-04",
    "HirschbergSinclair-PT-05",
    "SafeBus-PT-06",
    "DNAwalker-PT-08ringLL",
    "SharedMemory-PT-000010",
];

/// States that are explored at most.
const MOST_STATES: u64 = 8_000_000;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let brief = names.iter().any(|name| name == "--brief");
    let is_guess = names.iter().any(|name| name == "--guess");
    let names: Vec<String> = names.into_iter().filter(|name| !name.starts_with("--")).collect();
    let names = if names.is_empty() { USUAL.map(str::to_owned).to_vec() } else { names };
    for name in names {
        match find(&name) {
            Some(net) => show(&name, &net, brief, is_guess),
            None => println!("{name}: not found"),
        }
    }
}

fn find(name: &str) -> Option<Net> {
    let number = |text: &str| text.parse().ok();
    if let Some(n) = name.strip_prefix("kanban:") {
        return Some(nets::kanban(number(n)?));
    }
    if let Some(n) = name.strip_prefix("fms:") {
        return Some(nets::fms(number(n)?));
    }
    if let Some(n) = name.strip_prefix("mesh:") {
        return Some(nets::mesh(number(n)?));
    }
    if let Some(n) = name.strip_prefix("readers-writers:") {
        return Some(nets::readers_writers(number(n)?));
    }
    if let Some(n) = name.strip_prefix("philosophers:") {
        return Some(nets::philosophers(number(n)? as usize));
    }
    let file = File::open(shared::models()?.join("mcc").join(name).join("model.pnml")).ok()?;
    let format = sweepnet_formats::Format::Pnml;
    sweepnet_formats::read(BufReader::new(file), format, &Default::default()).ok()?.into_plain().ok()
}

fn show(name: &str, net: &Net, brief: bool, is_guess: bool) {
    let structure = Structure::of(net, Effort::for_net(net));
    let plan = Plan::knowing(net, &structure);
    let knowledge = Knowledge::of(net, &structure);
    let start = Instant::now();
    let states = if is_guess { Sample::FEW_STATES } else { Sample::STATES };
    let sample = Sample::gather(net, &plan, states, &mut Control::unlimited());
    let sampled = start.elapsed();
    let judgement = match is_guess {
        true => guess(net, &knowledge, &sample),
        false => choose(net, &knowledge, &PartitionChoice::Auto, &sample),
    };
    let judgement = judgement.expect("there is a partition");
    let judged = start.elapsed() - sampled;
    let still = |i: &usize| sample.column(*i).is_still();
    let silent = (0..sample.places().len()).filter(still).count();
    println!(
        "\n{name}: {} places, {} transitions, {} flows; sample {} states, {silent} places silent, complete {:?}, {sampled:.0?}; {} candidates, {judged:.0?}",
        net.places().len(),
        net.transitions().len(),
        knowledge.semiflows.len(),
        sample.len(),
        sample.complete(),
        judgement.candidates.len(),
    );
    println!("  {}", judgement.reason);
    if brief {
        return;
    }
    // The best ones, the best of each proposer, and the best for each number of components.
    let mut seen: HashSet<(Proposer, usize)> = HashSet::new();
    let mut numbers: HashSet<usize> = HashSet::new();
    let shown: Vec<&Scored> = judgement
        .candidates
        .iter()
        .enumerate()
        .filter(|(i, it)| {
            let number = it.partition.parts.len();
            let first = !seen.iter().any(|(proposer, _)| *proposer == it.partition.proposer);
            let best = seen.insert((it.partition.proposer, number)) && (first || numbers.insert(number));
            *i < 4 || best
        })
        .map(|(_, it)| it)
        .take(14)
        .collect();
    let mut truth = Truth::new(net, &shown);
    let limits = Limits { memory: u64::MAX, time: None, states: Some(MOST_STATES) };
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let report = explore(net, &plan, &mut control, &mut truth);
    let measure = Measure::new(net, &knowledge, &sample, 64);
    println!("  {} states{}", report.states, if report.is_complete() { "" } else { " (of more)" });
    let mut index = 0;
    for scored in &shown {
        let mut bytes = 0.0;
        let mut product = 0.0;
        let mut sizes = Vec::new();
        for part in &scored.partition.parts {
            let mut top = 0;
            visit(part, &mut |part, is_leaf| {
                let places = part.places();
                top = truth.sets[index].1.len();
                index += 1;
                let words = if is_leaf { measure.width(&places).div_ceil(64) } else { 1 };
                bytes += top as f64 * (8.0 * words as f64 + 22.0 + 4.0 * measure.enabled(&places));
            });
            product += (top as f64).log2();
            sizes.push(top);
        }
        if let Some(last) = sizes.last().filter(|_| scored.partition.determined) {
            product -= (*last as f64).log2();
        }
        let states = report.states as f64;
        let excess = product - states.log2();
        println!(
            "  {:>9} {:2}/{:<3} score {:6.2} | true {:6.2}  x {:5.2} (sample {:5.2})  tables {:6.3} B/state  N {} [expected {}]",
            format!("{:?}", scored.partition.proposer),
            scored.partition.parts.len(),
            scored.partition.parts.iter().map(Part::leaves).sum::<usize>(),
            scored.bits_per_state,
            excess.max(0.0) + 3.5 + 24.0 * bytes / states,
            excess,
            scored.excess,
            bytes / states,
            list(&sizes),
            list(&scored.expected.iter().map(|n| *n as usize).collect::<Vec<_>>()),
        );
    }
}

fn list(sizes: &[usize]) -> String {
    sizes.iter().take(12).map(usize::to_string).collect::<Vec<_>>().join("x")
}

/// Visits a component's tree, the component itself last.
fn visit(part: &Part, f: &mut impl FnMut(&Part, bool)) {
    match part {
        Part::Places(_) => f(part, true),
        Part::Pair(left, right) => {
            visit(left, f);
            visit(right, f);
            f(part, false);
        }
    }
}

/// For numbers that are hashes already.
#[derive(Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, number: u64) {
        self.0 = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number >> 32;
    }
}

type Set = HashSet<u64, BuildHasherDefault<Plain>>;

/// Collects the local markings of all components, at all levels.
struct Truth {
    keys: Vec<u64>,
    sets: Vec<(Vec<PlaceId>, Set)>,
    products: Vec<u64>,
}

impl Truth {
    fn new(net: &Net, shown: &[&Scored]) -> Self {
        let mut random = Random::new(1);
        let mut sets = Vec::new();
        for part in shown.iter().flat_map(|scored| &scored.partition.parts) {
            visit(part, &mut |part, _| sets.push((part.places(), Set::default())));
        }
        let keys: Vec<u64> = net.places().iter().map(|_| random.next_u64()).collect();
        Self { products: vec![0; keys.len()], keys, sets }
    }
}

impl Observer for Truth {
    fn discovered(&mut self, state: &View<'_>) -> bool {
        for (place, (product, key)) in self.products.iter_mut().zip(&self.keys).enumerate() {
            *product = state.tokens(PlaceId::new(place)).wrapping_mul(*key);
        }
        for (places, set) in &mut self.sets {
            set.insert(places.iter().fold(0, |sum, place| sum.wrapping_add(self.products[place.index()])));
        }
        false
    }
}
