//! What a runner measures of its machine.

use domain::definition::Trust;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One reading of a machine.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct HostMetrics {
    /// Busy share of all cores.
    pub cpu_percent: f64,
    /// Memory in use.
    pub memory_used_bytes: u64,
    /// Memory there is.
    pub memory_total_bytes: u64,
    /// The file systems that hold data, fullest first.
    pub disks: Vec<DiskMetrics>,
    /// Load average of the last minute, where the system has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_1: Option<f64>,
    /// How long the machine has been up.
    pub uptime_seconds: u64,
    /// The battery, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battery: Option<Battery>,
    /// What the servers on it use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<ServerMetrics>,
    /// Results that wait on the host for its hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outbox: Option<u64>,
}

/// What a server uses, with all its processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerMetrics {
    /// Which.
    #[schema(value_type = String)]
    pub id: domain::ServerId,
    /// Of one core: 150 is one and a half.
    pub cpu_percent: f64,
    /// Memory that is its own or shared.
    pub memory_bytes: u64,
    /// Its processes.
    pub processes: u32,
}

/// The most servers in one reading.
pub const SERVERS_MAX: usize = 1_000;

/// One file system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DiskMetrics {
    /// Where it is mounted.
    pub mount: String,
    /// Bytes in use.
    pub used_bytes: u64,
    /// Bytes there are.
    pub total_bytes: u64,
}

impl DiskMetrics {
    /// How full it is.
    #[must_use]
    pub fn used_percent(&self) -> f64 {
        percent(self.used_bytes, self.total_bytes)
    }
}

/// The most file systems in one reading.
pub const DISKS_MAX: usize = 64;
/// The longest name of a mount point.
pub const MOUNT_BYTES_MAX: usize = 256;

impl HostMetrics {
    /// Whether a reading can be kept: bounded, with plain texts and real numbers.
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

    /// Memory in use, in percent.
    #[must_use]
    pub fn memory_percent(&self) -> f64 {
        percent(self.memory_used_bytes, self.memory_total_bytes)
    }

    /// The fullest disk, in percent.
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
    /// How full it is.
    pub percent: f64,
    /// Whether it is being charged or full on the mains.
    pub is_charging: bool,
}

/// What a machine is, told once per session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct Machine {
    /// The operating system, as in `linux`.
    pub os: String,
    /// Its version, as in `Debian GNU/Linux 12`.
    pub os_version: String,
    /// The processor's architecture, as in `x86_64`.
    pub arch: String,
    /// Cores.
    pub cores: u32,
    /// Whose definitions it runs: `hub`, or `local` for only those in its own `catalogue.d`.
    #[serde(default)]
    #[schema(value_type = String, example = "hub")]
    pub trust: Trust,
}
