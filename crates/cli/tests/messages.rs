//! Every message of the command line itself, to be read by a person: see `snapshots/`. (Messages of the parsers
//! have their own tests, beside the parsers.)

mod common;

use common::{Folder, example, run, run_with_input};
use sweepnet_testkit::nets;

/// Runs commands and notes what each says, with paths that change from run to run made plain.
struct Notes {
    folder: Folder,
    text: String,
}

impl Notes {
    fn new() -> Self {
        Self { folder: Folder::new(), text: String::new() }
    }

    fn note(&mut self, args: &[&str]) {
        let run = run_with_input(args, "");
        let root = example("").display().to_string();
        let plain = |text: &str| {
            let text = text.replace(&root, "").replace(&self.folder.path(""), "FOLDER/");
            text.replace(env!("CARGO_BIN_EXE_sweepnet"), "sweepnet")
        };
        let line = args.iter().map(|arg| plain(arg)).collect::<Vec<_>>().join(" ");
        let said = if run.stderr.is_empty() { run.stdout } else { run.stderr };
        self.text.push_str(&format!("$ sweepnet {line}\n{}? {}\n\n", plain(&said), run.code));
    }
}

#[test]
fn usage_and_input() {
    let mut notes = Notes::new();
    let net = example("philosophers.pnml").display().to_string();
    let timed = example("timed.snet").display().to_string();
    let inhibitors = example("readers-writers.net").display().to_string();
    let folder = notes.folder.path("");
    let missing = notes.folder.path("missing.pnml");
    let empty = notes.folder.file("empty", "");
    let unclear = notes.folder.file("unclear", "what is this");
    let binary = notes.folder.file("binary.props", [0xFFu8, 0xFE, 0x00]);
    let none = notes.folder.file("none.props", "// nothing here\n");
    let formula = "<property-set><property><id>F</id><description/><formula><is-live><transition>take_left1</transition><level>l4</level></is-live></formula></property></property-set>";
    let levels = notes.folder.file("levels.xml", formula);
    let steps = notes.folder.file("steps.scn", "take_left1 take_left1");
    let nowhere = notes.folder.path("nowhere/x.dot");
    let unknown = format!("@{}", notes.folder.file("unknown.txt", "eating1\n\neating9\n"));
    let twice = format!("@{}", notes.folder.file("twice.txt", "eating1 eating2\neating1\n"));
    let no_text = format!("@{binary}");
    let no_file = format!("@{}", notes.folder.path("missing.txt"));
    let running = notes.folder.net("running.pnml", &nets::net("running", &[("p", 1)], &["t: p -> p q"]));
    let aut = notes.folder.path("graph.aut");
    for args in [
        &["check", &net][..],
        &["check", "-", "-P", "-"],
        &["check", &missing, "--deadlock"],
        &["check", &folder, "--deadlock"],
        &["check", &net, "-P", &folder],
        &["check", &net, "-P", &missing],
        &["check", &net, "-P", &binary],
        &["check", &net, "-P", &none],
        &["check", &net, "-P", &levels],
        &["check", &net, "-p", "invariant #eating9 <= 1", "-p", "reachable #take_left1 = 1"],
        &["explore", &empty],
        &["explore", &unclear],
        &["explore", &net, "--net", "another"],
        &["explore", &net, "--memory", "lots"],
        &["explore", &net, "--memory", "99999999999G"],
        &["explore", &net, "--time", "soon"],
        &["explore", &net, "--time", "0"],
        &["explore", &net, "--states", "none"],
        &["explore", &net, "--states", "0"],
        &["explore", &net, "--threads", "0"],
        &["explore", &net, "--threads", "257"],
        &["explore", &net, "--threads", "many"],
        &["explore", &net, "--codec", "best"],
        &["explore", &net, "--store", "best"],
        &["explore", &net, "--partition", "best"],
        &["explore", &net, "--partition", "file:0"],
        &["explore", &net, "--partition", "@"],
        &["explore", &net, "--partition", &no_file],
        &["explore", &net, "--partition", &no_text],
        &["explore", &net, "--partition", &unknown],
        &["explore", &net, "--partition", &twice],
        &["explore", &net, "--partition", "units"],
        &["check", &net, "--deadlock", "--partition", "units"],
        &["info", &net, "--partition", &unknown],
        &["explore", &running, "--partition", "semiflows"],
        &["explore", &net, "--store", "bitmap", "--search", "dfs"],
        &["check", &net, "--deadlock", "--store", "quotient", "--codec", "fields"],
        &["graph", &net, "-o", &aut, "--store", "quotient"],
        &["explore", &net, "--threads", "2", "--search", "dfs"],
        &["explore", &net, "--threads", "2", "--codec", "plain"],
        &["graph", &net, "-o", &aut, "--threads", "2"],
        &["mcc", "StateSpace", &folder, "--threads", "2", "--search", "dfs"],
        &["explore", &net, "--partition", "one", "--codec", "fields"],
        &["convert", &net, "-o", "net.docx"],
        &["convert", &inhibitors, "-o", &notes.folder.path("net.lola")],
        &["convert", &net, "-o", &nowhere],
        &["graph", &net, "-o", &nowhere],
        &["graph", &net, "-o", &folder],
        &["graph", &net, "-o", "graph.png"],
        &["graph", &net, "-o", "graph.aut", "--condensed"],
        &["simulate", &net, "--replay", &missing],
        &["simulate", &net, "--replay", &steps],
        &["explore", &net, "--progress", "#eating1"],
        &["explore", &net, "--search", "dfs", "--monotone"],
        &["explore", &net, "--search", "sweep", "--no-spool", "--spool", &folder],
        &["explore", &net, "--search", "sweep", "--spool", &missing],
        &["explore", &net, "--search", "sweep", "--store", "bitmap"],
        &["explore", &net, "--search", "sweep", "--threads", "2"],
        &["explore", &net, "--search", "sweep", "--progress", "#eating1 + #eating9"],
        &["explore", &net, "--search", "sweep", "--progress", "-#eating1", "--plot", &nowhere],
        &["graph", &timed, "-o", &notes.folder.path("graph.swg")],
        &["query", &missing],
        &["query", &net],
        &["mcc", "Guessing", &folder],
        &["mcc", "StateSpace", &folder],
    ] {
        notes.note(args);
    }
    insta::assert_snapshot!("usage_and_input", notes.text);
}

#[test]
fn models_in_the_language() {
    let mut notes = Notes::new();
    let net = example("philosophers.pnml").display().to_string();
    let text = "param N = 3\nparam lossy = false\ntype T = 1..N\nplace queue: T = all T\nplace lost: T\n\
                transition lose(x) { in queue: x; out lost: x; when lossy }\n";
    let model = notes.folder.file("model.snet", text);
    let guards = notes.folder.file(
        "guards.snet",
        "place p: unit = ()\ntransition t { in p: (); when false }\ntransition u { in p: (); when 1 < 2 }\n",
    );
    for args in [
        &["explore", &model, "--set", "X=3"][..],
        &["explore", &guards, "--set", "X=3", "-q"],
        &["explore", &model, "--set", "N=true"],
        &["explore", &model, "--set", "lossy=7"],
        &["explore", &model, "--set", "N"],
        &["explore", &model, "--set", "N="],
        &["explore", &model, "--set", "=3"],
        &["explore", &model, "--set", "N=many"],
        &["explore", &net, "--set", "N=3"],
        &["check", &model, "-p", "invariant #qeuue <= 3"],
        &["check", &model, "-p", "invariant #qeuue(1) <= 3"],
        &["check", &model, "-p", "invariant qeuue(1) <= 3"],
        &["check", &model, "-p", "invariant sum x in T: queue(x) = 3"],
        &["check", &model, "-p", "invariant forall x in 0..99999999: x >= 0"],
        &["check", &model, "-p", ""],
        &["explore", &net, "--sizes"],
        &["explore", &model, "--sizes", "--engine", "unfolded"],
        &["explore", &model, "--sizes", "--codec", "fields"],
        &["lint", &guards],
    ] {
        notes.note(args);
    }
    insta::assert_snapshot!("models_in_the_language", notes.text);
}

#[test]
fn endings_before_the_end() {
    let mut notes = Notes::new();
    let counter = nets::net("counter", &[("p", u64::MAX - 2), ("q", 1)], &["up: q -> q p"]);
    let full = notes.folder.net("full.pnml", &counter);
    let chain = nets::net("chain", &[("p", 3_000), ("q", 0)], &["step: p -> q"]);
    let chain = notes.folder.net("chain.pnml", &chain);
    let kanban = example("kanban.pnml").display().to_string();
    let unbounded = example("unbounded-producer.lola").display().to_string();
    for args in [
        &["check", &kanban, "-p", "invariant #Pm1 + #Pm4 <= 5", "--states", "10", "-q"][..],
        &["check", &kanban, "-p", "invariant #Pm1 + #Pm4 <= 5", "--time", "1ms", "-q"],
        &["check", &kanban, "-p", "bound 170141183460469231731687303715884105727 * #Pm1", "-q"],
        &["check", &unbounded, "-p", "deadlock-free", "-q"],
        &["check", &unbounded, "-p", "bound #buffer", "-q"],
        &["check", &full, "-p", "invariant #p > 0", "-q", "--unbounded", "continue"],
        &["graph", &chain, "-o", &notes.folder.path("chain.dot")],
    ] {
        notes.note(args);
    }
    insta::assert_snapshot!("endings_before_the_end", notes.text);
}

#[test]
fn too_little_memory_to_begin() {
    let run = run(&["explore", &example("kanban.pnml").display().to_string(), "--memory", "1M"]);
    assert_eq!(run.code, 3);
    assert!(
        run.stdout.starts_with("stopped before the first state: the net and the program take "),
        "{}",
        run.stdout
    );
}

#[test]
fn a_question_whose_name_is_misspelt_brings_near_names() {
    let model = example("dbm.snet").display().to_string();
    let asked = run(&["check", &model, "-p", "exclusiv"]);
    assert_eq!(asked.code, 2);
    assert!(asked.stderr.contains("did you mean 'exclusive'?"), "{}", asked.stderr);
}

#[test]
fn errors_of_foreign_files_show_the_line() {
    let folder = Folder::new();
    let net = |marking: &str| {
        format!(
            "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\n  \
             <place id=\"p\"><initialMarking><text>{marking}</text></initialMarking></place>\n</page></net></pnml>\n"
        )
    };
    let path = folder.file("net.pnml", net("-1"));
    let told = run(&["explore", &path]);
    assert_eq!(told.code, 2);
    let message = "the initial marking of place 'p' is -1; expected a number that is not negative";
    let line = "  <place id=\"p\"><initialMarking><text>-1</text></initialMarking></place>";
    let carets = format!("{}{}", " ".repeat(line.find("<text>").unwrap_or(0)), "^".repeat("<text>".len()));
    assert_eq!(told.stderr, format!("error: {path}:2:33: {message}\n  |\n2 | {line}\n  | {carets}\n"));
    // What came through a pipe can't be read again.
    let told = run_with_input(&["explore", "-", "--format", "pnml"], &net("-1"));
    assert_eq!(told.stderr, format!("error: standard input:2:33: {message}\n"));
    let path = folder.file("net.net", "net n\ntr t p*0 -> q\n");
    let told = run(&["explore", &path]);
    assert!(told.stderr.ends_with("^\n"), "{}", told.stderr);
}
