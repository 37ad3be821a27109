//! The Model Checking Contest's protocol.

mod common;

use common::{Folder, Run, command, example, run};

/// An instance's folder with one of the examples as its model.
fn instance(name: &str) -> Folder {
    let folder = Folder::new();
    let model = folder.path("model.pnml");
    let run = run(&["convert", &example(name).display().to_string(), "-o", &model]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    folder
}

/// The first three words of each line of an examination.
fn examine(folder: &Folder, examination: &str) -> Vec<String> {
    let run = run(&["mcc", examination, &folder.path("")]);
    assert_eq!(run.code, 0, "always");
    run.stdout.lines().map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn global_questions_are_answered_in_the_contests_words() {
    let folder = instance("philosophers.pnml");
    assert_eq!(
        examine(&folder, "StateSpace"),
        [
            "STATE_SPACE STATES 82",
            "STATE_SPACE TRANSITIONS 265",
            "STATE_SPACE MAX_TOKEN_PER_MARKING 10",
            "STATE_SPACE MAX_TOKEN_IN_PLACE 1"
        ]
    );
    assert_eq!(examine(&folder, "ReachabilityDeadlock"), ["FORMULA ReachabilityDeadlock TRUE"]);
    assert_eq!(examine(&folder, "OneSafe"), ["FORMULA OneSafe TRUE"]);
    assert_eq!(examine(&folder, "QuasiLiveness"), ["FORMULA QuasiLiveness TRUE"]);
    assert_eq!(examine(&folder, "Liveness"), ["FORMULA Liveness FALSE"]);
    assert_eq!(examine(&folder, "StableMarking"), ["FORMULA StableMarking FALSE"]);
}

#[test]
fn formulas_are_answered_one_by_one() {
    let folder = instance("philosophers.pnml");
    let formula = |id: &str, body: &str| {
        format!("<property><id>{id}</id><description>?</description><formula>{body}</formula></property>")
    };
    let count = |place: &str| format!("<tokens-count><place>{place}</place></tokens-count>");
    let less = |a: &str, b: &str| format!("<integer-le>{a}{b}</integer-le>");
    let one = "<integer-constant>1</integer-constant>";
    let two = "<integer-constant>2</integer-constant>";
    let text = [
        formula(
            "F-0",
            &format!("<all-paths><globally>{}</globally></all-paths>", less(&count("eating1"), one)),
        ),
        formula(
            "F-1",
            &format!("<exists-path><finally>{}</finally></exists-path>", less(two, &count("eating1"))),
        ),
        formula(
            "F-2",
            &format!(
                "<all-paths><globally><exists-path><finally>{}</finally></exists-path></globally></all-paths>",
                less(one, &count("eating1"))
            ),
        ),
    ];
    let xml = format!(
        "<?xml version=\"1.0\"?><property-set xmlns=\"http://mcc.lip6.fr/\">{}</property-set>",
        text.concat()
    );
    for examination in ["ReachabilityCardinality", "CTLCardinality"] {
        folder.file(&format!("{examination}.xml"), &xml);
        let mut lines = examine(&folder, examination);
        lines.sort();
        assert_eq!(lines, ["FORMULA F-0 TRUE", "FORMULA F-1 FALSE", "FORMULA F-2 FALSE"]);
    }
}

#[test]
fn infinity_has_a_word() {
    let folder = instance("unbounded-producer.lola");
    let lines = examine(&folder, "StateSpace");
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line.ends_with(" +inf")), "{lines:?}");
}

#[test]
fn what_cannot_be_done_is_said_and_the_exit_code_is_0() {
    let folder = instance("philosophers.pnml");
    assert_eq!(examine(&folder, "Divination"), ["DO_NOT_COMPETE"]);
    assert_eq!(examine(&folder, "CTLCardinality"), ["CANNOT_COMPUTE"], "there is no such file");
    assert_eq!(examine(&folder, "ReachabilityFireability"), ["CANNOT_COMPUTE"], "there is no such file");
    assert_eq!(examine(&Folder::new(), "StateSpace"), ["CANNOT_COMPUTE"]);
}

#[test]
fn the_contests_limits_are_kept() {
    let folder = Folder::new();
    folder.net("model.pnml", &sweepnet_testkit::nets::kanban(60));
    let mut command = command(&["mcc", "StateSpace", &folder.path("")]);
    let run: Run = command.env("BK_MEMORY_CONFINEMENT", "40").output().expect("it runs").into();
    assert_eq!((run.code, run.stdout.as_str()), (0, "CANNOT_COMPUTE\n"));
    assert!(run.stderr.contains("memory budget"), "{}", run.stderr);
}
