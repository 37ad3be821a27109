//! Where memory is scarce, states are moved to a smaller set and none is lost: what is found is right, and whatever has an
//! answer with some memory has one with more.

use sweepnet_net::Net;
use sweepnet_space::{
    Budget, CodecChoice, Control, Observer, Plan, Report, StopReason, StoreChoice, View, explore,
};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::seeds::{only, seeds};
use sweepnet_testkit::{naive, nets, random};

const NETS: u64 = 100;
const LIMIT: usize = 2_000;

/// Counts what it is shown, whatever the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shown {
    discovered: u64,
    expanded: u64,
    successors: u64,
    /// Of all markings discovered, and of all expanded.
    sums: [u64; 2],
    wants_paths: bool,
}

fn number(state: &View<'_>) -> u64 {
    state
        .marking()
        .tokens()
        .iter()
        .fold(1, |sum: u64, tokens| (sum ^ tokens).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
}

impl Observer for Shown {
    fn wants_paths(&self) -> bool {
        self.wants_paths
    }

    fn discovered(&mut self, state: &View<'_>) -> bool {
        self.discovered += 1;
        self.sums[0] = self.sums[0].wrapping_add(number(state));
        false
    }

    fn expanded(&mut self, state: &View<'_>, successors: u64) -> bool {
        self.expanded += 1;
        self.successors += successors;
        self.sums[1] = self.sums[1].wrapping_add(number(state));
        false
    }

    fn fork(&self) -> Option<Self> {
        Some(Self { wants_paths: self.wants_paths, ..Self::default() })
    }

    fn join(&mut self, part: Self) {
        self.discovered += part.discovered;
        self.expanded += part.expanded;
        self.successors += part.successors;
        for (mine, theirs) in self.sums.iter_mut().zip(part.sums) {
            *mine = mine.wrapping_add(theirs);
        }
    }
}

/// Explores with so many bytes, the process itself not counted.
fn run(net: &Net, plan: &Plan, bytes: u64, wants_paths: bool) -> (Report, Shown) {
    let mut shown = Shown { wants_paths, ..Shown::default() };
    let mut control = Control::unlimited().with_budget(Budget::of(bytes));
    let report = explore(net, plan, &mut control, &mut shown);
    (report, shown)
}

/// A plan that knows what structure tells.
fn knowing(net: &Net, threads: usize) -> Plan {
    let plan = Plan::knowing(net, &Structure::of(net, Effort::for_net(net)));
    Plan { threads: Some(threads), ..plan }
}

/// Explores with less and less memory, down to a quarter of what is not enough: all that has an answer has the same, and what is
/// answered with some memory is with twice as much. (Which partition is found in time may depend on a little.)
fn explore_with_less_and_less(net: &Net, plan: &Plan, from: u64, wants_paths: bool) {
    let (whole, all) = run(net, plan, u64::MAX, wants_paths);
    assert!(whole.is_complete());
    let mut bytes = from;
    let mut failed = None;
    while failed.is_none_or(|failed| bytes * 4 > failed) {
        let (report, shown) = run(net, plan, bytes, wants_paths);
        let how = format!("{} with {bytes} bytes, {:?} threads", net.name, plan.threads);
        println!(
            "{how}: {} states, {:?}, {} {}",
            report.states,
            report.stopped,
            report.store.name(),
            report.store_bytes
        );
        match report.stopped {
            None => {
                assert_eq!(shown, all, "{how}");
                assert_eq!((report.states, report.counts), (whole.states, whole.counts), "{how}");
                assert!(failed.is_none_or(|failed| failed < 2 * bytes), "{how}: {failed:?} was not enough");
            }
            Some(reason) => {
                assert_eq!(reason, StopReason::Memory);
                assert!(report.states < whole.states, "{how}");
                assert_ne!(bytes, from, "{how}: there is enough to begin with");
                failed = failed.or(Some(bytes));
            }
        }
        bytes -= bytes / 6;
    }
}

#[test]
fn whatever_has_an_answer_with_some_memory_has_one_with_more() {
    let net = nets::kanban(5);
    explore_with_less_and_less(&net, &knowing(&net, 1), 4 << 20, false);
}

#[test]
fn states_with_tags_are_found_on_several_threads() {
    for threads in [1, 2, 3] {
        let net = nets::kanban(4);
        explore_with_less_and_less(&net, &knowing(&net, threads), 8 << 20, true);
    }
}

#[test]
fn no_state_is_lost_wherever_memory_runs_out() {
    let (mut complete, mut stopped) = (0, 0);
    for seed in seeds(0..NETS) {
        let net = random::net(seed);
        let plan = knowing(&net, 1 + seed as usize % 3);
        let twin = naive::explore(&net, LIMIT);
        if !twin.complete || !plan.is_bounded(&net) {
            continue;
        }
        for (at, store) in StoreChoice::ALL.iter().enumerate() {
            let stress = (seed as usize + at).is_multiple_of(2);
            let plan = Plan { codec: CodecChoice::Product, store: *store, stress, ..plan.clone() };
            // Where it begins to be enough is where it runs out at all kinds of moments.
            let (mut too_little, mut enough) = (0u64, 4 << 20);
            while enough - too_little > 256 {
                let bytes = too_little.midpoint(enough);
                let (report, shown) = run(&net, &plan, bytes, seed.is_multiple_of(2));
                let how = format!("seed {seed}, {bytes} bytes, {}, stress {stress}", store.name());
                match report.stopped {
                    None => {
                        (complete, enough) = (complete + 1, bytes);
                        assert_eq!(report.states, twin.states.len() as u64, "{how}");
                        assert_eq!(report.counts.arcs, twin.arcs, "{how}");
                        assert_eq!(shown.successors, twin.arcs, "{how}");
                        assert_eq!(
                            (shown.discovered, shown.expanded),
                            (report.states, report.states),
                            "{how}"
                        );
                        assert_eq!(shown.sums[0], shown.sums[1], "{how}");
                    }
                    Some(reason) => {
                        (stopped, too_little) = (stopped + 1, bytes);
                        assert_eq!(reason, StopReason::Memory, "{how}");
                        assert!(report.states <= twin.states.len() as u64, "{how}");
                    }
                }
            }
        }
    }
    println!("{complete} complete, {stopped} stopped");
    assert!(only().is_some() || complete > 100 && stopped > 100, "{complete} complete, {stopped} stopped");
}
