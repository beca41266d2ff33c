//! Kills the orphan processes of a run whose shim was killed. They are found by the run id in their environment; a
//! process that changed its user or cleared its environment is found only by the cgroup of the run.

use std::{fs, io, os::fd::OwnedFd, path::Path, time::Duration};

use rustix::process::{Pid, PidfdFlags, Signal};
use shim::{Marker, files};
use tokio::time::sleep;

use super::{inspect::read, off_the_loop};

/// Most rounds of searching: processes may fork during a round.
const ROUNDS_MAX: u32 = 100;
/// Pause between two rounds.
const PAUSE: Duration = Duration::from_millis(20);

/// Kills the processes of a run whose shim is gone and returns their number. Never call it for a live run.
pub async fn kill_orphans(dir: &Path, run_id: &str) -> io::Result<usize> {
    let marker = read(&dir.join(files::STARTED))?.and_then(|bytes| Marker::parse(&bytes));
    let cgroup = match marker {
        Some(Marker::Shim { cgroup, .. }) => cgroup,
        _ => None,
    };
    let mut killed = std::collections::BTreeSet::new();
    for _ in 0..ROUNDS_MAX {
        let (entry, group) = (format!("{}={run_id}", files::RUN_ID_VARIABLE), cgroup.clone());
        let found = off_the_loop(move || {
            if let Some(group) = &group {
                let _ = fs::write(Path::new(group).join("cgroup.kill"), "1");
            }
            kill_marked(entry.as_bytes())
        })
        .await?;
        if found.is_empty() {
            break;
        }
        killed.extend(found);
        sleep(PAUSE).await;
    }
    if let Some(group) = &cgroup {
        let _ = fs::remove_dir(group);
    }
    Ok(killed.len())
}

/// Kills all processes with this entry in their environment.
fn kill_marked(entry: &[u8]) -> io::Result<Vec<i32>> {
    let own = std::process::id().cast_signed();
    let mut killed = Vec::new();
    for process in fs::read_dir("/proc")?.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        if pid == own {
            continue;
        }
        // Open the process before reading its environment: the pidfd rules out that the id is reused in between.
        let Some(held) = hold(pid) else { continue };
        let is_orphan = fs::read(process.path().join("environ"))
            .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|have| have == entry));
        if is_orphan && rustix::process::pidfd_send_signal(held, Signal::KILL).is_ok() {
            killed.push(pid);
        }
    }
    Ok(killed)
}

fn hold(pid: i32) -> Option<OwnedFd> {
    rustix::process::pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}
