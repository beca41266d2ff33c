//! What a killed shim left behind: processes that carry the run's id in their environment.
//!
//! One that changed its user or cleared its environment is found only by its control group.

use std::{fs, io, os::fd::OwnedFd, path::Path, time::Duration};

use rustix::process::{Pid, PidfdFlags, Signal};
use shim::{Marker, files};
use tokio::time::sleep;

use super::{inspect::read, off_the_loop};

/// So often we look for more, for they may fork on.
const ROUNDS_MAX: u32 = 100;
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Kills what is left of a run whose shim is gone, and says how many that were. Never for a run that lives.
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
            sweep(entry.as_bytes())
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
fn sweep(entry: &[u8]) -> io::Result<Vec<i32>> {
    let own = std::process::id().cast_signed();
    let mut killed = Vec::new();
    for process in fs::read_dir("/proc")?.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        if pid == own {
            continue;
        }
        // Held first, so that what is read is about the one that is killed.
        let Some(held) = hold(pid) else { continue };
        let is_stray = fs::read(process.path().join("environ"))
            .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|have| have == entry));
        if is_stray && rustix::process::pidfd_send_signal(held, Signal::KILL).is_ok() {
            killed.push(pid);
        }
    }
    Ok(killed)
}

fn hold(pid: i32) -> Option<OwnedFd> {
    rustix::process::pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}
