//! Pings: monitoring of programs elsewhere that report start and end over HTTP, compatible with Healthchecks.

use domain::{
    OrgId, Permission, PingId, Timestamp,
    ping::{Ping as Body, PingFault, PingWord},
    secret::{Secret, SecretKind},
};
use proto::api::ping::{Ping as View, PingHistory, PingMade, PingReport as ReportView, PingRequest, Pings};
use serde_json::json;
use store::ping::{Ping, PingReport};

use crate::app::{AuditEntry, RequestContext};
use crate::{Error, Hub, Result};

/// Most pings per organization.
const PINGS_MAX: u32 = 1_000;
/// Received signals kept per ping.
const REPORTS_KEPT: u32 = 100;
/// Default tolerance for a late signal.
const GRACE_SECONDS: u32 = 3_600;
/// Longest label, run id and body.
const LABEL_MAX: usize = 100;
const RID_MAX: usize = 64;
const BODY_MAX: usize = 10_000;

/// A received signal: start, success, failure or log.
pub(crate) struct Sign {
    pub(crate) word: PingWord,
    pub(crate) exit_code: Option<i32>,
    pub(crate) rid: Option<String>,
    pub(crate) body: String,
}

impl Hub {
    /// Lists the pings of an organization.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn ping_list(&self, org: OrgId) -> Result<Pings> {
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.ping_list(org, PINGS_MAX).await?) }))
            .await?;
        let now = self.now();
        Ok(Pings { items: rows.into_iter().map(|row| shown(row, now)).collect() })
    }

    /// Creates a ping. Its address is returned only here.
    ///
    /// # Errors
    /// Fails if the label or the expected schedule is invalid.
    pub async fn ping_create(&self, by: &RequestContext, org: OrgId, request: PingRequest) -> Result<PingMade> {
        by.must(Permission::AlertManage)?;
        let label = request.label.trim().to_owned();
        if label.is_empty() || label.chars().count() > LABEL_MAX || label.contains(char::is_control) {
            return Err(Error::invalid(format!(
                "`label` must have 1 to {LABEL_MAX} characters and no control characters"
            )));
        }
        let timezone = match (&request.cron_expr, request.timezone) {
            (Some(_), None) => Some(self.org_timezone(org).await?),
            (_, zone) => zone,
        };
        let body = Body {
            cron_expr: request.cron_expr,
            timezone,
            period_seconds: request.period_seconds,
            grace_seconds: request.grace_seconds.unwrap_or(GRACE_SECONDS),
        };
        let now = self.now();
        body.check(now).map_err(Error::invalid)?;
        let secret = Secret::new(SecretKind::Ping, self.random.bytes(), &[]);
        let ping = Ping {
            id: self.ids.next(),
            org_id: org,
            label,
            secret_hash: secret.hash(),
            body,
            started_at: None,
            succeeded_at: None,
            reported_at: None,
            last_word: None,
            created_by: by.caller.actor.label(),
            created_at: now,
            updated_at: now,
        };
        let (hub, by, row) = (self.clone(), by.clone(), ping.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if tx.ping_list(org, PINGS_MAX).await?.len() >= PINGS_MAX as usize {
                    return Err(Error::invalid(format!("an organization has at most {PINGS_MAX} pings")));
                }
                tx.ping_insert(&row).await?;
                let entry = AuditEntry {
                    action: "ping.created",
                    kind: "ping",
                    id: Some(row.id.to_string()),
                    name: Some(&row.label),
                    diff: json!({"ping": [null, row.body]}),
                };
                by.record(&hub, tx, Some(org), entry).await
            })
        });
        work.await?;
        let url = format!("{}/ping/{}", self.options.public_url, secret.reveal());
        Ok(PingMade { ping: shown(ping, now), url })
    }

    /// Removes a ping.
    ///
    /// # Errors
    /// Fails if the ping does not exist.
    pub async fn ping_remove(&self, by: &RequestContext, org: OrgId, id: PingId) -> Result<()> {
        by.must(Permission::AlertManage)?;
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if !tx.ping_remove(org, id).await? {
                    return Err(Error::not_found("ping", id));
                }
                let (id, diff) = (Some(id.to_string()), json!({}));
                by.record(
                    &hub,
                    tx,
                    Some(org),
                    AuditEntry { action: "ping.removed", kind: "ping", id, name: None, diff },
                )
                .await
            })
        });
        work.await?;
        self.wakes.alerts.wake();
        Ok(())
    }

    /// Lists the received signals of a ping, newest first.
    ///
    /// # Errors
    /// Fails if the ping does not exist.
    pub async fn ping_history(&self, org: OrgId, id: PingId) -> Result<PingHistory> {
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                tx.ping_get(org, id).await?.ok_or_else(|| Error::not_found("ping", id))?;
                Ok::<_, Error>(tx.ping_reports(id, REPORTS_KEPT).await?)
            })
        });
        let reports = read.await?.into_iter().map(|report| ReportView {
            at: report.at,
            word: report.word,
            rid: report.rid,
            exit_code: report.exit_code,
            address: report.address,
            body: report.body,
        });
        Ok(PingHistory { items: reports.collect() })
    }

    /// Stores a received signal. The secret in the address identifies the ping.
    pub(crate) async fn ping_receive(&self, by: &RequestContext, secret: &str, sign: Sign) -> Result<()> {
        let unknown = || Error::new(proto::Code::NotFound, "unknown ping address");
        let secret = Secret::parse(SecretKind::Ping, secret).map_err(|_| unknown())?;
        let (id, now, address) = (self.ids.next(), self.now(), by.address.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let ping = tx.ping_by_secret(secret.hash()).await?.ok_or_else(unknown)?;
                let report = PingReport {
                    id,
                    ping_id: ping.id,
                    at: now,
                    word: sign.word,
                    rid: sign.rid.map(|rid| rid.chars().filter(|c| !c.is_control()).take(RID_MAX).collect()),
                    exit_code: sign.exit_code,
                    address,
                    body: sign.body.chars().filter(|c| *c != '\0').take(BODY_MAX).collect(),
                };
                Ok::<_, Error>(tx.ping_report(&report, REPORTS_KEPT).await?)
            })
        });
        work.await?;
        self.wakes.alerts.wake();
        Ok(())
    }
}

fn shown(ping: Ping, now: Timestamp) -> View {
    let reports = ping.received_reports();
    let status = match (ping.body.fault(reports, now), ping.last_word) {
        (Some(PingFault::Late(_)), _) => "late",
        (Some(_), _) => "down",
        (None, None) => "new",
        (None, Some(PingWord::Start)) => "started",
        (None, Some(_)) => "up",
    };
    View {
        id: ping.id,
        label: ping.label,
        expected_at: ping.body.expected_at(reports),
        cron_expr: ping.body.cron_expr,
        timezone: ping.body.timezone,
        period_seconds: ping.body.period_seconds,
        grace_seconds: ping.body.grace_seconds,
        status: status.to_owned(),
        succeeded_at: ping.succeeded_at,
        reported_at: ping.reported_at,
        created_by: ping.created_by,
        created_at: ping.created_at,
    }
}
