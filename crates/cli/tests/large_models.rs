//! What is prepared before the first state keeps the limits, however large the model.

mod common;

use std::fmt::Write as _;
use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{Folder, Run, command};

/// Runs the command; nobody waits for ever. What it prints may be long, so it goes into a file.
fn run_to_its_end(folder: &Folder, args: &[&str]) -> Run {
    let path = folder.path("output");
    let output = File::create(&path).expect("a file");
    let mut child = command(args).stdout(output).stderr(Stdio::null()).spawn().expect("the command runs");
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status.code().unwrap_or(-1);
        }
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            panic!("{args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Run { code, stdout: std::fs::read_to_string(path).expect("UTF-8"), stderr: String::new() }
}

/// A token goes round a ring of stations; whoever has it may enter.
fn plain_ring(stations: usize) -> String {
    let mut text = String::from("net ring\npl at0 (1)\npl free (1)\n");
    for i in 0..stations {
        let next = (i + 1) % stations;
        let _ = write!(
            text,
            "pl idle{i} (1)\n\
             tr request{i} idle{i} -> want{i}\n\
             tr enter{i} want{i} at{i} free -> critical{i} busy\n\
             tr leave{i} critical{i} busy -> done{i} free\n\
             tr pass{i} done{i} -> idle{i} at{next}\n\
             tr skip{i} idle{i} at{i} -> idle{i} at{next}\n"
        );
    }
    text
}

/// The same with colours.
fn coloured_ring(stations: usize) -> String {
    format!(
        "net \"ring\"\n\
         type Station = cyclic 1..{stations}\n\
         place at: Station = {{ 1 }}\n\
         place idle: Station = all Station\n\
         place want, critical, done: Station\n\
         place free: unit = {{ () }}\n\
         place busy: unit\n\
         transition request(i) {{ in idle: i; out want: i }}\n\
         transition enter(i) {{ in want: i; in at: i; in free: (); out critical: i; out busy: () }}\n\
         transition leave(i) {{ in critical: i; in busy: (); out done: i; out free: () }}\n\
         transition pass(i) {{ in done: i; out idle: i; out at: succ(i) }}\n\
         transition skip(i) {{ in at: i; read idle: i; out at: succ(i) }}\n"
    )
}

#[test]
fn a_net_of_a_hundred_thousand_places_keeps_its_memory_and_time() {
    let folder = Folder::new();
    let plain = folder.file("ring.net", plain_ring(20_000));
    let coloured = folder.file("ring.snet", coloured_ring(20_000));
    for model in [&plain, &coloured] {
        let run = run_to_its_end(
            &folder,
            &["explore", model, "--memory", "300M", "--time", "10s", "--json", "--quiet"],
        );
        assert!([0, 3].contains(&run.code), "{model}: {}", run.code);
        let peak = run.json()["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= 330 << 20, "{model}: {peak} bytes");
    }
}

/// A transition with a hundred million candidates, none of which passes.
const BINDINGS: &str = "net \"bindings\"\n\
    type Number = 1..100\n\
    place number: Number = all Number\n\
    place ready: unit = { () }\n\
    transition never(a, b, c, d) {\n\
      in ready: ()\n\
      read number: a\n\
      read number: b\n\
      read number: c\n\
      read number: d\n\
      out ready: ()\n\
      when a + b + c + d > 400\n\
    }\n";

#[test]
fn time_ends_a_run_among_the_bindings_of_one_state() {
    let folder = Folder::new();
    let model = folder.file("bindings.snet", BINDINGS);
    for engine in ["auto", "coloured", "unfolded"] {
        for search in ["bfs", "dfs"] {
            let run = run_to_its_end(
                &folder,
                &["explore", &model, "--engine", engine, "--search", search, "--time", "1s", "--json"],
            );
            assert_eq!(run.code, 3, "{engine}, {search}");
            assert_eq!(run.json()["reason"], "time", "{engine}, {search}");
        }
    }
}
