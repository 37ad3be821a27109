//! Families of nets from the literature.

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

/// Kanban with `n` cards in each of four cells (Ciardo and Tilgner 1996).
pub fn kanban(n: u64) -> Net {
    let mut transitions = vec!["Tin1: Pkan1 -> Pm1".to_owned()];
    for i in 1..=4 {
        transitions.push(format!("Tredo{i}: Pm{i} -> Pback{i}"));
        transitions.push(format!("Tback{i}: Pback{i} -> Pm{i}"));
        transitions.push(format!("Tok{i}: Pm{i} -> Pout{i}"));
    }
    transitions.push("Tsynch1_23: Pout1 Pkan2 Pkan3 -> Pkan1 Pm2 Pm3".into());
    transitions.push("Tsynch4_23: Pout2 Pout3 Pkan4 -> Pkan2 Pkan3 Pm4".into());
    transitions.push("Tout4: Pout4 -> Pkan4".into());
    let initial = [("Pkan1", n), ("Pkan2", n), ("Pkan3", n), ("Pkan4", n)];
    net(&format!("Kanban {n}"), &initial, &transitions.iter().map(String::as_str).collect::<Vec<_>>())
}

/// `n` philosophers who take their left fork first, and may die of hunger.
pub fn philosophers(n: usize) -> Net {
    let places: Vec<String> = (0..n).flat_map(|i| [format!("think{i}"), format!("fork{i}")]).collect();
    let initial: Vec<(&str, u64)> = places.iter().map(|p| (p.as_str(), 1)).collect();
    let transitions: Vec<String> = (0..n)
        .flat_map(|i| {
            let right = (i + 1) % n;
            [
                format!("left{i}: think{i} fork{i} -> hungry{i}"),
                format!("right{i}: hungry{i} fork{right} -> eat{i}"),
                format!("down{i}: eat{i} -> think{i} fork{i} fork{right}"),
            ]
        })
        .collect();
    net(&format!("Philosophers {n}"), &initial, &transitions.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Readers and writers (the version with an inhibitor arc): C(n+4,4) + C(n+2,3) states.
pub fn readers_writers(n: u64) -> Net {
    net(
        &format!("Readers-Writers {n}"),
        &[("p1", n), ("p5", 1)],
        &[
            "t1: p1 -> p2",
            "t2: p2 -> p3",
            "t3: p2 -> p4",
            "t4: p3 p5 -> p6 p5",
            "t5: p4 p5 o-p6 -> p7",
            "t6: p6 -> p1",
            "t7: p7 -> p5 p1",
        ],
    )
}
