//! Hosts: list, show, change, pause, mark, share with other organizations, rotate and revoke keys.
//!
//! - `install`: install script and binary for new hosts
//! - `join`: joins a machine as a host, and removes a host that leaves
//! - `join_tokens`: join tokens of hosts
//! - `removal`: removes a host and ends its jobs
//! - `runner_texts`: limits of the texts and the key that a runner reports
//! - `schedules`: schedules of a host and their results
//! - `timeline`: history of a host

pub(crate) mod install;
pub(crate) mod join;
pub(crate) mod join_tokens;
pub(crate) mod removal;
pub(crate) mod runner_texts;
pub(crate) mod schedules;
pub(crate) mod timeline;

use domain::{
    HostId, OrgId, Permission, Selector, Span, Timestamp, name,
    org::check_threshold,
    presence::{HostStatus, ManualMark},
};
use proto::{
    Code, Page,
    api::host::{
        Host as HostShown, HostDetail, HostLimits, HostMark, HostMarkRequest, HostPatch, HostQuery, HostRejection,
        HostRun, HostSession, HostShare, HostShareRequest,
    },
    page::PageQuery,
};
use serde_json::{Value, json};
use store::{
    Tx,
    host::{Host, HostView},
    job::HostRun as StoredRun,
    org::Org,
    rejection::Rejection,
};

use crate::app::{
    AuditEntry, RequestContext, diff,
    host_state::{judged, metrics},
    people::orgs::{self, seconds},
};
use crate::{Error, Hub, Result, queue::cache::lanes};

/// Hosts read per query while filtering.
const SCAN: u32 = 500;
/// Running runs shown with a host.
const RUNNING_SHOWN: u32 = 100;
/// Finished runs shown with a host.
const LAST_SHOWN: u32 = 20;
/// Organizations a host can be shared with. Bounded because a claim compares the usage of all of them.
const SHARES_MAX: usize = 100;

fn shown(view: &HostView, now: Timestamp, since: Timestamp) -> HostShown {
    let (status, status_reason) = judged(view, now, since);
    let (host, session) = (&view.host, view.session.as_ref());
    HostShown {
        id: host.id,
        name: host.name.clone(),
        status,
        status_reason,
        last_heartbeat_at: session.map(|session| session.heartbeat_at),
        runner_version: session.map(|session| session.runner_version.clone()),
        key_version: host.key_version,
        key_version_wanted: host.key_version_wanted,
        rotation_due: host.key_version_wanted.is_some_and(|wanted| wanted > host.key_version),
        last_metrics: metrics(view),
        labels: host.labels.clone(),
        queues: host.queues.clone(),
        always_on: host.always_on,
        limits: HostLimits { max_running: host.max_running, jobs_per_minute: host.jobs_per_minute },
        primary_hub: host.primary_hub.clone(),
        created_at: host.created_at,
        updated_at: host.updated_at,
    }
}

async fn detail(tx: &mut Tx<'_>, view: &HostView, now: Timestamp, since: Timestamp) -> Result<HostDetail> {
    let host = &view.host;
    let shares = tx.host_shares(host.id).await?;
    let running = tx.host_runs_now(host.id.into(), RUNNING_SHOWN).await?;
    let last = tx.host_runs_last(host.id.into(), LAST_SHOWN).await?;
    let runs = |runs: Vec<StoredRun>| runs.into_iter().map(|run| run_shown(host, run)).collect();
    let mark = |mark: &Option<ManualMark>| {
        let in_force = mark.as_ref().filter(|mark| mark.until.is_none_or(|until| now < until));
        in_force.map(|mark| HostMark { note: mark.note.clone(), until: mark.until })
    };
    Ok(HostDetail {
        host: shown(view, now, since),
        machine: serde_json::from_value(host.machine.clone()).unwrap_or_default(),
        session: view.session.as_ref().map(|session| HostSession {
            epoch: session.epoch,
            connected_at: session.connected_at,
            closed_at: session.closed_at,
            goodbye: session.goodbye.clone(),
            address: Some(session.address.clone()),
            clock_skew_ms: session.clock_skew_ms,
        }),
        pause: mark(&host.pause),
        degraded_mark: mark(&host.degrade),
        offline_after_seconds: host.offline_after.map(seconds),
        alert_after_seconds: host.alert_after.map(seconds),
        queues_offered: tx.host_queues(host.id).await?,
        shared_with: shares
            .into_iter()
            .map(|share| HostShare { org: share.slug, created_at: share.created_at })
            .collect(),
        servers: crate::app::servers::of_host(tx, host.id, now, since).await?,
        running: runs(running),
        last_runs: runs(last),
        rejections: tx.rejection_list(host.org_id, host.id).await?.into_iter().map(rejection).collect(),
    })
}

fn rejection(row: Rejection) -> HostRejection {
    HostRejection {
        reason: row.reason,
        is_misbehavior: row.reason.is_misbehavior(),
        count: row.count,
        detail: row.detail,
        first_at: row.first_at,
        last_at: row.last_at,
    }
}

/// A run on a host. Of another organization's run only its existence and times are shown.
fn run_shown(host: &Host, run: StoredRun) -> HostRun {
    let is_own = run.org_id == host.org_id;
    HostRun {
        org: run.org_slug.filter(|_| !is_own),
        job_id: is_own.then_some(run.job_id),
        definition_key: run.definition_key.filter(|_| is_own),
        no: run.no,
        status: run.status,
        started_at: run.started_at,
        finished_at: run.finished_at,
        duration_ms: run.finished_at.map(|at| at.since(run.started_at).as_millis()),
        exit_code: run.exit_code.filter(|_| is_own),
        error_text: run.error_text.filter(|_| is_own),
    }
}

/// The filter of a host list, parsed from the query.
struct Wanted {
    statuses: Vec<HostStatus>,
    selector: Selector,
    name: Option<String>,
}

impl Wanted {
    fn read(query: &HostQuery) -> Result<Self> {
        let statuses = query.status.as_deref().unwrap_or_default();
        let statuses = statuses.split(',').map(str::trim).filter(|word| !word.is_empty() && *word != "any");
        Ok(Self {
            statuses: statuses.map(|word| word.parse().map_err(Error::invalid)).collect::<Result<_>>()?,
            selector: query.labels.as_deref().unwrap_or_default().parse()?,
            name: query.name.clone().filter(|name| !name.is_empty()),
        })
    }

    fn wants(&self, host: &HostShown) -> bool {
        (self.statuses.is_empty() || self.statuses.contains(&host.status))
            && self.selector.matches(&host.labels)
            && self.name.as_ref().is_none_or(|pattern| is_named(pattern, &host.name))
    }
}

/// Whether a name matches. A pattern without `*` matches any part of the name.
fn is_named(pattern: &str, name: &str) -> bool {
    if pattern.contains('*') { name::fits(pattern, name) } else { name.contains(pattern) }
}

impl Hub {
    /// Lists the hosts of an organization that match the query, by name.
    ///
    /// # Errors
    /// Fails if the query is invalid.
    pub async fn host_list(&self, org: OrgId, query: &HostQuery) -> Result<Page<HostShown>> {
        let wanted = Wanted::read(query)?;
        let limit = PageQuery { cursor: None, limit: query.limit }.limit();
        let now = self.now();
        let since = self.judged_since(now);
        let mut after = query.cursor.clone().unwrap_or_default();
        let mut found = Vec::new();
        // The state of a host is computed, not stored, so it is filtered here. That is cheap enough: an organization
        // has thousands of hosts, not millions.
        while found.len() <= limit as usize {
            let page_after = after.clone();
            let page = self
                .store
                .read(move |tx| {
                    Box::pin(async move { tx.host_list(org, &page_after, SCAN).await.map_err(Error::from) })
                })
                .await?;
            let Some(last) = page.last() else { break };
            after = last.host.name.clone();
            let is_last_page = page.len() < SCAN as usize;
            found.extend(page.iter().map(|view| shown(view, now, since)).filter(|host| wanted.wants(host)));
            if is_last_page {
                break;
            }
        }
        Ok(Page::cut(found, limit, |host| host.name.clone()))
    }

    /// Returns one host by id or name.
    ///
    /// # Errors
    /// Fails if the host does not exist.
    pub async fn host_get(&self, org: OrgId, reference: &str) -> Result<HostDetail> {
        let (reference, now) = (reference.to_owned(), self.now());
        let since = self.judged_since(now);
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let view = find(tx, org, &reference).await?;
                    detail(tx, &view, now, since).await
                })
            })
            .await
    }

    /// Changes a host. Operators may change `always_on`; everything else needs an admin.
    ///
    /// # Errors
    /// Fails if a value is invalid, the name is taken, or the role is missing.
    pub async fn host_update(
        &self,
        by: &RequestContext,
        org: OrgId,
        reference: &str,
        patch: HostPatch,
    ) -> Result<HostDetail> {
        let switches_only = HostPatch { always_on: None, dry_run: false, ..patch.clone() } == HostPatch::default();
        by.must(if switches_only { Permission::HostOperate } else { Permission::HostManage })?;
        check_patch(&patch)?;
        let is_dry = patch.dry_run;
        let action = if switches_only && patch.always_on.is_some() { "host.mode_updated" } else { "host.updated" };
        self.host_change(by, org, reference, action, is_dry, move |host| apply(host, patch)).await
    }

    /// Pauses a host, which then takes no new jobs.
    ///
    /// # Errors
    /// Fails if `until` is in the past.
    pub async fn host_pause(
        &self,
        by: &RequestContext,
        org: OrgId,
        host: &str,
        request: HostMarkRequest,
    ) -> Result<HostDetail> {
        let mark = self.mark(request)?;
        self.host_set(by, org, host, "host.paused", move |host| host.pause = Some(mark)).await
    }

    /// Resumes a paused host.
    ///
    /// # Errors
    /// Fails if the host does not exist.
    pub async fn host_resume(&self, by: &RequestContext, org: OrgId, host: &str) -> Result<HostDetail> {
        self.host_set(by, org, host, "host.resumed", |host| host.pause = None).await
    }

    /// Marks a host as degraded by hand.
    ///
    /// # Errors
    /// Fails if `until` is in the past.
    pub async fn host_mark_degraded(
        &self,
        by: &RequestContext,
        org: OrgId,
        host: &str,
        request: HostMarkRequest,
    ) -> Result<HostDetail> {
        let mark = self.mark(request)?;
        self.host_set(by, org, host, "host.degraded", move |host| host.degrade = Some(mark)).await
    }

    /// Removes the mark "degraded".
    ///
    /// # Errors
    /// Fails if the host does not exist.
    pub async fn host_unmark(&self, by: &RequestContext, org: OrgId, host: &str) -> Result<HostDetail> {
        self.host_set(by, org, host, "host.cleared", |host| host.degrade = None).await
    }

    /// Requests a new key from a host. A linked host replaces its key in the open session, an absent one when it returns.
    ///
    /// # Errors
    /// Fails if the host does not exist.
    pub async fn host_rotate_key(&self, by: &RequestContext, org: OrgId, host: &str) -> Result<HostDetail> {
        let wanted = |host: &mut Host| host.key_version_wanted = Some(host.key_version + 1);
        self.host_set(by, org, host, "host.key_rotation_asked", wanted).await
    }

    /// Revokes the keys of a host. Its socket is closed, and none of its keys is accepted again.
    ///
    /// # Errors
    /// Fails if the host does not exist.
    pub async fn host_revoke(&self, by: &RequestContext, org: OrgId, host: &str) -> Result<HostDetail> {
        let now = self.now();
        let revoke = move |host: &mut Host| host.revoked_at = host.revoked_at.or(Some(now));
        let detail = self.host_set(by, org, host, "host.revoked", revoke).await?;
        self.wakes.socket_revoker.wake();
        Ok(detail)
    }

    /// Shares a host with another organization: it then also runs that organization's jobs, by fair share.
    ///
    /// # Errors
    /// Fails if the host or organization does not exist, or the host is shared with too many organizations.
    pub async fn host_share(
        &self,
        by: &RequestContext,
        org: OrgId,
        host: &str,
        request: HostShareRequest,
    ) -> Result<HostDetail> {
        self.host_pool(by, org, host, request, Sharing::Into).await
    }

    /// Ends the sharing of a host with another organization. Jobs that run there finish.
    ///
    /// # Errors
    /// Fails if the host does not exist or is not shared with that organization.
    pub async fn host_unshare(
        &self,
        by: &RequestContext,
        org: OrgId,
        host: &str,
        request: HostShareRequest,
    ) -> Result<HostDetail> {
        self.host_pool(by, org, host, request, Sharing::OutOf).await
    }

    async fn host_pool(
        &self,
        by: &RequestContext,
        org: OrgId,
        reference: &str,
        request: HostShareRequest,
        way: Sharing,
    ) -> Result<HostDetail> {
        by.must(Permission::Installation)?;
        let (hub, by, reference, now) = (self.clone(), by.clone(), reference.to_owned(), self.now());
        let since = self.judged_since(now);
        let (detail, lanes) = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let view = find(tx, org, &reference).await?;
                    let host = &view.host;
                    let other = orgs::find(tx, &request.org).await?;
                    if pool(tx, host, &other, way, now).await? {
                        let diff = match way {
                            Sharing::Into => json!({"shared_with": [null, other.slug]}),
                            Sharing::OutOf => json!({"shared_with": [other.slug, null]}),
                        };
                        let action = if way == Sharing::Into { "host.shared" } else { "host.unshared" };
                        let (id, name) = (Some(host.id.to_string()), Some(host.name.as_str()));
                        by.record(&hub, tx, Some(org), AuditEntry { action, kind: "host", id, name, diff }).await?;
                    }
                    let lanes = lanes::rewrite(tx, host.id).await?;
                    Ok::<_, Error>((detail(tx, &view, now, since).await?, lanes))
                })
            })
            .await?;
        self.queue.dispatcher.set_lanes(detail.host.id, &lanes);
        self.wakes.dispatch_poll.wake();
        Ok(detail)
    }

    /// Sets one field of a host, without validation.
    async fn host_set(
        &self,
        by: &RequestContext,
        org: OrgId,
        reference: &str,
        action: &'static str,
        set: impl FnOnce(&mut Host) + Send + 'static,
    ) -> Result<HostDetail> {
        let change = move |host: &mut Host| {
            set(host);
            Ok(())
        };
        self.host_change(by, org, reference, action, false, change).await
    }

    fn mark(&self, request: HostMarkRequest) -> Result<ManualMark> {
        if request.until.is_some_and(|until| until <= self.now()) {
            return Err(Error::invalid("`until` is in the past"));
        }
        if request.note.chars().count() > 500 {
            return Err(Error::invalid("`note` must have at most 500 characters"));
        }
        Ok(ManualMark { note: request.note, until: request.until })
    }

    async fn host_change(
        &self,
        by: &RequestContext,
        org: OrgId,
        reference: &str,
        action: &'static str,
        is_dry: bool,
        change: impl FnOnce(&mut Host) -> Result<()> + Send + 'static,
    ) -> Result<HostDetail> {
        let (hub, by, reference, now) = (self.clone(), by.clone(), reference.to_owned(), self.now());
        let since = self.judged_since(now);
        let answer = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let id = find(tx, org, &reference).await?.host.id;
                    let mut view = tx.host_lock(org, id).await?.ok_or_else(|| Error::not_found("host", &reference))?;
                    let before = fields(&view.host);
                    change(&mut view.host)?;
                    let changed = diff(&before, &fields(&view.host));
                    if is_dry || changed.as_object().is_some_and(serde_json::Map::is_empty) {
                        return Ok((detail(tx, &view, now, since).await?, None));
                    }
                    view.host.updated_at = now;
                    match tx.host_update(&view.host).await {
                        Err(store::Error::UniqueViolation(_)) => {
                            return Err(Error::new(
                                Code::NameTaken,
                                format!("a host named `{}` already exists in this organization", view.host.name),
                            ));
                        }
                        other => drop(other?),
                    }
                    let entry = AuditEntry {
                        action,
                        kind: "host",
                        id: Some(view.host.id.to_string()),
                        name: Some(&view.host.name),
                        diff: changed,
                    };
                    by.record(&hub, tx, Some(org), entry).await?;
                    if !view.host.always_on {
                        no_longer_missed(&hub, tx, &by, &view.host).await?;
                    }
                    let lanes = lanes::rewrite(tx, view.host.id).await?;
                    let shown = detail(tx, &view, now, since).await?;
                    if before["labels"] != fields(&view.host)["labels"] {
                        crate::scheduler::placement::host_changed(&hub, tx, &view.host, now).await?;
                    }
                    Ok((shown, Some(lanes)))
                })
            })
            .await?;
        if let (detail, Some(lanes)) = &answer {
            self.queue.dispatcher.set_lanes(detail.host.id, lanes);
            self.wakes.dispatch_poll.wake();
        }
        self.wakes.presence.wake();
        self.wakes.alerts.wake();
        Ok(answer.0)
    }
}

/// Whether a host is shared or unshared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Into,
    OutOf,
}

/// Adds or removes one share of a host. Returns whether anything changed.
async fn pool(tx: &mut Tx<'_>, host: &Host, other: &Org, way: Sharing, now: Timestamp) -> Result<bool> {
    let name = &host.name;
    if other.id == host.org_id {
        return Err(Error::invalid(format!("the host {name} already belongs to the organization {}", other.slug)));
    }
    if way == Sharing::OutOf {
        if !tx.host_share_remove(host.id, other.id).await? {
            return Err(Error::new(Code::NotFound, format!("the host {name} is not shared with {}", other.slug))
                .hint(format!("`hostler host show {name}` lists the organizations it is shared with")));
        }
        tx.host_usage_remove(host.id, other.id).await?;
        return Ok(true);
    }
    if tx.host_shares(host.id).await?.len() >= SHARES_MAX {
        return Err(Error::invalid(format!("a host can be shared with at most {SHARES_MAX} organizations"))
            .hint(format!("stop sharing it with another organization first: hostler host unshare {name} --org ORG")));
    }
    Ok(tx.host_share_put(host.id, other.id, now).await?)
}

/// Resolves the offline alert of a host that became intermittent: such a host may be offline.
async fn no_longer_missed(hub: &Hub, tx: &mut Tx<'_>, by: &RequestContext, host: &Host) -> Result<()> {
    let kind = domain::alert::AlertKind::HostOffline;
    let Some(alert) = tx.alert_live_of(host.org_id, kind, &host.id.to_string()).await? else { return Ok(()) };
    let reason = format!("always-on was switched off by {}", by.caller.actor.label());
    crate::app::alerts::resolve_now(hub, tx, by, alert, reason).await
}

/// Finds a host of an organization by id or name. A host of another organization is not found.
pub(crate) async fn find(tx: &mut Tx<'_>, org: OrgId, reference: &str) -> Result<HostView> {
    let found = match reference.parse::<HostId>() {
        Ok(id) => tx.host_get(org, id).await?,
        Err(_) => tx.host_by_name(org, reference).await?,
    };
    found.ok_or_else(|| Error::not_found("host", reference).hint("`hostler host list` lists the hosts"))
}

fn check_patch(patch: &HostPatch) -> Result<()> {
    if let Some(name) = &patch.name {
        name::check(name)?;
    }
    for (what, limit) in [("max_running", patch.max_running), ("jobs_per_minute", patch.jobs_per_minute)] {
        if limit.flatten().is_some_and(|limit| !(1..=100_000).contains(&limit)) {
            return Err(Error::invalid(format!("`{what}` must be between 1 and 100,000, or null for no limit")));
        }
    }
    for (what, span) in [("offline_after", patch.offline_after_seconds), ("alert_after", patch.alert_after_seconds)] {
        if let Some(seconds) = span.flatten() {
            check_threshold(what, Span::from_secs(seconds))?;
        }
    }
    Ok(())
}

fn apply(host: &mut Host, patch: HostPatch) -> Result<()> {
    if let Some(name) = patch.name {
        host.is_named_by_person = true;
        host.name = name;
    }
    if let Some(labels) = &patch.labels {
        host.labels = host.labels.changed(labels)?;
    }
    host.queues = patch.queues.unwrap_or_else(|| host.queues.clone());
    host.always_on = patch.always_on.unwrap_or(host.always_on);
    host.max_running = patch.max_running.unwrap_or(host.max_running);
    host.jobs_per_minute = patch.jobs_per_minute.unwrap_or(host.jobs_per_minute);
    host.offline_after = patch.offline_after_seconds.map_or(host.offline_after, |seconds| seconds.map(Span::from_secs));
    host.alert_after = patch.alert_after_seconds.map_or(host.alert_after, |seconds| seconds.map(Span::from_secs));
    Ok(())
}

/// The editable fields of a host, compared for the diff in the audit log.
fn fields(host: &Host) -> Value {
    let mark = |mark: &Option<ManualMark>| mark.as_ref().map(|mark| json!({"note": mark.note, "until": mark.until}));
    json!({
        "name": host.name, "labels": host.labels, "queues": host.queues, "always_on": host.always_on, "max_running": host.max_running,
        "jobs_per_minute": host.jobs_per_minute, "offline_after_seconds": host.offline_after.map(seconds),
        "alert_after_seconds": host.alert_after.map(seconds), "pause": mark(&host.pause), "degraded_mark": mark(&host.degrade),
        "key_version_wanted": host.key_version_wanted, "revoked_at": host.revoked_at,
    })
}

#[cfg(test)]
mod tests {
    use domain::job::{JobStatus, RunStatus};
    use runtime::{Pass, Task as _};

    use super::*;
    use crate::{
        loops::Retention,
        queue::test_support::{TestQueue, local},
    };

    #[test]
    fn pattern_without_star_matches_part_of_a_name() {
        assert!(is_named("web", "my-web-1"));
        assert!(!is_named("web-*", "my-web-1"));
    }

    async fn status(fixture: &TestQueue) -> (HostStatus, String) {
        let host = fixture.hub.host_get(fixture.acme, "web-1").await.expect("the host exists").host;
        (host.status, host.status_reason)
    }

    testkit::db_test!(host_detail_lists_running_and_last_runs, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 30).await;
        fixture.enqueue(fixture.beta, 1).await;
        let mut of_beta = 0;
        for number in 0..24 {
            let grants = fixture.claim().await;
            of_beta += usize::from(grants[0].org == fixture.beta);
            let end = if number < 19 { RunStatus::Succeeded } else { RunStatus::Failed };
            fixture.end_as(&grants[0], Span::from_millis(10), end).await;
            let expected = if number < 23 { HostStatus::Online } else { HostStatus::Degraded };
            assert_eq!(status(&fixture).await.0, expected, "after {number}");
        }
        assert_eq!(of_beta, 1);
        assert_eq!(status(&fixture).await.1, "5 of its last 20 runs failed");
        let running = fixture.claim().await;
        let host = fixture.hub.host_get(fixture.acme, "web-1").await.expect("the host exists");
        assert_eq!(host.running.len(), 1);
        assert_eq!(host.running[0].job_id, Some(running[0].job));
        assert_eq!((host.last_runs.len(), host.last_runs[0].status), (20, RunStatus::Failed));
        assert!(host.last_runs.windows(2).all(|pair| pair[0].finished_at >= pair[1].finished_at));
        fixture.end(&running[0], Span::from_millis(10)).await;
        for _ in 0..16 {
            fixture.enqueue(fixture.beta, 1).await;
            let grants = fixture.claim().await;
            fixture.end(&grants[0], Span::from_millis(10)).await;
        }
        assert_eq!(
            status(&fixture).await.0,
            HostStatus::Online,
            "newer successes push the failures out of the last 20"
        );
        let host = fixture.hub.host_get(fixture.acme, "web-1").await.expect("the host exists");
        let foreign: Vec<&HostRun> = host.last_runs.iter().filter(|run| run.org.is_some()).collect();
        assert!(!foreign.is_empty(), "runs of beta are among the last runs");
        assert!(foreign.iter().all(|run| run.org.as_deref() == Some("beta") && run.job_id.is_none()));
        assert!(foreign.iter().all(|run| run.definition_key.is_none() && run.error_text.is_none()));
    });

    testkit::db_test!(retention_deletes_all_jobs_of_a_removed_org, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.beta, 700).await;
        for status in [RunStatus::Succeeded, RunStatus::Failed] {
            let grants = fixture.claim().await;
            fixture.end_as(&grants[0], Span::from_millis(10), status).await;
        }
        let running = fixture.claim().await;
        assert_eq!(running[0].org, fixture.beta);
        let removal = proto::api::org::OrgRemoval { confirm: "beta".into() };
        fixture.hub.org_remove(&local(), "beta", removal).await.expect("removes");
        let mut retention = Retention::new(fixture.hub.clone());
        while retention.pass(Pass { now: fixture.hub.now() }).await.expect("passes") == runtime::Next::Again {}
        let beta = fixture.beta;
        let left = fixture.hub.store.read(move |tx| {
            Box::pin(async move {
                Ok::<_, Error>((
                    tx.jobs_of_org(beta, 10).await?.len(),
                    tx.leases_of_org(beta, 10).await?.len(),
                    tx.tally_sum(beta).await?,
                    tx.org_purges(10).await?.len(),
                    tx.lanes_ready(10).await?.len(),
                    tx.job_ids_over(beta, JobStatus::Succeeded, domain::JobId::from_bytes([0xff; 16]), 10).await?.len(),
                ))
            })
        });
        assert_eq!(left.await.expect("reads"), (0, 0, store::tally::Tally::default(), 0, 0, 0));
        fixture.enqueue(fixture.acme, 1).await;
        assert_eq!(fixture.claim().await.len(), 1, "the slot of the removed job is free again");
    });
}
