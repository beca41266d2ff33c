//! Alerts and their rules.

use domain::{
    AlertId, HostId, OrgId, Timestamp,
    alert::{AlertKind, AlertStatus, LiveAlert, Severity, SubjectKind},
};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times, times_opt},
    value::{Json, hex, id_texts},
};

/// An alert: a problem that exists or existed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    pub id: AlertId,
    pub org_id: OrgId,
    pub kind: AlertKind,
    pub subject_kind: SubjectKind,
    pub subject_id: String,
    pub subject_name: String,
    pub host_id: Option<HostId>,
    pub severity: Severity,
    pub status: AlertStatus,
    pub text: String,
    pub since_at: Timestamp,
    pub raised_at: Option<Timestamp>,
    pub notified_at: Option<Timestamp>,
    pub reminded_at: Option<Timestamp>,
    pub clear_since_at: Option<Timestamp>,
    pub flaps: i32,
    pub acked_at: Option<Timestamp>,
    pub acked_by: Option<String>,
    pub note: Option<String>,
    pub snoozed_until: Option<Timestamp>,
    pub resolved_at: Option<Timestamp>,
    pub resolved_reason: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Alert {
    /// Returns the part of the alert that its rules depend on.
    #[must_use]
    pub fn known(&self) -> LiveAlert {
        LiveAlert {
            status: self.status,
            since: self.since_at,
            clear_since: self.clear_since_at,
            text: self.text.clone(),
            flaps: self.flaps,
            notified_at: self.notified_at,
            reminded_at: self.reminded_at,
            snoozed_until: self.snoozed_until,
        }
    }

    /// Returns the subject in the form that mute windows use: `host:01J…`.
    #[must_use]
    pub fn subject(&self) -> String {
        format!("{}:{}", self.subject_kind, self.subject_id)
    }
}

struct RuleRow {
    kind: AlertKind,
    body: Json<Value>,
}

rows! {
    Alert {
        id, org_id, kind, subject_kind, subject_id, subject_name, host_id, severity, status, text, since_at, raised_at,
        notified_at, reminded_at, clear_since_at, flaps, acked_at, acked_by, note, snoozed_until, resolved_at,
        resolved_reason, created_at, updated_at
    }
    RuleRow { kind, body }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, org_id, kind, subject_kind, subject_id, subject_name, host_id, severity, status, text, since_at,
                raised_at, notified_at, reminded_at, clear_since_at, flaps, acked_at, acked_by, note, snoozed_until,
                resolved_at, resolved_reason, created_at, updated_at
            from alert ",
            $rest
        )
    };
}

statements! {
    // The partial unique index allows one unresolved alert per subject and kind, so two hubs that detect the same
    // problem insert one.
    ALERT_INSERT = pair(
        "insert into alert (id, org_id, kind, subject_kind, subject_id, subject_name, host_id, severity, status, text,
            since_at, raised_at, flaps, created_at, updated_at)
        select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3, value ->> 4, value ->> 5,
            unhex(value ->> 6), value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12,
            value ->> 13, value ->> 13
        from json_each($1) where true
        on conflict (org_id, kind, subject_id) where status <> 'resolved' do nothing",
        "insert into alert (id, org_id, kind, subject_kind, subject_id, subject_name, host_id, severity, status, text,
            since_at, raised_at, flaps, created_at, updated_at)
        select x.*, x.created_at from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
            $7::uuid[], $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[], $13::int[],
            $14::timestamptz[]) x (id, org_id, kind, subject_kind, subject_id, subject_name, host_id, severity, status,
                text, since_at, raised_at, flaps, created_at)
        on conflict (org_id, kind, subject_id) where status <> 'resolved' do nothing"
    );
    ALERT_UPDATE = pair(
        "update alert set severity = x.value ->> 1, status = x.value ->> 2, text = x.value ->> 3, since_at = x.value ->> 4,
            raised_at = x.value ->> 5, notified_at = x.value ->> 6, reminded_at = x.value ->> 7,
            clear_since_at = x.value ->> 8, flaps = x.value ->> 9, resolved_at = x.value ->> 10,
            resolved_reason = x.value ->> 11, subject_name = x.value ->> 12, updated_at = $2
        from json_each($1) x
        where alert.id = unhex(x.value ->> 0) and alert.status <> 'resolved'",
        "update alert set severity = x.severity, status = x.status, text = x.text, since_at = x.since_at,
            raised_at = x.raised_at, notified_at = x.notified_at, reminded_at = x.reminded_at, clear_since_at = x.clear_since_at,
            flaps = x.flaps, resolved_at = x.resolved_at, resolved_reason = x.resolved_reason,
            subject_name = x.subject_name, updated_at = $14
        from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
            $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::int[], $11::timestamptz[], $12::text[],
            $13::text[]) x (id, severity, status, text, since_at, raised_at, notified_at, reminded_at, clear_since_at, flaps,
                resolved_at, resolved_reason, subject_name)
        where alert.id = x.id and alert.status <> 'resolved'"
    );
    ALERT_FORGET = pair(
        "delete from alert where id in (select unhex(value) from json_each($1)) and status = 'pending'",
        "delete from alert where id = any ($1::uuid[]) and status = 'pending'"
    );
    ALERT_LIVE = same(select!("where status <> 'resolved' order by org_id, id limit $1"));
    ALERT_LIVE_OF = same(select!("where org_id = $1 and kind = $2 and subject_id = $3 and status <> 'resolved'"));
    ALERT_GET = same(select!("where org_id = $1 and id = $2"));
    ALERT_LIST = same(select!("
        where org_id = $1 and id < $2 and status <> 'pending' order by id desc limit $3"));
    ALERT_LIST_OPEN = same(select!("
        where org_id = $1 and id < $2 and status in ('open', 'acked') order by id desc limit $3"));
    ALERT_OF_HOST = same(select!("
        where org_id = $1 and host_id = $2 and raised_at is not null and raised_at < $4
            and (resolved_at is null or resolved_at >= $3)
        order by raised_at desc limit $5"));
    ALERT_RAISES = same("
        select count(*) from alert where org_id = $1 and kind = $2 and subject_id = $3 and raised_at > $4");
    ALERT_ACK = same("
        update alert set status = 'acked', acked_at = $3, acked_by = $4, note = $5, snoozed_until = $6, updated_at = $3
        where org_id = $1 and id = $2 and status in ('open', 'acked')");
    ALERT_SNOOZE = same("
        update alert set snoozed_until = $4, updated_at = $3
        where org_id = $1 and id = $2 and status in ('open', 'acked')");
    ALERT_PRUNE = same("
        delete from alert where id in (select id from alert where status = 'resolved' and resolved_at < $1 limit $2)");
    RULE_LIST = same("select kind, body from alert_rule where org_id = $1");
    RULE_PUT = same("
        insert into alert_rule (org_id, kind, body, created_at, updated_at) values ($1, $2, $3, $4, $4)
        on conflict (org_id, kind) do update set body = excluded.body, updated_at = excluded.updated_at");
    RULE_REMOVE = same("delete from alert_rule where org_id = $1 and kind = $2");
    HUB_ORGS = same(r#"
        select distinct m.org_id
        from member m
        join "user" u on u.id = m.user_id
        where u.is_super = $1 and u.is_disabled = $2
        limit $3"#);
    // Due time of the first ready job of each lane that is not bound to one host.
    POOL_HEADS = pair(
        "select l.org_id, min((select r.due_at from ready r where r.lane_id = l.id order by r.priority, r.due_at limit 1)) as at
        from lane l where l.target_kind <> 'host' group by l.org_id",
        "select l.org_id, min(h.due_at) as at
        from lane l
        cross join lateral (select due_at from ready where lane_id = l.id order by priority, due_at limit 1) h
        where l.target_kind <> 'host' group by l.org_id"
    );
}

struct OldestReadyJob {
    org_id: OrgId,
    at: Option<Timestamp>,
}

struct HubOrg {
    org_id: OrgId,
}

rows! {
    OldestReadyJob { org_id, at }
    HubOrg { org_id }
}

impl Tx<'_> {
    /// Inserts alerts and returns how many are new. An unresolved alert for the same subject is kept as it is.
    pub async fn alert_insert(&mut self, alerts: &[Alert]) -> Result<u64> {
        if alerts.is_empty() {
            return Ok(0);
        }
        let a = alerts;
        let row = |a: &Alert| {
            json!([
                hex(a.id),
                hex(a.org_id),
                a.kind,
                a.subject_kind,
                a.subject_id,
                a.subject_name,
                a.host_id.map(hex),
                a.severity,
                a.status,
                a.text,
                a.since_at.as_micros(),
                a.raised_at.map(Timestamp::as_micros),
                a.flaps,
                a.created_at.as_micros()
            ])
        };
        split_execute!(
            self,
            ALERT_INSERT,
            sqlite(Value::Array(alerts.iter().map(row).collect()).to_string()),
            postgres(
                ids(a, |a| a.id),
                ids(a, |a| a.org_id),
                column(a, |a| a.kind.as_str()),
                column(a, |a| a.subject_kind.as_str()),
                column(a, |a| a.subject_id.as_str()),
                column(a, |a| a.subject_name.as_str()),
                column(a, |a| a.host_id.map(|id| crate::value::pg::Uuid(id.to_bytes()))),
                column(a, |a| a.severity.as_str()),
                column(a, |a| a.status.as_str()),
                column(a, |a| a.text.as_str()),
                times(a, |a| a.since_at),
                times_opt(a, |a| a.raised_at),
                column(a, |a| a.flaps),
                times(a, |a| a.created_at),
            ),
        )
    }

    /// Updates alerts that are not resolved.
    pub async fn alert_update(&mut self, alerts: &[Alert], now: Timestamp) -> Result<u64> {
        if alerts.is_empty() {
            return Ok(0);
        }
        let a = alerts;
        let micros = |at: Option<Timestamp>| at.map(Timestamp::as_micros);
        let row = |a: &Alert| {
            json!([
                hex(a.id),
                a.severity,
                a.status,
                a.text,
                a.since_at.as_micros(),
                micros(a.raised_at),
                micros(a.notified_at),
                micros(a.reminded_at),
                micros(a.clear_since_at),
                a.flaps,
                micros(a.resolved_at),
                a.resolved_reason,
                a.subject_name
            ])
        };
        split_execute!(
            self,
            ALERT_UPDATE,
            sqlite(Value::Array(alerts.iter().map(row).collect()).to_string(), now.as_micros()),
            postgres(
                ids(a, |a| a.id),
                column(a, |a| a.severity.as_str()),
                column(a, |a| a.status.as_str()),
                column(a, |a| a.text.as_str()),
                times(a, |a| a.since_at),
                times_opt(a, |a| a.raised_at),
                times_opt(a, |a| a.notified_at),
                times_opt(a, |a| a.reminded_at),
                times_opt(a, |a| a.clear_since_at),
                column(a, |a| a.flaps),
                times_opt(a, |a| a.resolved_at),
                column(a, |a| a.resolved_reason.as_deref()),
                column(a, |a| a.subject_name.as_str()),
                crate::value::pg::Instant(now.as_micros()),
            ),
        )
    }

    /// Deletes pending alerts, which were never raised.
    pub async fn alert_forget(&mut self, alerts: &[AlertId]) -> Result<u64> {
        split_execute!(self, ALERT_FORGET, sqlite(id_texts(alerts)), postgres(ids(alerts, |id| *id)))
    }

    /// Returns unresolved alerts of all organizations.
    pub async fn alert_live(&mut self, limit: u32) -> Result<Vec<Alert>> {
        all!(self, ALERT_LIVE => Alert, i64::from(limit))
    }

    /// Returns the unresolved alert of this kind and subject.
    pub async fn alert_live_of(&mut self, org: OrgId, kind: AlertKind, subject: &str) -> Result<Option<Alert>> {
        one!(self, ALERT_LIVE_OF => Alert, org, kind, subject.to_owned())
    }

    /// Returns one alert.
    pub async fn alert_get(&mut self, org: OrgId, id: AlertId) -> Result<Option<Alert>> {
        one!(self, ALERT_GET => Alert, org, id)
    }

    /// Returns alerts of an organization, newest first, except pending ones.
    pub async fn alert_list(&mut self, org: OrgId, before: AlertId, limit: u32) -> Result<Vec<Alert>> {
        all!(self, ALERT_LIST => Alert, org, before, i64::from(limit))
    }

    /// Returns open and acknowledged alerts of an organization, newest first.
    pub async fn alert_list_open(&mut self, org: OrgId, before: AlertId, limit: u32) -> Result<Vec<Alert>> {
        all!(self, ALERT_LIST_OPEN => Alert, org, before, i64::from(limit))
    }

    /// Returns alerts about a host within a time range, newest first.
    pub async fn alert_of_host(
        &mut self,
        org: OrgId,
        host: HostId,
        from: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Alert>> {
        all!(self, ALERT_OF_HOST => Alert, org, host, from, until, i64::from(limit))
    }

    /// Returns how often this alert was raised since a time.
    pub async fn alert_raises(&mut self, org: OrgId, kind: AlertKind, subject: &str, since: Timestamp) -> Result<i64> {
        Ok(value!(self, ALERT_RAISES => i64, org, kind, subject.to_owned(), since)?.unwrap_or(0))
    }

    /// Acknowledges an alert. Returns `false` if it is not open or acknowledged.
    pub async fn alert_ack(
        &mut self,
        org: OrgId,
        id: AlertId,
        by: &str,
        note: &str,
        snoozed_until: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<bool> {
        Ok(execute!(self, ALERT_ACK, org, id, now, by.to_owned(), note.to_owned(), snoozed_until)? > 0)
    }

    /// Snoozes the notifications of an alert. Returns `false` if it is not open or acknowledged.
    pub async fn alert_snooze(&mut self, org: OrgId, id: AlertId, until: Timestamp, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, ALERT_SNOOZE, org, id, now, until)? > 0)
    }

    /// Deletes at most `limit` alerts resolved before a time.
    pub async fn alert_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, ALERT_PRUNE, before, i64::from(limit))
    }

    /// Returns the rules that an organization has changed.
    pub async fn alert_rules(&mut self, org: OrgId) -> Result<Vec<(AlertKind, Value)>> {
        let rows = all!(self, RULE_LIST => RuleRow, org)?;
        Ok(rows.into_iter().map(|row| (row.kind, row.body.0)).collect())
    }

    /// Changes a rule.
    pub async fn alert_rule_put(&mut self, org: OrgId, kind: AlertKind, body: Value, now: Timestamp) -> Result<()> {
        execute!(self, RULE_PUT, org, kind, Json(body), now)?;
        Ok(())
    }

    /// Puts a rule back to its default.
    pub async fn alert_rule_remove(&mut self, org: OrgId, kind: AlertKind) -> Result<()> {
        execute!(self, RULE_REMOVE, org, kind)?;
        Ok(())
    }

    /// Returns the organizations that receive alerts about the hub: their members include an active super admin.
    pub async fn alert_hub_orgs(&mut self, limit: u32) -> Result<Vec<OrgId>> {
        let rows = all!(self, HUB_ORGS => HubOrg, true, false, i64::from(limit))?;
        Ok(rows.into_iter().map(|row| row.org_id).collect())
    }

    /// Returns, per organization, the earliest due time of the next jobs that are not bound to one host.
    pub async fn pool_heads(&mut self) -> Result<Vec<(OrgId, Timestamp)>> {
        let rows = all!(self, POOL_HEADS => OldestReadyJob)?;
        Ok(rows.into_iter().filter_map(|row| Some((row.org_id, row.at?))).collect())
    }
}
