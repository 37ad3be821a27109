//! What condensed graphs cost, measured: bits per edge, time to build, speed of walking. Run with
//! `cargo test --release -p sweepnet-graph --test figures -- --ignored --nocapture`.

use std::ops::ControlFlow;
use std::time::Duration;

use sweepnet_colour::unfold::Limits;
use sweepnet_graph::{Builder, Components, Graph, walk};
use sweepnet_net::{Net, TransitionId};
use sweepnet_space::{Control, Observer, Plan, SearchChoice, StateId, explore};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::nets;

/// Time that this thread has used.
fn now() -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the system tells");
    let nanoseconds = schedule.split(' ').next().and_then(|field| field.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first field is a number"))
}

/// Wants edges, as the builder does, and does nothing with them.
struct Counting(u64);

impl Observer for Counting {
    fn wants_edges(&self) -> bool {
        true
    }

    fn edge(&mut self, _: StateId, _: TransitionId, _: StateId) {
        self.0 += 1;
    }
}

/// An example of the language, unfolded.
fn example(file: &str, n: i64) -> Net {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the example is there");
    let (model, _) = sweepnet_language::read(&text, &[("N".to_string(), n)]).expect("examples are right");
    let unfolding =
        model.net.unfold(&Limits { nodes: usize::MAX, go_on: &|| true }).expect("it has an unfolding");
    std::sync::Arc::unwrap_or_clone(unfolding.net)
}

/// Bits of the graph as a file.
fn file_bits(graph: &Graph) -> f64 {
    struct Length(u64);
    impl std::io::Write for Length {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut length = Length(0);
    graph.write(&mut length).expect("nothing is written");
    length.0 as f64 * 8.0
}

fn measure(name: &str, net: &Net, search: SearchChoice) {
    let plan = Plan { search, ..Plan::knowing(net, &Structure::of(net, Effort::for_net(net))) };
    let start = now();
    explore(net, &plan, &mut Control::unlimited(), &mut Counting(0));
    let exploring = now() - start;

    let mut control = Control::unlimited();
    let budget = control.budget().clone();
    let mut builder = Builder::new(net.transitions().len(), &budget);
    let start = now();
    let report = explore(net, &plan, &mut control, &mut builder);
    let searched = now() - start;
    let graph = builder.finish(report.stopped.is_none()).expect("there is memory");
    let building = now() - start;
    assert_eq!((graph.nodes(), graph.edges()), (report.states, report.counts.arcs));

    let bits = |n: u64| f64::from(n.max(2).next_power_of_two().trailing_zeros());
    let plain = bits(u64::from(graph.events())) + bits(graph.nodes());
    let edges = graph.edges() as f64;
    let per_edge = graph.bytes() as f64 * 8.0 / edges;
    let more = (building.as_secs_f64() - exploring.as_secs_f64()) * 1e9 / edges;
    println!(
        "{name}, {}: {} nodes, {} edges; {per_edge:.2} bits per edge ({:.0} % of {plain})",
        search.name(),
        graph.nodes(),
        graph.edges(),
        per_edge / plain * 100.0
    );
    println!("  {:.2} bits per edge in a file", file_bits(&graph) / edges);
    println!(
        "  explored in {exploring:.2?}, with the graph in {searched:.2?} + {:.2?}: {more:.1} ns per edge, {:.0} % more",
        building - searched,
        (building.as_secs_f64() / exploring.as_secs_f64() - 1.0) * 100.0
    );
    let start = now();
    let mut seen = 0u64;
    graph.scan(|_, edges| seen += edges.len() as u64);
    let scanning = now() - start;
    assert_eq!(seen, graph.edges());

    let start = now();
    let (mut nodes, mut tokens) = (0u64, 0u64);
    let whole = walk(&graph, net, &budget, &control.watch(), |_, marking| {
        nodes += 1;
        tokens = tokens.wrapping_add(marking.tokens()[0]);
        ControlFlow::Continue(())
    });
    let walking = now() - start;
    assert_eq!((whole.expect("there is memory"), nodes), (ControlFlow::Continue(()), graph.nodes()));
    println!(
        "  scanned in {scanning:.2?}, walked in {walking:.2?}: {:.1} million edges per second",
        edges / walking.as_secs_f64() / 1e6
    );
    let start = now();
    let components = Components::of(&graph, &budget, &control.watch()).expect("there is memory");
    println!("  {} components in {:.2?}", components.count(), now() - start);
}

#[test]
#[ignore = "takes a minute"]
fn figures_of_small_graphs() {
    for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
        measure("Kanban 4", &nets::kanban(4), search);
        measure("Database managers 10", &example("dbm.snet", 10), search);
        measure("Philosophers 10", &example("dining.snet", 10), search);
    }
}

#[test]
#[ignore = "takes some minutes and gigabytes"]
fn figures_of_large_graphs() {
    measure("Kanban 6", &nets::kanban(6), SearchChoice::BreadthFirst);
    measure("Philosophers 13", &example("dining.snet", 13), SearchChoice::BreadthFirst);
}
