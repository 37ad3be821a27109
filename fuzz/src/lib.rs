//! What every reader must keep: no panic on any bytes, and a net that was read can be written and read again. Coloured
//! nets, which are not written, are explored a little.

use std::cell::Cell;
use std::time::Duration;

use sweepnet_colour::unfold::Limits as UnfoldLimits;
use sweepnet_colour::{ColouredNet, Machine};
use sweepnet_formats::{Format, Options, read, write};
use sweepnet_space::coloured::ColouredPlan;
use sweepnet_space::{Control, Limits, Plan, coloured, explore};

/// Reads the bytes; if they are a net, writes it and reads it again. Nothing may be lost on the way.
pub fn there_and_back(format: Format, bytes: &[u8]) {
    let plain = |bytes: &[u8], format| read(bytes, format, &Options::default())?.into_plain();
    let Ok(net) = plain(bytes, format) else { return };
    let mut written = Vec::new();
    let warnings = write(&net, format, &mut written).expect("what was read in a format can be written in it");
    assert!(warnings.is_empty(), "what was read in a format fits into it: {warnings:?}");
    let again = plain(&written, format).expect("what was written can be read");
    assert_eq!(again, net);
    // The other formats may refuse, but not panic.
    for other in Format::ALL {
        let mut written = Vec::new();
        if write(&net, other, &mut written).is_ok() && other != Format::Dot {
            let again = plain(&written, other).expect("what was written can be read");
            assert_eq!(again.places().len(), net.places().len());
            assert_eq!(again.transitions().len(), net.transitions().len());
            assert_eq!(again.initial_marking(), net.initial_marking());
        }
    }
}

/// Places, transitions and arcs of unfoldings that are looked at, and states.
const NODES: usize = 5_000;
const STATES: u64 = 300;

/// Explores a coloured net on its own markings and unfolded. Where both come to an end, they have found the same.
///
/// Capacities and derived places may be broken on the way, which ends the first and is nothing to the second, and an
/// unfolding has transitions that stand for errors of the model: such nets are not compared.
pub fn both_engines_agree(net: &ColouredNet) {
    let limits = Limits { memory: 1 << 30, time: Some(Duration::from_secs(2)), states: Some(STATES) };
    let machine = Machine::new(net);
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let ours = coloured::explore(net, &machine, &ColouredPlan::default(), &mut control, &mut ());
    let questions = Cell::new(0);
    let go_on = || {
        questions.set(questions.get() + 1);
        questions.get() < 10_000
    };
    let Ok(unfolding) = net.unfold(&UnfoldLimits { nodes: NODES, go_on: &go_on }) else { return };
    if !ours.is_complete() || !unfolding.faults.is_empty() {
        return;
    }
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let theirs = explore(&unfolding.net, &Plan::default(), &mut control, &mut ());
    if theirs.stopped.is_none() {
        assert_eq!((ours.states, ours.counts.arcs), (theirs.states, theirs.counts.arcs));
    }
}
