//! Checks which resource limits of a run are enforced: without a writable cgroup the system cannot enforce any.

use std::{fs, path::Path};

use shim::{Limits, Marker, files};

/// The names of those limits that are not enforced for the run.
#[must_use]
pub fn unmet_limits(dir: &Path, limits: &Limits) -> Vec<&'static str> {
    let marker = fs::read(dir.join(files::STARTED)).ok().and_then(|bytes| Marker::parse(&bytes));
    let group = match marker {
        Some(Marker::Shim { cgroup, .. }) => cgroup,
        _ => None,
    };
    unmet_in(group.as_deref().map(Path::new), limits)
}

fn unmet_in(group: Option<&Path>, limits: &Limits) -> Vec<&'static str> {
    let limit_in = |file: &str| -> Option<u64> {
        let text = fs::read_to_string(group?.join(file)).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    let Limits { memory_bytes, processes, .. } = *limits;
    let cpu = limits.cpu_quota_us();
    // The kernel rounds memory down to whole pages, so a lower value than requested is fine.
    [("memory", "memory.max", memory_bytes), ("processor", "cpu.max", cpu), ("processes", "pids.max", processes)]
        .into_iter()
        .filter(|(_, file, wanted)| wanted.is_some_and(|wanted| limit_in(file).is_none_or(|limit| limit > wanted)))
        .map(|(name, ..)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_is_unmet_when_the_cgroup_allows_more() {
        let group = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| fs::write(group.path().join(file), text).expect("writes");
        let limits = Limits { memory_bytes: Some(1_000_001), cpu_percent: Some(150), processes: Some(20) };
        assert_eq!(unmet_in(None, &limits), ["memory", "processor", "processes"]);
        assert_eq!(unmet_in(None, &Limits::default()), [""; 0], "no limits requested");
        assert_eq!(unmet_in(Some(group.path()), &limits), ["memory", "processor", "processes"]);
        write("memory.max", "999424\n");
        write("cpu.max", "max 100000\n");
        write("pids.max", "20\n");
        assert_eq!(unmet_in(Some(group.path()), &limits), ["processor"]);
        write("cpu.max", "150000 100000\n");
        assert_eq!(unmet_in(Some(group.path()), &limits), [""; 0]);
        write("memory.max", "2000000\n");
        assert_eq!(unmet_in(Some(group.path()), &limits), ["memory"], "more than requested");
    }
}
