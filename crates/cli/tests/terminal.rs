//! What only a person at a terminal sees.

mod common;

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use common::{Folder, command};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use sweepnet_testkit::nets::kanban;

/// Runs the command with a terminal as its standard error: its exit code, and what came there.
fn at_a_terminal(args: &[&str]) -> (i32, String) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&screen).and_then(|()| unlockpt(&screen)).expect("it is ours");
    tcsetwinsize(&screen, Winsize { ws_row: 40, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 }).expect("any size");
    let name = ptsname(&screen, Vec::new()).expect("it has a name");
    let terminal = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("it opens");
    let mut child = command(args)
        .env("TERM", "xterm")
        .stdout(Stdio::null())
        .stderr(terminal)
        .spawn()
        .expect("the command runs");
    let (mut shown, mut piece) = (Vec::new(), [0; 4096]);
    // When nobody holds the other side any more, reading is an error.
    let mut screen = File::from(screen);
    while let Ok(count @ 1..) = screen.read(&mut piece) {
        shown.extend_from_slice(&piece[..count]);
    }
    let code = child.wait().expect("it ends").code().unwrap_or(-1);
    (code, String::from_utf8_lossy(&shown).into_owned())
}

#[test]
fn a_long_search_tells_how_far_it_is() {
    let folder = Folder::new();
    let model = folder.net("huge.pnml", &kanban(60));
    let (code, shown) = at_a_terminal(&["explore", &model, "--time", "4s", "--memory", "200M"]);
    assert_eq!(code, 3, "{shown}");
    for part in [" states  ", " to expand  ", " arcs  ", " of 200.0 MB"] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    let (_, shown) = at_a_terminal(&["explore", &model, "--time", "2s", "--quiet"]);
    assert_eq!(shown, "", "nobody asked for it");
}

#[test]
fn the_choice_of_a_search_is_told() {
    let folder = Folder::new();
    let model = folder.net("small.pnml", &kanban(1));
    let (code, shown) = at_a_terminal(&["explore", &model]);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.starts_with("note: chose full search"), "{shown}");
    let (_, shown) = at_a_terminal(&["explore", &model, "--json"]);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
}
