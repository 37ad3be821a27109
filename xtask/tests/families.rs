//! The families of nets that the benchmark builds are those of the shared files.

use sweepnet_net::Net;
use sweepnet_testkit::{nets, shared};
use xtask::answers::read;

/// Ids, arcs and initial counts: everything but the name of the net.
fn same(ours: &Net, theirs: &Net) -> bool {
    let mut renamed = ours.clone();
    renamed.name.clone_from(&theirs.name);
    renamed == *theirs
}

#[test]
fn families_agree_with_the_papers_files() {
    let Some(models) = shared::models() else { return };
    for (file, net) in [("fms-2", nets::fms(2)), ("fms-4", nets::fms(4)), ("mesh2x2-2", nets::mesh(2))] {
        assert!(same(&net, &read(&models.join(format!("paper/{file}.pnml")))), "{file}");
    }
}
