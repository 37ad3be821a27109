//! Structure of real nets: those of the paper on T-semiflows, and all that lie beside the checkout.
#![allow(missing_docs)]

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use sweepnet_colour::unfold::Limits;
use sweepnet_formats::{Format, Model, Options, read};
use sweepnet_net::Net;
use sweepnet_structure::siphons::{minimal_siphons, minimal_traps};
use sweepnet_structure::sparse::SparseMatrix;
use sweepnet_structure::{
    Incidence, Integrality, Limit, Semiflows, hilbert_basis, integrality, place_semiflows,
    transition_semiflows,
};
use sweepnet_testkit::shared;

/// Unfoldings and nets larger than this are left to the benchmarks.
const NODES: usize = 10_000;

fn net_of(path: &Path) -> Option<Net> {
    let file = BufReader::new(File::open(path).ok()?);
    match read(file, Format::Pnml, &Options::default()).ok()?.model {
        Model::Plain(net) => Some(net),
        Model::Coloured(net) => {
            let limits = Limits { nodes: NODES, go_on: &|| true };
            net.unfold(&limits).ok().map(|unfolding| Net::clone(&unfolding.net))
        }
    }
}

#[test]
fn the_papers_nets_are_integral() {
    let Some(models) = shared::models() else { return };
    // Figure 3: minimal T-semiflows, and the window, which is the largest rank.
    for (name, count, window) in [
        ("kanban-2", 5, 8),
        ("fms-2", 4, 13),
        ("multipoll-2", 8, 5),
        ("csm-2", 4, 5),
        ("readers-writers-4", 2, 4),
        ("mesh2x2-2", 8, 5),
    ] {
        let net = net_of(&models.join("paper").join(name).with_extension("pnml")).expect(name);
        let semiflows = transition_semiflows(&net, Limit::default());
        assert!(semiflows.complete, "{name}");
        assert_eq!(semiflows.flows.len(), count, "{name}");
        assert_eq!(semiflows.flows.iter().map(|flow| flow.rank()).max(), Some(window), "{name}");
        let incidence = Incidence::of(&net);
        let verdict = integrality(&incidence, &semiflows, Limit::default(), &|| true);
        let Integrality::Integral(test) = verdict else { panic!("{name}: {verdict:?}") };
        println!("{name}: integral, because {}", test.words());
        let basis = hilbert_basis(&incidence, &semiflows, Limit::default(), &|| true);
        assert_eq!(basis, Ok(semiflows.flows), "{name}");
    }
}

fn check_semiflows(matrix: &SparseMatrix, semiflows: &Semiflows, name: &str) {
    for flow in &semiflows.flows {
        let weights = flow.weights.iter().map(|(i, w)| (*i, i128::from(*w)));
        assert_eq!(matrix.combine(weights), Some(vec![]), "{name}");
        assert!(flow.weights.iter().all(|(_, weight)| *weight > 0), "{name}");
    }
}

#[test]
fn semiflows_of_all_nets_solve_their_equations() {
    let Some(models) = shared::models() else { return };
    let in_folder = |folder: &str| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(models.join(folder)).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "pnml"))
            .collect()
    };
    let contest = shared::contest().into_iter().map(|instance| instance.model());
    let all = in_folder("paper").into_iter().chain(in_folder("formats")).chain(contest);
    // Large limits would take long on the large nets of the contest.
    let limit = Limit { rows: 500, work: 1_000_000, ..Limit::NONE };
    let mut checked = 0;
    for path in all {
        let Some(net) = net_of(&path).filter(|net| net.places().len() + net.transitions().len() <= NODES)
        else {
            continue;
        };
        let (name, incidence) = (path.display().to_string(), Incidence::of(&net));
        check_semiflows(incidence.by_place(), &place_semiflows(&net, limit), &name);
        let semiflows = transition_semiflows(&net, limit);
        check_semiflows(incidence.by_transition(), &semiflows, &name);
        for flow in hilbert_basis(&incidence, &semiflows, limit, &|| true).iter().flatten() {
            let weights = flow.weights.iter().map(|(i, w)| (*i, i128::from(*w)));
            assert_eq!(incidence.by_transition().combine(weights), Some(vec![]), "{name}");
        }
        for siphon in minimal_siphons(&net, limit, &|| true).sets {
            let inside = |place| siphon.binary_search(&place).is_ok();
            assert!(net.transition_ids().all(|t| {
                let needs =
                    || net.inputs().of(t).iter().chain(net.reads().of(t)).any(|arc| inside(arc.place));
                !net.outputs().of(t).iter().any(|arc| inside(arc.place)) || needs()
            }));
        }
        for trap in minimal_traps(&net, limit, &|| true).sets {
            let inside = |place| trap.binary_search(&place).is_ok();
            assert!(net.transition_ids().all(|t| {
                let takes = net.inputs().of(t).iter().chain(net.resets().of(t)).any(|arc| inside(arc.place));
                !takes || net.outputs().of(t).iter().any(|arc| inside(arc.place))
            }));
        }
        checked += 1;
    }
    println!("{checked} nets");
    assert!(checked > 20);
}
