//! `explore --sizes` tells the bytes of the paper's tables, for its model as it is there: dbm.snet with the capacities of the
//! paper and, in Table 1, with a place for messages that are not under way.

mod common;

use common::{Folder, example, run};

/// Tables 1 and 2 of multi-set-encoding: |D|, then the columns MARIA, (cap.) and (red.) with the place `unused`, then
/// without it.
const SIZES: [(u64, [u64; 3], [u64; 3]); 6] = [
    (1, [4, 2, 2], [4, 2, 2]),
    (2, [28, 15, 9], [21, 14, 9]),
    (3, [223, 168, 86], [150, 111, 86]),
    (4, [1_403, 1_090, 414], [724, 543, 414]),
    (5, [8_439, 7_487, 2_396], [3_565, 3_159, 2_396]),
    (6, [46_109, 42_292, 10_807], [15_725, 14_266, 10_807]),
];

const UNUSED: &str = "
place unused: Message capacity 1 + N * N - 2 * N, N * N - N
  derived { (s, r) for s in Site, r in Site if s != r } - sent - received - acknowledged
";

/// The example with some parts replaced; all of them have to be there.
fn rewritten(model: &str, parts: &[(&str, &str)]) -> String {
    parts.iter().fold(model.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

#[test]
fn the_command_tells_the_sizes_of_the_paper() {
    let folder = Folder::new();
    let model = std::fs::read_to_string(example("dbm.snet")).expect("the example is there");
    let capacities = [
        ("acknowledged: Message\n", "acknowledged: Message capacity 0..N - 1\n"),
        ("inactive: Site derived", "inactive: Site capacity 0..N derived"),
        ("exclusion: unit derived", "exclusion: unit capacity 0..1 derived"),
    ];
    let without = rewritten(&model, &capacities);
    let unused = [
        ("  out sent: messages(s)", "  out sent: messages(s)\n  in unused: messages(s)"),
        ("  in acknowledged: messages(s)", "  in acknowledged: messages(s)\n  out unused: messages(s)"),
    ];
    let with = rewritten(&without, &unused) + UNUSED;
    let (with, without) = (folder.file("with.snet", with), folder.file("without.snet", without));
    for (sites, table_1, table_2) in SIZES {
        for (path, [plain, capacities, derived]) in [(&with, table_1), (&without, table_2)] {
            let parameter = format!("N={sites}");
            let told = run(&["explore", path, "--set", &parameter, "--sizes", "--json"]).json();
            let paper = serde_json::json!({ "plain": plain, "capacities": capacities, "derived": derived });
            assert_eq!(told["sizes"], paper, "{parameter}, {path}");
        }
    }
}
