//! Production systems: parts and cards in many copies, so that few places hold many tokens.

use sweepnet_net::Net;

use super::{family, net};

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
    family(&format!("Kanban {n}"), &initial, &transitions)
}

/// The flexible manufacturing system with `n` parts of each of three kinds, and machines in 3, 1 and 2 copies
/// (Ciardo and Trivedi 1993).
pub fn fms(n: u64) -> Net {
    // Every place is named here, to have them in the order of the known files.
    let initial = [
        ("P1", n),
        ("P1wM1", 0),
        ("M1", 3),
        ("P1M1", 0),
        ("P1d", 0),
        ("P1s", 0),
        ("P1wP2", 0),
        ("P2", n),
        ("P2wM2", 0),
        ("M2", 1),
        ("P2M2", 0),
        ("P2d", 0),
        ("P2s", 0),
        ("P2wP1", 0),
        ("P12", 0),
        ("P12wM3", 0),
        ("M3", 2),
        ("P12M3", 0),
        ("P12s", 0),
        ("P3", n),
        ("P3M2", 0),
        ("P3s", 0),
    ];
    net(
        &format!("FMS {n}"),
        &initial,
        &[
            "tP1: P1 -> P1wM1",
            "tM1: P1wM1 M1 -> P1M1",
            "tP1M1: P1M1 -> P1d M1",
            "tP1e: P1d -> P1s",
            "tP1s: P1s -> P1",
            "tP1j: P1d -> P1wP2",
            "tP2: P2 -> P2wM2",
            "tM2: P2wM2 M2 -> P2M2",
            "tP2M2: P2M2 -> P2d M2",
            "tP2e: P2d -> P2s",
            "tP2s: P2s -> P2",
            "tP2j: P2d -> P2wP1",
            "tx: P1wP2 P2wP1 -> P12",
            "tP12: P12 -> P12wM3",
            "tM3: P12wM3 M3 -> P12M3",
            "tP12M3: P12M3 -> P12s M3",
            "tP12s: P12s -> P1 P2",
            "tP3: P3 -> P3M2",
            "tP3M2: P3M2 M2 -> P3s M2",
            "tP3s: P3s -> P3",
        ],
    )
}
