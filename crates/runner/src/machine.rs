//! Facts and metrics of this machine.

use std::{fs, path::Path};

use proto::metrics::{Battery, DiskMetrics, HostMetrics, Machine};
use sysinfo::{Disks, System};

/// The host name.
#[must_use]
pub fn name() -> String {
    System::host_name().unwrap_or_else(|_| "host".to_owned())
}

/// Operating system, architecture and number of cores.
#[must_use]
pub fn describe() -> Machine {
    Machine {
        os: std::env::consts::OS.to_owned(),
        os_version: System::long_os_version().unwrap_or_default(),
        arch: std::env::consts::ARCH.to_owned(),
        cores: std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX)),
        ..Machine::default()
    }
}

/// The kernel's boot id; on systems without one, the boot time.
#[must_use]
pub fn boot_id() -> String {
    let named = fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|text| text.trim().to_owned());
    named.unwrap_or_else(|_| System::boot_time().unwrap_or_default().to_string())
}

/// Whether this machine has a battery, so that it is probably not always on.
#[must_use]
pub fn looks_like_a_laptop() -> bool {
    battery(Path::new("/sys/class/power_supply")).is_some()
}

/// Reader of the machine's metrics. Keep it between readings: CPU usage is the difference of two.
pub struct Meter {
    /// `None` where the system denies access.
    system: Option<System>,
}

impl Meter {
    /// Creates the meter and takes the first CPU reading.
    #[must_use]
    pub fn new() -> Self {
        let mut system = System::new().ok();
        if let Some(system) = &mut system {
            system.refresh_cpu_usage();
        }
        Self { system }
    }

    /// Reads the current metrics.
    pub fn read(&mut self) -> HostMetrics {
        let mut metrics = HostMetrics {
            disks: disks(),
            load_1: System::load_average().ok().map(|load| load.one),
            uptime_seconds: System::uptime().unwrap_or_default(),
            battery: battery(Path::new("/sys/class/power_supply")),
            ..HostMetrics::default()
        };
        if let Some(system) = &mut self.system {
            system.refresh_cpu_usage();
            system.refresh_memory();
            metrics.cpu_percent = f64::from(system.global_cpu_usage());
            metrics.memory_used_bytes = system.used_memory();
            metrics.memory_total_bytes = system.total_memory();
        }
        metrics
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new()
    }
}

/// Most file systems in one reading.
const DISKS_MAX: usize = 16;

/// Used and total bytes as `df` counts them: blocks reserved for root count as neither.
fn space(disk: &sysinfo::Disk) -> (u64, u64) {
    let Ok(found) = rustix::fs::statvfs(disk.mount_point()) else {
        return (disk.total_space().saturating_sub(disk.available_space()), disk.total_space());
    };
    let used = found.f_blocks.saturating_sub(found.f_bfree).saturating_mul(found.f_frsize);
    (used, used.saturating_add(found.f_bavail.saturating_mul(found.f_frsize)))
}

/// Writable file systems, fullest first, each device once.
fn disks() -> Vec<DiskMetrics> {
    let Ok(list) = Disks::new_with_refreshed_list() else { return Vec::new() };
    let mut seen = std::collections::BTreeSet::new();
    let mut disks: Vec<DiskMetrics> = list
        .iter()
        .filter(|disk| disk.total_space() > 0 && !disk.is_read_only() && seen.insert(disk.name().to_owned()))
        .map(|disk| {
            let (used_bytes, total_bytes) = space(disk);
            DiskMetrics { mount: plain(&disk.mount_point().display().to_string()), used_bytes, total_bytes }
        })
        .collect();
    disks.sort_by(|a, b| b.used_percent().total_cmp(&a.used_percent()));
    disks.truncate(DISKS_MAX);
    disks
}

/// A mount point without control characters, cut to the length that the hub accepts.
fn plain(mount: &str) -> String {
    mount.chars().filter(|c| !c.is_control()).take(64).collect()
}

/// The first battery of the machine, batteries of peripheral devices excluded.
fn battery(folder: &Path) -> Option<Battery> {
    let read = |path: &Path, name: &str| fs::read_to_string(path.join(name)).map(|text| text.trim().to_owned()).ok();
    let supplies = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let battery = supplies.into_iter().find(|path| {
        read(path, "type").as_deref() == Some("Battery") && read(path, "scope").as_deref() != Some("Device")
    })?;
    Some(Battery {
        percent: read(&battery, "capacity")?.parse().ok()?,
        is_charging: !matches!(read(&battery, "status").as_deref(), Some("Discharging")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn battery_is_read_from_sysfs_without_peripherals() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(battery(folder.path()), None);
        for (supply, files) in [
            ("AC", vec![("type", "Mains")]),
            ("mouse", vec![("type", "Battery"), ("scope", "Device"), ("capacity", "10")]),
            ("BAT0", vec![("type", "Battery"), ("capacity", "73"), ("status", "Discharging")]),
        ] {
            fs::create_dir(folder.path().join(supply)).expect("makes");
            for (name, text) in files {
                fs::write(folder.path().join(supply).join(name), format!("{text}\n")).expect("writes");
            }
        }
        assert_eq!(battery(folder.path()), Some(Battery { percent: 73.0, is_charging: false }));
    }

    #[test]
    fn metrics_are_within_plausible_bounds() {
        let reading = Meter::new().read();
        assert!(reading.memory_total_bytes > 0 && reading.memory_percent() <= 100.0);
        assert!((0.0..=100.0).contains(&reading.cpu_percent));
    }
}
