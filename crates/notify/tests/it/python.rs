//! Receivers written in Python, each in a process that is killed with its owner.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

/// A Python script that prints JSON lines about the requests it received.
pub(crate) struct Python {
    lines: Lines<BufReader<ChildStdout>>,
    // Killed on drop.
    _process: Child,
}

impl Python {
    /// Starts a script of this folder and returns its first line.
    pub(crate) async fn start(script: &str, arguments: &[&str]) -> (Self, Value) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(script);
        let mut process = Command::new(interpreter())
            .arg(script)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Python starts");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut python = Self { lines, _process: process };
        let first = python.received().await;
        (python, first)
    }

    /// The next line of the script.
    pub(crate) async fn received(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("readable");
        serde_json::from_str(&line.expect("the script printed a line; its error output is above")).expect("JSON")
    }
}

fn interpreter() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let path = std::env::var_os("HOSTLER_PYTHON").map_or(own, PathBuf::from);
    assert!(path.exists(), "{} does not exist: run `make setup`, which installs it", path.display());
    path
}
