//! Sessions of runners: one row per host, renewed by heartbeats.
//!
//! Each session has an epoch, one higher than the last. Every statement of a session (heartbeat, close, report of a
//! run) names its epoch and matches only the current one. A runner or hub with an old connection therefore cannot
//! change the rows of a newer session, even if its messages arrive late.

use std::collections::HashMap;

use domain::{HostId, HostSender, HubId, OrgId, Timestamp, secret::SecretHash};
use serde_json::{Value, json};
use sqlx::types::Json as PgJson;

use crate::{
    Result, Tx,
    columns::{column, ids, times},
    value::hex,
};

/// A session to open.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub host_id: HostId,
    pub hub_id: HubId,
    pub token_hash: SecretHash,
    pub incarnation: String,
    pub boot_id: String,
    pub runner_version: String,
    pub address: String,
    pub clock_skew_ms: i64,
}

/// A heartbeat of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Beat {
    pub sender: HostSender,
    pub at: Timestamp,
    pub clock_skew_ms: i64,
    pub metrics: Value,
}

/// Outcome of a heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeatOutcome {
    /// The session's row was updated.
    Stored,
    /// The session was closed, or replaced by one with a higher epoch. Nothing was stored.
    Superseded,
    /// The session is open, but another transaction has locked its row. Nothing was stored; a later heartbeat decides.
    /// Never on SQLite.
    Locked,
}

/// The host and session that a runner's session secret belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerAuth {
    pub host_id: HostId,
    pub org_id: OrgId,
    pub name: String,
    pub epoch: i64,
    pub revoked_at: Option<Timestamp>,
    pub closed_at: Option<Timestamp>,
}

/// An open session that a heartbeat names.
struct OpenRow {
    host_id: HostId,
    epoch: i64,
    is_stored: bool,
}

rows! {
    RunnerAuth { host_id, org_id, name, epoch, revoked_at, closed_at }
    OpenRow { host_id, epoch, is_stored }
}

statements! {
    // Increments the epoch in the statement that opens the session, so that no two sessions share one.
    SESSION_OPEN = same("
        insert into host_session
            (host_id, epoch, hub_id, token_hash, incarnation, boot_id, runner_version, address, connected_at,
             heartbeat_at, closed_at, goodbye, duplicate_at, clock_skew_ms, metrics, created_at, updated_at)
        values ($1, 1, $2, $3, $4, $5, $6, $7, $8, $8, null, null, null, $9, null, $8, $8)
        on conflict (host_id) do update
        set epoch = host_session.epoch + 1, hub_id = excluded.hub_id, token_hash = excluded.token_hash,
            incarnation = excluded.incarnation, boot_id = excluded.boot_id, runner_version = excluded.runner_version,
            address = excluded.address, connected_at = excluded.connected_at, heartbeat_at = excluded.heartbeat_at,
            closed_at = null, goodbye = null, clock_skew_ms = excluded.clock_skew_ms, updated_at = excluded.updated_at
        returning epoch");
    SESSION_CLOSE = same("
        update host_session
        set closed_at = $3, goodbye = $4, updated_at = $3
        where host_id = $1 and epoch = $2 and closed_at is null");
    SESSION_CLOSE_ALL = same("
        update host_session
        set closed_at = $1, updated_at = $1
        where closed_at is null");
    SESSION_DUPLICATE = same("update host_session set duplicate_at = $2, updated_at = $2 where host_id = $1");
    SESSION_BY_TOKEN = same("
        select s.host_id, h.org_id, h.name, s.epoch, h.revoked_at, s.closed_at
        from host_session s
        join host h on h.id = s.host_id
        where s.token_hash = $1");
    // One statement for any number of heartbeats. Those of an older epoch match no row. On PostgreSQL it skips rows
    // that another transaction has locked: waiting for one host would delay the heartbeats of all hosts in the batch,
    // and these hosts would seem to be offline. The update matches keys and not `ctid`: a row that was changed since
    // the statement began is at a position that its snapshot does not see.
    SESSION_BEATS = pair(
        "update host_session
        set heartbeat_at = max(heartbeat_at, b.at), clock_skew_ms = b.skew, metrics = b.metrics, updated_at = b.at
        from (
            select unhex(value ->> 'host') as host, value ->> 'epoch' as epoch, value ->> 'at' as at,
                value ->> 'skew' as skew, value -> 'metrics' as metrics
            from json_each($1)
        ) b
        where host_session.host_id = b.host and host_session.epoch = b.epoch and host_session.closed_at is null
        returning host_id, epoch, true as is_stored",
        "with beat as materialized (
            select b.*, l.host_id is not null as is_stored
            from unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::jsonb[]) b (host_id, epoch, at, skew, metrics)
            cross join lateral (
                select host_id from host_session
                where host_id = b.host_id and epoch = b.epoch and closed_at is null
                limit 1) s
            left join lateral (
                select host_id from host_session
                where host_id = b.host_id and epoch = b.epoch and closed_at is null
                limit 1 for update skip locked) l on true),
        stored as (
            update host_session
            set heartbeat_at = greatest(heartbeat_at, beat.at), clock_skew_ms = beat.skew, metrics = beat.metrics,
                updated_at = beat.at
            from beat
            where beat.is_stored and host_session.host_id = beat.host_id and host_session.host_id = any ($1::uuid[]))
        select host_id, epoch, is_stored from beat"
    );
}

impl Tx<'_> {
    /// Opens a session and returns its epoch, which is higher than that of every earlier session of this host.
    pub async fn host_session_open(&mut self, session: &NewSession, now: Timestamp) -> Result<i64> {
        let s = session;
        let epoch = value!(
            self, SESSION_OPEN => i64, s.host_id, s.hub_id, s.token_hash.clone(), s.incarnation.clone(), s.boot_id.clone(),
            s.runner_version.clone(), s.address.clone(), now, s.clock_skew_ms
        )?;
        epoch.ok_or(crate::Error::Dangling)
    }

    /// Closes a session. Returns `false` if it is closed already or is not the current one.
    pub async fn host_session_close(
        &mut self,
        host: HostId,
        epoch: i64,
        goodbye: Option<String>,
        now: Timestamp,
    ) -> Result<bool> {
        Ok(execute!(self, SESSION_CLOSE, host, epoch, now, goodbye)? == 1)
    }

    /// Closes all sessions. Only for a hub that knows that no other hub has any.
    pub async fn host_session_close_all(&mut self, now: Timestamp) -> Result<u64> {
        execute!(self, SESSION_CLOSE_ALL, now)
    }

    /// Stores that another machine tried to connect with this host's key (a cloned disk). The current session
    /// continues.
    pub async fn host_session_duplicate(&mut self, host: HostId, now: Timestamp) -> Result<()> {
        execute!(self, SESSION_DUPLICATE, host, now)?;
        Ok(())
    }

    /// Stores heartbeats, and returns the outcome of each in the same order. Never waits for another transaction on
    /// PostgreSQL.
    pub async fn host_session_beats(&mut self, beats: &[Beat]) -> Result<Vec<BeatOutcome>> {
        let row = |beat: &Beat| {
            json!({
                "host": hex(beat.sender.host()), "epoch": beat.sender.epoch(), "at": beat.at.as_micros(),
                "skew": beat.clock_skew_ms, "metrics": beat.metrics,
            })
        };
        let open = split!(
            self, SESSION_BEATS => OpenRow,
            sqlite(Value::Array(beats.iter().map(row).collect()).to_string()),
            postgres(
                ids(beats, |beat| beat.sender.host()),
                column(beats, |beat| beat.sender.epoch()),
                times(beats, |beat| beat.at),
                column(beats, |beat| beat.clock_skew_ms),
                column(beats, |beat| PgJson(&beat.metrics)),
            ),
        )?;
        let open: HashMap<(HostId, i64), bool> =
            open.into_iter().map(|row| ((row.host_id, row.epoch), row.is_stored)).collect();
        let outcome = |beat: &Beat| match open.get(&(beat.sender.host(), beat.sender.epoch())) {
            Some(true) => BeatOutcome::Stored,
            Some(false) => BeatOutcome::Locked,
            None => BeatOutcome::Superseded,
        };
        Ok(beats.iter().map(outcome).collect())
    }

    /// Returns the host whose current session has this secret.
    pub async fn host_session_auth(&mut self, token: SecretHash) -> Result<Option<RunnerAuth>> {
        one!(self, SESSION_BY_TOKEN => RunnerAuth, token)
    }
}
