//! Metrics that a runner measures on its machine.

use domain::definition::Trust;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Metrics of a machine at one point in time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct HostMetrics {
    /// CPU usage over all cores.
    pub cpu_percent: f64,
    pub memory_used_bytes: u64,
    pub memory_total_bytes: u64,
    /// The file systems with data, fullest first.
    pub disks: Vec<DiskMetrics>,
    /// The load average of the last minute; absent if the system has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_1: Option<f64>,
    pub uptime_seconds: u64,
    /// Absent if the machine has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battery: Option<Battery>,
    /// Metrics of the servers on the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<ServerMetrics>,
    /// Results that wait for delivery to the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outbox: Option<u64>,
}

/// Metrics of a server, including all its processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerMetrics {
    #[schema(value_type = String)]
    pub id: domain::ServerId,
    /// In percent of one core: 150 is one and a half cores.
    pub cpu_percent: f64,
    /// Resident memory, including shared memory.
    pub memory_bytes: u64,
    /// The number of processes.
    pub processes: u32,
}

/// The most servers in one report.
pub const SERVERS_MAX: usize = 1_000;

/// Metrics of a file system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DiskMetrics {
    /// The mount point.
    pub mount: String,
    pub used_bytes: u64,
    pub total_bytes: u64,
}

impl DiskMetrics {
    /// Used space in percent.
    #[must_use]
    pub fn used_percent(&self) -> f64 {
        percent(self.used_bytes, self.total_bytes)
    }
}

/// The most file systems in one report.
pub const DISKS_MAX: usize = 64;
/// The longest mount point.
pub const MOUNT_BYTES_MAX: usize = 256;

impl HostMetrics {
    /// Whether the metrics are valid: limited lengths, no control characters, finite numbers.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        let is_plain = |text: &str| text.len() <= MOUNT_BYTES_MAX && !text.contains(char::is_control);
        let numbers = [Some(self.cpu_percent), self.load_1, self.battery.as_ref().map(|battery| battery.percent)];
        self.disks.len() <= DISKS_MAX
            && self.servers.len() <= SERVERS_MAX
            && self.servers.iter().all(|server| server.cpu_percent.is_finite())
            && self.disks.iter().all(|disk| is_plain(&disk.mount))
            && numbers.into_iter().flatten().all(f64::is_finite)
    }

    /// Used memory in percent.
    #[must_use]
    pub fn memory_percent(&self) -> f64 {
        percent(self.memory_used_bytes, self.memory_total_bytes)
    }

    /// Usage of the fullest file system in percent.
    #[must_use]
    pub fn disk_percent(&self) -> Option<f64> {
        self.disks.iter().map(DiskMetrics::used_percent).reduce(f64::max)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a percentage needs no exactness")]
fn percent(used: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { used as f64 * 100.0 / total as f64 }
}

/// A battery.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Battery {
    /// Charge level.
    pub percent: f64,
    /// Whether it is charging, or full and plugged in.
    pub is_charging: bool,
}

/// Operating system and hardware of a machine, sent once per session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct Machine {
    /// The operating system, as in `linux`.
    pub os: String,
    /// As in `Debian GNU/Linux 12`.
    pub os_version: String,
    /// The CPU architecture, as in `x86_64`.
    pub arch: String,
    pub cores: u32,
    /// The source of the definitions that it runs: `hub`, or `local` for only those in its own `catalogue.d`.
    #[serde(default)]
    #[schema(value_type = String, example = "hub")]
    pub trust: Trust,
}
