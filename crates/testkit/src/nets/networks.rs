//! Computers that pass work on.

use sweepnet_net::Net;

use super::family;

/// The transitions of the mesh: the numbers of the places that each takes from, and gives to.
const MESH: [(&[u8], &[u8]); 32] = [
    (&[0, 3], &[2]),
    (&[1, 4], &[5]),
    (&[3, 28], &[6]),
    (&[3, 14], &[7]),
    (&[4, 13], &[8]),
    (&[4, 31], &[9]),
    (&[2], &[3, 10]),
    (&[5], &[4, 11]),
    (&[6], &[3, 16]),
    (&[7], &[1, 3]),
    (&[8], &[0, 4]),
    (&[9], &[4, 17]),
    (&[10], &[12]),
    (&[10], &[13]),
    (&[11], &[14]),
    (&[11], &[15]),
    (&[16, 19], &[18]),
    (&[17, 20], &[21]),
    (&[12, 19], &[22]),
    (&[19, 30], &[23]),
    (&[20, 29], &[24]),
    (&[15, 20], &[25]),
    (&[18], &[19, 26]),
    (&[21], &[20, 27]),
    (&[22], &[0, 19]),
    (&[23], &[17, 19]),
    (&[24], &[16, 20]),
    (&[25], &[1, 20]),
    (&[26], &[28]),
    (&[26], &[29]),
    (&[27], &[30]),
    (&[27], &[31]),
];

/// A mesh of two by two processors with `n` jobs each, which are done where they are or by a neighbour: the
/// net by which searches along T-semiflows were measured.
pub fn mesh(n: u64) -> Net {
    let names: Vec<String> = (0..32).map(|i| format!("x{i}")).collect();
    let tokens = |i: usize| match i {
        0 | 1 | 16 | 17 => n,
        3 | 4 | 19 | 20 => 1,
        _ => 0,
    };
    let initial: Vec<(&str, u64)> = names.iter().enumerate().map(|(i, p)| (p.as_str(), tokens(i))).collect();
    let side = |places: &[u8]| places.iter().map(|p| format!(" x{p}")).collect::<String>();
    let transition =
        |(t, (ins, outs)): (usize, &(&[u8], &[u8]))| format!("t{t}:{} ->{}", side(ins), side(outs));
    let transitions: Vec<String> = MESH.iter().enumerate().map(transition).collect();
    family(&format!("Mesh {n}"), &initial, &transitions)
}
