//! A runner that is killed at any moment of a start: a real process, which is this one started again.

use std::{fs, path::PathBuf, process::Stdio};

use runner::exec::{RunEnd, RunState, launch, prepare};

use crate::fixture::{TestBench, order, processes, shim, until, verdict};

const DIR: &str = "HOSTLER_TEST_RUN_DIR";

/// What the second process does: it launches the run that was prepared, and stays. Nothing else starts it so.
#[tokio::test]
async fn the_runner_that_is_killed() {
    let Some(dir) = std::env::var_os(DIR).map(PathBuf::from) else { return };
    let begun = launch(shim(), &dir).await;
    fs::write(dir.join("begun"), format!("{begun:?}")).expect("ours");
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_run_begins_once_or_never_whenever_its_runner_is_killed() {
    let bench = TestBench::new();
    // Installed by now, so that the others do not have to.
    shim();
    // What the runner is killed at: when it was just started, or when this file is there.
    for moment in ["", "", "", "lock", "started", "sock", "log", "begun"].repeat(4) {
        let mut order = order("echo x >> \"$FILE\"; sleep 1000");
        let (dir, file) = (bench.dir(&order.run_id), bench.dir(&format!("{}.began", order.run_id)));
        order.env.insert("FILE".into(), file.clone().into());
        prepare(&dir, &order).await.expect("it is prepared");
        let mut runner = tokio::process::Command::new(std::env::current_exe().expect("this one"))
            .args(["--exact", "killed::the_runner_that_is_killed"])
            .env(DIR, &dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        if !moment.is_empty() {
            until(moment, || dir.join(moment).exists()).await;
        }
        runner.kill().await.expect("it lives");

        match verdict(&dir).await {
            RunState::NotStarted => assert!(moment != "begun" && !file.exists()),
            RunState::Alive(handle) => {
                until("it began", || fs::metadata(&file).is_ok_and(|file| file.len() > 0)).await;
                handle.kill().await.expect("the shim hears");
                assert!(matches!(handle.wait().await, RunEnd::Finished(_)));
                assert_eq!(fs::read_to_string(&file).expect("it began"), "x\n");
            }
            other => panic!("killed at {moment:?}: {other:?}"),
        }
        assert_eq!(processes(&order.run_id), [0; 0]);
        assert!(matches!(verdict(&dir).await, RunState::NotStarted | RunState::Finished(_)), "it stays so");
    }
}
