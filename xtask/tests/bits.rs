//! What a state takes in the sets of the contest's small nets. `cargo xtask bits` has larger ones.

use sweepnet_testkit::shared;
use xtask::bits;

#[test]
fn small_nets_of_the_contest_take_no_more_bits_than_promised() {
    if shared::models().is_none() {
        return;
    }
    let (mut in_ranks, mut broken) = (0, Vec::new());
    bits::each(50_000, "", |name, states, bits| {
        in_ranks += 1;
        broken.extend(bits.are_too_many().then(|| format!("{name}, {states} states: {bits:?}")));
    });
    assert_eq!(broken, Vec::<String>::new());
    assert!(in_ranks >= 50, "{in_ranks} nets in ranks");
}
