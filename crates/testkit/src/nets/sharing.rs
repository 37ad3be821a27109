//! Processes that want the same thing: forks, a document, the right to speak.

use sweepnet_net::Net;

use super::{family, net};

/// `n` philosophers who take their left fork first, and may die of hunger. With three local states of which an
/// eater must be followed by a thinker there are (1+√2)^n + (1-√2)^n states.
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
    family(&format!("Philosophers {n}"), &initial, &transitions)
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

/// `n` stations around which one token goes. A station rests, makes a message, waits, and sends it while it holds
/// the token; a station that does not send lets the token go by, whether or not it has a message.
///
/// Stations without the token are in three local states, the one that has it in four: 4n·3^(n-1) states, all of
/// which can be reached.
pub fn token_ring(n: usize) -> Net {
    let rest: Vec<String> = (0..n).map(|i| format!("rest{i}")).collect();
    let mut initial: Vec<(&str, u64)> = rest.iter().map(|p| (p.as_str(), 1)).collect();
    initial.push(("token0", 1));
    let transitions: Vec<String> = (0..n)
        .flat_map(|i| {
            let next = (i + 1) % n;
            [
                format!("start{i}: rest{i} -> make{i}"),
                format!("ready{i}: make{i} -> wait{i}"),
                format!("seize{i}: wait{i} token{i} -> send{i}"),
                format!("sent{i}: send{i} -> rest{i} token{next}"),
                format!("by{i}: token{i} -> token{next}"),
            ]
        })
        .collect();
    family(&format!("Token ring {n}"), &initial, &transitions)
}
