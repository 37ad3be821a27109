//! The papers' nets and the business processes, as far as they fit the time of a test run. `cargo xtask answers`
//! has the rest.

use sweepnet_testkit::shared;
use xtask::counts;

#[test]
fn the_papers_nets_have_their_published_counts() {
    let Some(models) = shared::models() else { return };
    let compared = counts::papers(&models, 1_000_000);
    assert_eq!(compared.mismatches, Vec::<String>::new());
    assert!(compared.passed >= 12, "{} nets compared", compared.passed);
}

#[test]
fn business_processes_have_their_known_counts() {
    let Some(models) = shared::models() else { return };
    let compared = counts::processes(&models, 50_000);
    assert_eq!(compared.mismatches, Vec::<String>::new());
    assert!(compared.passed > 100, "{} nets compared", compared.passed);
}
