//! Times for readers: relative or in the local time zone on a terminal, RFC 3339 in UTC in a pipe.

use std::io::IsTerminal as _;

use domain::{Span, Timestamp};

use crate::environment::environment;

/// Whether stdout is a terminal.
pub(crate) fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// The distance of a time from now: `in 3 min`, `just now`, `3 min ago`.
pub(crate) fn relative(at: Timestamp, now: Timestamp) -> String {
    let second = Span::from_secs(1);
    match (at.since(now), now.since(at)) {
        (ahead, _) if ahead >= second => format!("in {ahead}"),
        (_, ago) if ago >= second => format!("{ago} ago"),
        _ => "just now".to_owned(),
    }
}

/// A time for a sentence: in the local time zone on a terminal, RFC 3339 in UTC in a pipe.
pub(crate) fn local_time(time: &str) -> String {
    let local = || time.parse::<Timestamp>().ok()?.format_in(local_zone());
    if is_terminal() { local().unwrap_or_else(|| whole_seconds(time)) } else { whole_seconds(time) }
}

/// A sentence of the hub with its times for the reader: local on a terminal, in UTC without microseconds in a pipe.
pub(crate) fn with_local_times(text: &str) -> String {
    domain::time::replace_times(text, |at| {
        let in_utc = || format!("{at:.0}");
        Some(if is_terminal() { at.format_in(local_zone()).unwrap_or_else(in_utc) } else { in_utc() })
    })
}

/// The time of a log line, to milliseconds: the local clock time on a terminal, RFC 3339 in UTC in a pipe.
pub(crate) fn log_time(time: &str) -> String {
    let Some((seconds, fraction)) = time.split_once('.') else { return time.to_owned() };
    let millis = fraction.get(..3).unwrap_or("000");
    let local = || {
        let local = time.parse::<Timestamp>().ok()?.in_zone(local_zone())?;
        let clock = local.split_once('T')?.1.get(..8)?.to_owned();
        Some(format!("{clock}.{millis}"))
    };
    if is_terminal() { local().unwrap_or_else(|| time.to_owned()) } else { format!("{seconds}.{millis}Z") }
}

/// A time in RFC 3339 without its microseconds, for pipes; other texts unchanged.
pub(crate) fn whole_seconds(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, fraction)) if fraction.ends_with('Z') => format!("{seconds}Z"),
        _ => time.to_owned(),
    }
}

/// The time zone of this process, read once: `TZ`, else the zone of this machine, else UTC.
fn local_zone() -> &'static str {
    static ZONE: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ZONE.get_or_init(|| zone_or_local(environment("TZ").as_deref()))
}

/// The named time zone if it exists, else the zone of this machine, else UTC.
pub(crate) fn zone_or_local(name: Option<&str>) -> String {
    let is_zone = |name: &String| runtime::clock::wall().format_in(name).is_some();
    let named = name.map(|zone| zone.trim_start_matches(':').to_owned());
    let machine = || {
        let link = std::fs::read_link("/etc/localtime").ok()?;
        link.to_str()?.split_once("zoneinfo/").map(|(_, name)| name.to_owned())
    };
    named.filter(is_zone).or_else(machine).filter(is_zone).unwrap_or_else(|| "UTC".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_seconds_drops_only_the_fraction() {
        assert_eq!(whole_seconds("2026-12-01T08:00:00.123456Z"), "2026-12-01T08:00:00Z");
        assert_eq!(whole_seconds("2026-12-01T08:00:00Z"), "2026-12-01T08:00:00Z");
        assert_eq!(whole_seconds("never."), "never.");
    }

    #[test]
    fn times_are_found_in_sentences() {
        let text = "late since 2026-12-01T08:00:00.123456Z (é) and 2026-12-01T09:00:00Z";
        // Tests have no terminal.
        assert_eq!(with_local_times(text), "late since 2026-12-01T08:00:00Z (é) and 2026-12-01T09:00:00Z");
    }

    #[test]
    fn relative_names_the_direction() {
        let now: Timestamp = "2026-12-01T08:00:00Z".parse().expect("a time");
        assert_eq!(relative(now - Span::from_secs(900), now), "15 min ago");
        assert_eq!(relative(now + Span::from_secs(7_200), now), "in 2 h");
        assert_eq!(relative(now - Span::from_millis(20), now), "just now");
    }
}
