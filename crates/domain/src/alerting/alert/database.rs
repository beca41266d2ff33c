//! The health of the hub's database: transactions that hold back PostgreSQL's vacuum, and the load of SQLite's writer.
//!
//! A hub measures its database at each evaluation of the alerts and keeps the measurements in a [`DatabaseMonitor`],
//! and [`DatabaseMonitor::health`] decides about the alert `database_slow`.

use std::collections::VecDeque;

use crate::{
    string_enum,
    time::{Span, Timestamp},
};

/// Default threshold of `database_slow` on PostgreSQL: a transaction that is open for longer slows claims down, because
/// each claim reads the dead rows that vacuum cannot remove.
pub(super) const VACUUM_HELD_SECONDS: u32 = 300;
/// The period over which the load of SQLite's writer is measured.
const WRITER_PERIOD: Span = Span::from_secs(600);
/// SQLite's writer is overloaded if it was busy for a larger part of [`WRITER_PERIOD`].
const WRITER_BUSY_MAX_PERCENT: i64 = 60;
/// Shortest interval of the readings that are kept: their number has a bound however often the hub measures.
const WRITER_STEP: Span = Span::from_secs(10);

string_enum! {
    /// The kinds of vacuum blockers.
    pub enum BlockerKind {
        Session = "session",
        /// A transaction of a two-phase commit, which outlives its session.
        PreparedTransaction = "prepared_transaction",
        ReplicationSlot = "replication_slot",
    }
}

/// A snapshot on PostgreSQL that holds back vacuum: dead rows that it can see cannot be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VacuumBlocker {
    pub kind: BlockerKind,
    /// The process id of a session, else the name.
    pub name: String,
    /// The application name of a session; may be empty.
    pub application: String,
    pub user_name: String,
    /// The start of the transaction, or its `xmin` if PostgreSQL does not show the start. It distinguishes successive
    /// transactions of one session.
    pub snapshot: String,
    /// The time since the start of the transaction; `None` if PostgreSQL does not show the start.
    pub open_ms: Option<Span>,
}

impl VacuumBlocker {
    fn is_same_snapshot(&self, other: &Self) -> bool {
        (self.kind, &self.name, &self.snapshot) == (other.kind, &other.name, &other.snapshot)
    }

    /// The sentence for people: the blocker, its effect, and the statement that ends it.
    fn text(&self, since: Timestamp) -> String {
        let Self { name, user_name, .. } = self;
        let literal = format!("'{}'", name.replace('\'', "''"));
        let (subject, remedy) = match self.kind {
            BlockerKind::Session => {
                let application = if self.application.is_empty() { "a session" } else { self.application.as_str() };
                (
                    format!("{application} (user {user_name}, pid {name}) has had a transaction open"),
                    format!("end the session: select pg_terminate_backend({name})"),
                )
            }
            BlockerKind::PreparedTransaction => (
                format!("the prepared transaction {literal} (user {user_name}) has been open"),
                format!("end it: rollback prepared {literal}"),
            ),
            BlockerKind::ReplicationSlot => (
                format!("the replication slot {name} has held the same xmin"),
                format!("restart its standby, or drop the slot: select pg_drop_replication_slot({literal})"),
            ),
        };
        format!("{subject} since {since:.0}; vacuum cannot remove dead rows, and claims get slower; {remedy}")
    }
}

/// The use of SQLite's writer since the store was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriterTime {
    pub busy: Span,
    /// Time since the store was opened, by the clock that also measures `busy`.
    pub elapsed: Span,
}

/// Whether the database is slow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseHealth {
    /// The hub has not measured for long enough: an open alert stays open, and none is opened.
    Unknown,
    Good,
    Slow {
        since: Timestamp,
        text: String,
    },
}

/// Measurements of the database by one hub.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseMonitor {
    /// The first reading of vacuum blockers; `None` on SQLite.
    blockers_since: Option<Timestamp>,
    /// The blockers of the last reading, each with its start.
    blockers: Vec<(VacuumBlocker, Timestamp)>,
    /// The last reading of the writer, with the address of its database; `None` on PostgreSQL.
    writer: Option<(String, WriterTime)>,
    /// Readings of the writer, oldest first. The first one is the start of the period.
    writer_readings: VecDeque<(Timestamp, WriterTime)>,
}

impl DatabaseMonitor {
    /// Adds a reading of PostgreSQL.
    ///
    /// The start of a blocker is computed once, from the time by which PostgreSQL says it is open, or from the first
    /// reading that found it. So it survives restarts of the hub where PostgreSQL shows it.
    pub fn add_blockers(&mut self, found: Vec<VacuumBlocker>, now: Timestamp) {
        self.blockers_since.get_or_insert(now);
        let before = std::mem::take(&mut self.blockers);
        let with_start = |blocker: VacuumBlocker| {
            let known = before.iter().find(|(known, _)| known.is_same_snapshot(&blocker));
            let since = known.map_or_else(|| now - blocker.open_ms.unwrap_or_default(), |(_, since)| *since);
            (blocker, since)
        };
        self.blockers = found.into_iter().map(with_start).collect();
    }

    /// Adds a reading of SQLite's writer. `url` is the address of the database.
    pub fn add_writer_time(&mut self, url: &str, time: WriterTime, now: Timestamp) {
        let last = self.writer_readings.back().map(|(at, _)| *at);
        if last.is_some_and(|last| now < last) {
            // The clock was set back.
            self.writer_readings.clear();
        }
        if self.writer_readings.back().is_none_or(|(at, _)| now.since(*at) >= WRITER_STEP) {
            self.writer_readings.push_back((now, time));
        }
        while self.writer_readings.get(1).is_some_and(|(at, _)| now.since(*at) >= WRITER_PERIOD) {
            self.writer_readings.pop_front();
        }
        self.writer = Some((url.to_owned(), time));
    }

    /// Decides about the database at the time of the last reading. The threshold is the longest acceptable transaction
    /// on PostgreSQL.
    #[must_use]
    pub fn health(&self, threshold: Span, now: Timestamp) -> DatabaseHealth {
        match &self.writer {
            Some((url, time)) => self.writer_health(url, *time, now),
            None => self.vacuum_health(threshold, now),
        }
    }

    fn vacuum_health(&self, threshold: Span, now: Timestamp) -> DatabaseHealth {
        let Some(began) = self.blockers_since else { return DatabaseHealth::Unknown };
        let oldest = self.blockers.iter().min_by_key(|(blocker, since)| (*since, &blocker.name));
        // Right after a restart of the hub, the start of these blockers may be earlier than the first reading.
        let has_unknown_start = self.blockers.iter().any(|(blocker, _)| blocker.open_ms.is_none());
        match oldest {
            Some((blocker, since)) if now.since(*since) > threshold => {
                DatabaseHealth::Slow { since: *since + threshold, text: blocker.text(*since) }
            }
            _ if has_unknown_start && now.since(began) <= threshold => DatabaseHealth::Unknown,
            _ => DatabaseHealth::Good,
        }
    }

    fn writer_health(&self, url: &str, time: WriterTime, now: Timestamp) -> DatabaseHealth {
        let Some((since, start)) = self.writer_readings.front().copied() else { return DatabaseHealth::Unknown };
        if now.since(since) < WRITER_PERIOD {
            return DatabaseHealth::Unknown;
        }
        let busy = time.busy.as_micros() - start.busy.as_micros();
        let elapsed = time.elapsed.as_micros() - start.elapsed.as_micros();
        if busy.saturating_mul(100) <= elapsed.saturating_mul(WRITER_BUSY_MAX_PERCENT) {
            return DatabaseHealth::Good;
        }
        // No measured figure: a text that changes with each evaluation would be written with each evaluation.
        let text = format!(
            "SQLite's writer was busy for more than {WRITER_BUSY_MAX_PERCENT} % of the last {WRITER_PERIOD}, and \
             requests wait for it; stop the hub and copy its database to PostgreSQL: hostler db copy --from {} \
             --to postgres://USER@HOST/DATABASE",
            shell_word(url)
        );
        DatabaseHealth::Slow { since, text }
    }
}

/// A text as one word of a shell command.
fn shell_word(text: &str) -> String {
    let is_plain = text.chars().all(|one| one.is_ascii_alphanumeric() || "/:._-".contains(one));
    if is_plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);
    const THRESHOLD: Span = Span::from_secs(VACUUM_HELD_SECONDS);

    fn at(secs: u32) -> Timestamp {
        T0 + Span::from_secs(secs)
    }

    fn session(pid: &str, open_secs: Option<u32>) -> VacuumBlocker {
        VacuumBlocker {
            kind: BlockerKind::Session,
            name: pid.into(),
            application: "psql".into(),
            user_name: "kim".into(),
            snapshot: "1".into(),
            open_ms: open_secs.map(Span::from_secs),
        }
    }

    /// The decision after these readings, in one word.
    fn word(monitor: &DatabaseMonitor, now: Timestamp) -> &'static str {
        match monitor.health(THRESHOLD, now) {
            DatabaseHealth::Unknown => "unknown",
            DatabaseHealth::Good => "good",
            DatabaseHealth::Slow { .. } => "slow",
        }
    }

    #[test]
    fn database_is_slow_while_a_snapshot_is_open_for_longer_than_the_threshold() {
        let known = |secs| vec![session("7", Some(secs))];
        let hidden = || vec![session("8", None)];
        let next = || vec![VacuumBlocker { snapshot: "2".into(), ..session("8", None) }];
        let two = || vec![session("9", Some(2)), session("7", Some(301))];
        type BlockerReadings = Vec<(u32, Vec<VacuumBlocker>)>;
        let cases: &[(&str, BlockerReadings, &str)] = &[
            ("no reading", vec![], "unknown"),
            ("no blocker", vec![(0, vec![])], "good"),
            ("a young transaction", vec![(0, known(1))], "good"),
            ("at the threshold", vec![(0, known(300))], "good"),
            ("an old transaction at the first reading", vec![(0, known(301))], "slow"),
            ("the oldest of two", vec![(0, two())], "slow"),
            ("it stays open", vec![(0, known(1)), (300, known(2))], "slow"),
            ("it ends", vec![(0, known(301)), (10, vec![])], "good"),
            ("hidden start, at the first reading", vec![(0, hidden())], "unknown"),
            ("hidden start, at the threshold", vec![(0, hidden()), (300, hidden())], "unknown"),
            ("hidden start, over the threshold", vec![(0, hidden()), (301, hidden())], "slow"),
            ("hidden start, found later", vec![(0, vec![]), (200, hidden()), (301, hidden())], "good"),
            ("hidden start, xmin moves", vec![(0, hidden()), (301, next())], "good"),
            ("hidden start and an old transaction", vec![(0, [hidden(), known(301)].concat())], "slow"),
        ];
        for (case, readings, expected) in cases {
            let (mut monitor, mut now) = (DatabaseMonitor::default(), T0);
            for (secs, blockers) in readings {
                now = at(*secs);
                monitor.add_blockers(blockers.clone(), now);
            }
            assert_eq!(word(&monitor, now), *expected, "{case}");
        }
    }

    #[test]
    fn text_names_the_blocker_and_the_statement_that_ends_it() {
        let nameless = VacuumBlocker { application: String::new(), ..session("7", None) };
        let prepared =
            VacuumBlocker { kind: BlockerKind::PreparedTransaction, name: "it's".into(), ..session("", None) };
        let slot = VacuumBlocker { kind: BlockerKind::ReplicationSlot, name: "east".into(), ..session("", None) };
        for (blocker, subject, remedy) in [
            (session("7", None), "psql (user kim, pid 7) has had a transaction open since", "pg_terminate_backend(7)"),
            (nameless, "a session (user kim, pid 7)", "pg_terminate_backend(7)"),
            (prepared, "the prepared transaction 'it''s' (user kim)", "rollback prepared 'it''s'"),
            (slot, "the replication slot east", "pg_drop_replication_slot('east')"),
        ] {
            let text = blocker.text(T0);
            assert!(text.starts_with(subject) && text.ends_with(remedy), "{text}");
            assert!(text.contains("since 2023-11-14T22:13:20Z; vacuum cannot remove dead rows, and claims get slower"));
        }
        let mut monitor = DatabaseMonitor::default();
        monitor.add_blockers(vec![session("7", Some(400))], T0);
        let DatabaseHealth::Slow { since, text } = monitor.health(THRESHOLD, T0) else { panic!("it is slow") };
        assert_eq!(since, T0 - Span::from_secs(100), "since the threshold was exceeded");
        assert!(text.contains("since 2023-11-14T22:06:40Z"), "since the start of the transaction: {text}");
        assert_eq!(monitor.health(Span::from_secs(500), T0), DatabaseHealth::Good, "a longer threshold");
    }

    #[test]
    fn database_is_slow_while_the_writer_is_busy_over_the_whole_period() {
        // Time of the reading, busy and elapsed seconds of the writer.
        type WriterReadings<'a> = &'a [(u32, u32, u32)];
        let cases: &[(&str, WriterReadings<'_>, &str)] = &[
            ("first reading", &[(0, 0, 0)], "unknown"),
            ("busy, but not for the period", &[(0, 0, 0), (599, 599, 599)], "unknown"),
            ("busy for the period", &[(0, 0, 0), (600, 361, 600)], "slow"),
            ("at the limit", &[(0, 0, 0), (600, 360, 600)], "good"),
            ("busy before the period", &[(0, 0, 0), (600, 600, 600), (1_200, 700, 1_200)], "good"),
            ("again busy", &[(0, 0, 0), (600, 0, 600), (1_200, 500, 1_200)], "slow"),
            ("no time has passed", &[(0, 0, 0), (600, 0, 0)], "good"),
            ("the clock was set back", &[(900, 0, 0), (0, 600, 600), (599, 1_199, 1_199)], "unknown"),
        ];
        for (case, readings, expected) in cases {
            let (mut monitor, mut now) = (DatabaseMonitor::default(), T0);
            for (secs, busy, elapsed) in *readings {
                let time = WriterTime { busy: Span::from_secs(*busy), elapsed: Span::from_secs(*elapsed) };
                now = at(*secs);
                monitor.add_writer_time("sqlite:/var/lib/hub.db", time, now);
            }
            assert_eq!(word(&monitor, now), *expected, "{case}");
        }
    }

    #[test]
    fn readings_of_the_writer_are_bounded_and_its_text_stays_the_same() {
        let mut monitor = DatabaseMonitor::default();
        let mut texts = std::collections::BTreeSet::new();
        for secs in 0..5_000 {
            let time = WriterTime { busy: Span::from_secs(secs * 9), elapsed: Span::from_secs(secs * 10) };
            monitor.add_writer_time("sqlite:/var/lib/my hub.db", time, at(secs));
            if let DatabaseHealth::Slow { text, .. } = monitor.health(THRESHOLD, at(secs)) {
                texts.insert(text);
            }
        }
        assert_eq!(monitor.writer_readings.len(), 61);
        assert_eq!(texts.len(), 1, "{texts:?}");
        let text = texts.first().expect("a text");
        assert!(text.contains("more than 60 % of the last 10 min"), "{text}");
        let command = "hostler db copy --from 'sqlite:/var/lib/my hub.db' --to postgres://USER@HOST/DATABASE";
        assert!(text.ends_with(command), "{text}");
    }
}
