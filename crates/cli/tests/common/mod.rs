//! Running the built command.
#![allow(dead_code, reason = "each test file uses a part of this")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use sweepnet_net::Net;

/// An example's path.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// The command with arguments, ready to run.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweepnet"));
    command.args(args).stdin(Stdio::null());
    for name in ["BK_TIME_CONFINEMENT", "BK_MEMORY_CONFINEMENT"] {
        command.env_remove(name);
    }
    command
}

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Run {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// Runs the command to its end.
pub fn run(args: &[&str]) -> Run {
    command(args).output().expect("the command runs").into()
}

/// Runs the command with this on its standard input.
pub fn run_with_input(args: &[&str], input: &str) -> Run {
    use std::io::Write;
    let mut command = command(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends").into()
}

/// A folder for files, with its path as text.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// A file in it; its path.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    /// A net in it, as PNML; its path.
    pub fn net(&self, name: &str, net: &Net) -> String {
        let mut text = Vec::new();
        sweepnet_formats::write(net, sweepnet_formats::Format::Pnml, &mut text).expect("it can be written");
        self.file(name, text)
    }

    /// The names of all files in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("it can be listed");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}
