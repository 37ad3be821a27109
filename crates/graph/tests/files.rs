//! Saved graphs: what is written is read again, and nothing else is.

use rapidhash::v3::rapidhash_v3;
use sweepnet_graph::{Builder, Description, FileError, Graph};
use sweepnet_space::Budget;
use sweepnet_testkit::random::Random;

fn graph(seed: u64, nodes: u64) -> Graph {
    let mut random = Random::new(seed);
    let mut builder = Builder::new(5, &Budget::of(1 << 30));
    for source in 0..nodes {
        for event in 0..5 {
            if random.one_in(2) {
                builder.edge(source, event, random.below(nodes + 3));
            }
        }
        if source == 0 {
            (0..3).for_each(|more| builder.edge(0, 0, nodes + more));
        }
        // The last one is left open.
        if source + 1 < nodes {
            builder.expanded(source);
        }
    }
    let events = (0..5).map(|event| format!("event {event} ä")).collect();
    let (name, search, note) = ("a net".into(), "bfs".into(), r#"{"file":"a.pnml"}"#.into());
    let description = Description { model: seed, name, search, exact: seed.is_multiple_of(2), events, note };
    builder.finish(false).expect("there is memory").described(description)
}

fn same(a: &Graph, b: &Graph) -> bool {
    let sizes = |g: &Graph| (g.nodes(), g.edges(), g.events(), g.expanded_nodes(), g.is_complete());
    let edges = |g: &Graph| {
        let mut edges = Vec::new();
        g.scan(|node, out| edges.extend(out.iter().map(|edge| (node, *edge))));
        edges
    };
    let expanded = (0..a.nodes()).all(|node| a.is_expanded(node) == b.is_expanded(node));
    sizes(a) == sizes(b) && a.description == b.description && expanded && edges(a) == edges(b)
}

fn bytes_of(graph: &Graph) -> Vec<u8> {
    let mut bytes = Vec::new();
    graph.write(&mut bytes).expect("memory is written to");
    bytes
}

fn open(bytes: &[u8]) -> Result<Graph, FileError> {
    let file = tempfile::NamedTempFile::new().expect("there is a place for files");
    std::fs::write(file.path(), bytes).expect("it can be written");
    Graph::open(file.path())
}

#[test]
fn what_is_written_is_read_again() {
    for (seed, nodes) in [(1, 1), (2, 40), (3, 1000), (4, 50_000)] {
        let graph = graph(seed, nodes);
        let bytes = bytes_of(&graph);
        let opened = open(&bytes).unwrap_or_else(|error| panic!("{nodes}: {error}"));
        assert!(same(&graph, &opened), "{nodes} nodes");
        assert_eq!(bytes_of(&opened), bytes, "what is opened can be saved again");
    }
    let empty = Builder::new(0, &Budget::of(1 << 20)).finish(false).expect("there is memory");
    assert!(same(&empty, &open(&bytes_of(&empty)).expect("it is whole")));
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let bytes = bytes_of(&graph(7, 40));
    let file = tempfile::NamedTempFile::new().expect("there is a place for files");
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(file.path(), &damaged).expect("it can be written");
        assert!(Graph::open(file.path()).is_err(), "bit {bit}");
    }
    for len in 0..bytes.len() {
        std::fs::write(file.path(), &bytes[..len]).expect("it can be written");
        assert!(Graph::open(file.path()).is_err(), "{len} bytes");
    }
    let longer = [&bytes[..], &[0; 8]].concat();
    assert!(matches!(open(&longer), Err(FileError::Size { .. })));
}

/// The checksum of bytes in pieces.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(1 << 16).fold(0, |sum, piece| {
        let both = [sum, rapidhash_v3(piece)].map(u64::to_le_bytes);
        rapidhash_v3(both.as_flattened())
    })
}

#[test]
fn forged_checksums_do_no_harm() {
    let bytes = bytes_of(&graph(7, 200));
    let word =
        |bytes: &[u8], i: usize| u64::from_le_bytes(bytes[i * 8..][..8].try_into().expect("eight bytes"));
    let body = (18 + word(&bytes, 11) as usize) * 8;
    let file = tempfile::NamedTempFile::new().expect("there is a place for files");
    let mut opened = 0;
    for seed in 0..5000 {
        let mut random = Random::new(seed);
        let mut forged = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let from = if random.one_in(3) { 32 } else { body };
            let at = from + random.below((bytes.len() - from) as u64) as usize;
            forged[at] =
                if random.one_in(2) { forged[at] ^ 1 << random.below(8) } else { random.below(256) as u8 };
        }
        let sum = checksum(&forged[body..]);
        forged[24..32].copy_from_slice(&sum.to_le_bytes());
        forged[16..24].fill(0);
        let both = [0, rapidhash_v3(&forged[..body])].map(u64::to_le_bytes);
        let sum = rapidhash_v3(both.as_flattened());
        forged[16..24].copy_from_slice(&sum.to_le_bytes());
        std::fs::write(file.path(), &forged).expect("it can be written");
        if let Ok(graph) = Graph::open(file.path()) {
            opened += 1;
            graph.scan(|_, edges| {
                assert!(edges.iter().all(|edge| edge.target < graph.nodes()), "seed {seed}")
            });
        }
    }
    assert!(opened > 0, "some differences are only in names or lead to other nodes");
}

#[test]
fn other_files_are_told_from_graphs() {
    assert!(matches!(open(b""), Err(FileError::Foreign)));
    assert!(matches!(open(&[b'x'; 1000]), Err(FileError::Foreign)));
    let mut newer = bytes_of(&graph(7, 40));
    newer[8] = 9;
    let error = open(&newer).expect_err("it is too new");
    assert!(error.to_string().contains("newer version (its format is 9, this one reads 1)"), "{error}");
    assert!(matches!(Graph::open("/nowhere/at all"), Err(FileError::Io(_))));
}
