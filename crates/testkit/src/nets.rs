//! Families of nets from the literature, by what they model, and the notation that they are written in.
//!
//! [`manufacturing`] has production systems with many tokens in few places, [`sharing`] has processes that want
//! the same thing, [`networks`] has computers that pass work on, [`mod@railway`] has a wide net with few tokens,
//! [`assembly`] one whose width changes nothing else.

pub mod assembly;
pub mod manufacturing;
pub mod networks;
pub mod railway;
pub mod sharing;

pub use assembly::assembly_line;
pub use manufacturing::{fms, kanban};
pub use networks::mesh;
pub use railway::railway;
pub use sharing::{philosophers, readers_writers, token_ring};

use sweepnet_net::{Net, NetBuilder};

/// A net from lines like `t: a 2*b -> c`, and initial counts. Places appear in order of first mention, those
/// of `initial` first. `o-a` before a name is an inhibitor arc, `?a` a read arc, `x-a` a reset arc.
///
/// # Panics
/// On a line that is not of that form: this is for tests.
pub fn net(name: &str, initial: &[(&str, u64)], transitions: &[&str]) -> Net {
    let mut net = NetBuilder::new(name);
    for (place, count) in initial {
        net.place(place, *count).expect("places are different");
    }
    for line in transitions {
        let (t, arcs) = line.split_once(':').expect("a name and a colon");
        let t = net.transition(t.trim()).expect("transitions are different");
        let (ins, outs) = arcs.split_once("->").expect("an arrow");
        for (side, is_input) in [(ins, true), (outs, false)] {
            for word in side.split_whitespace() {
                let (weight, arc) = match word.split_once('*') {
                    Some((weight, arc)) => (weight.parse().expect("a weight"), arc),
                    None => (1, word),
                };
                let name = arc.trim_start_matches("o-").trim_start_matches("x-").trim_start_matches('?');
                let place = net.find_place(name);
                let place = place.unwrap_or_else(|| net.place(name, 0).expect("it is not there yet"));
                match arc {
                    _ if arc.starts_with("o-") => net.inhibitor(t, place, weight),
                    _ if arc.starts_with("x-") => net.reset(t, place),
                    _ if arc.starts_with('?') => net.read(t, place, weight),
                    _ if is_input => net.input(t, place, weight),
                    _ => net.output(t, place, weight),
                }
                .expect("weights are positive");
            }
        }
    }
    net.build().expect("weights are small")
}

/// The same from lines that were made.
fn family(name: &str, initial: &[(&str, u64)], transitions: &[String]) -> Net {
    net(name, initial, &transitions.iter().map(String::as_str).collect::<Vec<_>>())
}
