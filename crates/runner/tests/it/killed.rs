//! A runner that is killed at any moment of a start. The runner is this test binary, started as a second process.

use std::{fs, path::PathBuf, process::Stdio};

use runner::exec::{RunEnd, RunState, launch, prepare};

use crate::fixture::{TestRunFolder, order, processes, shim, until, verdict};

const DIR: &str = "HOSTLER_TEST_RUN_DIR";

/// The body of the second process: launches the prepared run and waits. Without the variable it does nothing.
#[tokio::test]
async fn second_process_launches_the_prepared_run() {
    let Some(dir) = std::env::var_os(DIR).map(PathBuf::from) else { return };
    let begun = launch(shim(), &dir).await;
    fs::write(dir.join("begun"), format!("{begun:?}")).expect("own file");
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn run_starts_at_most_once_whenever_its_runner_is_killed() {
    let folder = TestRunFolder::new();
    // Install the shim now, so that the second processes do not have to.
    shim();
    // When the runner is killed: right after its start, or when this file exists.
    for moment in ["", "", "", "lock", "started", "sock", "log", "begun"].repeat(4) {
        let mut order = order("echo x >> \"$FILE\"; sleep 1000");
        let (dir, file) = (folder.dir(&order.run_id), folder.dir(&format!("{}.began", order.run_id)));
        order.env.insert("FILE".into(), file.clone().into());
        prepare(&dir, &order).await.expect("prepared");
        let mut runner = tokio::process::Command::new(std::env::current_exe().expect("own executable"))
            .args(["--exact", "killed::second_process_launches_the_prepared_run"])
            .env(DIR, &dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("spawned");
        if !moment.is_empty() {
            until(moment, || dir.join(moment).exists()).await;
        }
        runner.kill().await.expect("alive");

        match verdict(&dir).await {
            RunState::NotStarted => assert!(moment != "begun" && !file.exists()),
            RunState::Alive(handle) => {
                until("the program has started", || fs::metadata(&file).is_ok_and(|file| file.len() > 0)).await;
                handle.kill().await.expect("the shim answers");
                assert!(matches!(handle.wait().await, RunEnd::Finished(_)));
                assert_eq!(fs::read_to_string(&file).expect("started"), "x\n");
            }
            other => panic!("killed at {moment:?}: {other:?}"),
        }
        assert_eq!(processes(&order.run_id), [0; 0]);
        assert!(matches!(verdict(&dir).await, RunState::NotStarted | RunState::Finished(_)), "the state is stable");
    }
}
