//! CPU and memory usage of servers: the sum over the main process and its descendants, read from `/proc`.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
};

use domain::ServerId;
use proto::metrics::{SERVERS_MAX, ServerMetrics};

use crate::exec::boot_ms;

/// The values read of one process.
#[derive(Clone, Copy, Default)]
struct Process {
    parent: i32,
    ticks: u64,
    pages: u64,
}

/// The previous reading: CPU usage is the difference of two.
#[derive(Default)]
pub(super) struct Usage {
    last_ms: u64,
    /// CPU ticks of each process, by process id.
    last: HashMap<i32, u64>,
}

impl Usage {
    /// Reads the usage of these servers, given with their main processes.
    pub(super) fn read(&mut self, servers: &[(ServerId, i32)]) -> Vec<ServerMetrics> {
        if servers.is_empty() {
            *self = Self::default();
            return Vec::new();
        }
        let now_ms = boot_ms();
        let passed = now_ms.saturating_sub(self.last_ms);
        let all = processes();
        let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
        for (pid, process) in &all {
            children.entry(process.parent).or_default().push(*pid);
        }
        let mut seen = HashMap::new();
        let mut read = Vec::new();
        for (id, main) in servers.iter().take(SERVERS_MAX) {
            let (mut ticks, mut pages, mut count) = (0, 0, 0);
            let mut rest = vec![*main];
            while let Some(pid) = rest.pop() {
                let Some(process) = all.get(&pid) else { continue };
                // All ticks of a new process are from this interval.
                ticks += process.ticks.saturating_sub(self.last.get(&pid).copied().unwrap_or(0));
                pages += process.pages;
                count += 1;
                // Guard against a cycle, which a reused process id could create.
                if seen.insert(pid, process.ticks).is_none() {
                    rest.extend(children.get(&pid).into_iter().flatten());
                }
            }
            let is_first = self.last_ms == 0 || !self.last.contains_key(main);
            read.push(ServerMetrics {
                id: *id,
                cpu_percent: if is_first { 0.0 } else { share(ticks, passed) },
                memory_bytes: pages * rustix::param::page_size() as u64,
                processes: count,
            });
        }
        (self.last, self.last_ms) = (seen, now_ms);
        read
    }
}

/// Usage in percent of one core.
#[expect(clippy::cast_precision_loss, reason = "a percentage needs no exactness")]
fn share(ticks: u64, passed_ms: u64) -> f64 {
    let per_second = rustix::param::clock_ticks_per_second() as f64;
    if passed_ms == 0 { 0.0 } else { ticks as f64 / per_second * 1_000.0 / passed_ms as f64 * 100.0 }
}

fn processes() -> BTreeMap<i32, Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| Some((pid, process(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?))).collect()
}

/// Parses `/proc/<pid>/stat`. The process name in it may contain any character, so fields are counted from its end.
fn process(stat: &str) -> Option<Process> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        ticks: number(11)? + number(12)?,
        pages: number(21).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_line_is_parsed_with_parentheses_in_the_name() {
        let stat = "42 (a) b (c) S 7 42 42 0 -1 4194560 100 0 0 0 30 12 0 0 20 0 1 0 555 1000000 250 184 1 1 0";
        let read = process(stat).expect("reads");
        assert_eq!((read.parent, read.ticks, read.pages), (7, 42, 250));
        assert!(process("nonsense").is_none());
    }

    #[test]
    fn usage_counts_live_processes_only() {
        let own = i32::try_from(std::process::id()).expect("small");
        let id = ServerId::from_bytes([1; 16]);
        let mut usage = Usage::default();
        let first = usage.read(&[(id, own)]);
        assert!(first[0].memory_bytes > 0 && first[0].processes >= 1);
        assert_eq!(usage.read(&[(id, i32::MAX)])[0].processes, 0, "an ended process uses nothing");
    }
}
