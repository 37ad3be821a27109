//! The token game, played through a pipe.

mod common;

use common::{Folder, example, run, run_with_input};

fn play(moves: &str) -> String {
    let model = example("producer-consumer.net").display().to_string();
    let run = run_with_input(&["simulate", &model], moves);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

#[test]
fn transitions_fire_by_number_and_by_name() {
    let by_number = play("1\nq\n");
    assert!(by_number.contains("step 1:"), "{by_number}");
    let by_name = play("produce\nput\nq\n");
    assert!(by_name.contains("step 2: ready free:2 full hungry"), "{by_name}");
}

#[test]
fn steps_can_be_undone_and_forgotten() {
    let undone = play("produce\nput\nu 2\nu\nq\n");
    assert!(undone.contains("This is the initial marking."), "{undone}");
    let reset = play("r 5\nreset\nt\n");
    assert!(reset.trim_end().ends_with("0  ready free:3 hungry"), "{reset}");
}

#[test]
fn mistakes_are_explained() {
    let text = play("put\n99\nfly\nu x\n?\n");
    for reason in [
        "put is not enabled: made has 0 of 1",
        "enabled transitions, from 1 on.",
        "'fly' is neither a transition nor a command",
        "'x' is not a number",
        "undo the last N steps",
    ] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
}

/// Unfolded for playing, or not where a capacity has to be watched.
fn play_coloured(capacity: &str, moves: &str) -> String {
    let folder = Folder::new();
    let text = format!(
        "type T = 1..12\nplace p: T {capacity} = {{ 1, 2 }}\nplace q: T {capacity}\nplace all_of: T {capacity} = all T\n\
         transition take(x) {{ in p: x; out q: x }}\ntransition many(x) {{ in all_of: x; out q: x }}\n"
    );
    let run = run_with_input(&["simulate", &folder.file("game.snet", text)], moves);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

#[test]
fn a_transition_that_can_fire_in_one_way_only_fires_by_its_name() {
    for capacity in ["", "capacity 0..20"] {
        let text = play_coloured(capacity, "take\ntake(x=1)\ntake\nf take\ntake(x=1)\nmany\nq\n");
        for said in [
            "take is enabled in several ways; say which: take(x=1), take(x=2)\n",
            "take(x=2): p(2) -1  q(2) +1\n",
            "take is not enabled, whatever its variables are\n",
            "take(x=1) is not enabled",
            "many(x=9), many(x=10), 2 more\n",
        ] {
            assert!(text.contains(said), "{said}: {text}");
        }
        assert!(text.contains("step 2:") && !text.contains("step 3:"), "{text}");
    }
}

#[test]
fn blanks_in_a_name_do_not_matter() {
    for capacity in ["", "capacity 0..20"] {
        let text = play_coloured(capacity, "f take(x = 1)\ntake( x=2 )\nf take (x = 2)\nf tak e\nq\n");
        for said in ["take(x=1): p(1) -1  q(1) +1\n", "take(x=2): p(2) -1  q(2) +1\n", "is not enabled"] {
            assert!(text.contains(said), "{said}: {text}");
        }
        assert!(text.contains("step 2:") && !text.contains("step 3:"), "{text}");
        assert!(text.contains("There is no transition 'tak e'."), "{text}");
    }
}

#[test]
fn a_play_can_be_written_and_played_again() {
    let folder = Folder::new();
    let path = folder.path("play.scn");
    let text = play(&format!("produce\nput\nw {path}\nq\n"));
    assert!(text.contains("2 steps written"), "{text}");
    let model = example("producer-consumer.net").display().to_string();
    let again = run(&["simulate", &model, "--replay", &path, "--random", "0", "--json"]).json();
    assert_eq!(again["trace"]["events"], serde_json::json!(["produce", "put"]));
}

#[test]
fn chance_is_the_same_for_the_same_seed() {
    let model = example("kanban.pnml").display().to_string();
    let random = |seed: &str| run(&["simulate", &model, "--random", "50", "--seed", seed]).stdout;
    assert_eq!(random("1"), random("1"));
    assert_ne!(random("1"), random("2"));
}

#[test]
fn steps_can_come_from_a_pipe() {
    let model = example("dbm.snet").display().to_string();
    let played = run_with_input(
        &["simulate", &model, "--replay", "-", "--json"],
        "{update(s=1)}\n{receive(s=1,r=2)}\n",
    );
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert_eq!(played.json()["trace"]["length"], 2);
    let wrong = run_with_input(&["simulate", &model, "--replay", "-", "--json"], "{update(s=9)}\n");
    assert!(wrong.stderr.contains("standard input: line 1"), "{}", wrong.stderr);
    let both = run(&["simulate", "-", "--replay", "-"]);
    assert!(both.stderr.contains("can be read only once"), "{}", both.stderr);
}

#[test]
fn what_is_wrong_with_a_model_is_shown_as_check_shows_it() {
    let folder = Folder::new();
    let text = "place p: 0..1 = 0\ntransition up(x) {\n  in p: x\n  out p: x + 1\n}\n";
    let model = folder.file("up.snet", text);
    let checked = run(&["check", &model, "-p", "deadlock-free"]).stdout;
    let (shown, _) = checked.split_once("  after 1 step").expect("it is told");
    assert!(
        shown.contains("up.snet:4:10: transition up(x=1) is enabled") && shown.contains("^^^^^"),
        "{shown}"
    );
    let random = run(&["simulate", &model, "--random", "5"]);
    assert_eq!((random.code, random.stderr.as_str()), (2, shown));
    let played = run_with_input(&["simulate", &model], "up\nup\nq\n");
    assert!(played.code == 0 && played.stdout.contains(shown), "{}", played.stdout);
    let replayed = run_with_input(&["simulate", &model, "--replay", "-"], "{up(x=0)} {up(x=1)}");
    assert!(replayed.code == 2 && replayed.stderr.contains(shown.trim_end()), "{}", replayed.stderr);
    let json = run(&["simulate", &model, "--random", "5", "--json"]).json();
    let error = &json["model_error"];
    assert_eq!(
        (&error["line"], &error["column"], &error["binding"]["x"]),
        (&4.into(), &10.into(), &"1".into())
    );
    assert_eq!(json["trace"]["length"], 1);
}
