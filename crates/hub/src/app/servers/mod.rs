//! Servers: create, list, show, change, move and remove long-lived processes on hosts.
//!
//! - `console`: reads the output of a server
//! - `form`: converts requests to stored servers
//! - `moves`: moves of servers between hosts
//! - `operate`: start, stop, restart, kill and input

mod console;
mod form;
pub(crate) mod moves;
mod operate;

use std::collections::{HashMap, hash_map::Entry};

use domain::{
    HostId, OrgId, Permission, ServerId, Timestamp,
    job::EndReason,
    server::{DesiredState, Server as Body, ServerState, limit_key},
};
use proto::{
    Code, Page,
    api::server::{Server as View, ServerRemoval, ServerRequest, ServerRun as RunView},
    page::PageQuery,
};
use serde_json::json;
use store::{
    Tx,
    host::HostView,
    server::{Live, Server, ServerRun},
};

use self::form::{body_of, patched};
use super::{AuditEntry, RequestContext, after_id, diff, host_state::judged, jobs::end_queued};
use crate::{Error, Hub, Result, queue::events::Changes, scheduler::placement::mark};

/// Most servers per organization.
const SERVERS_MAX: u32 = 10_000;
/// Servers shown with a host.
const OF_HOST_MAX: u32 = 1_000;

impl Hub {
    /// Creates a server. It is not started.
    ///
    /// # Errors
    /// Fails if a field is invalid, the name is taken, or the host accepts no servers.
    pub async fn server_create(&self, by: &RequestContext, org: OrgId, request: ServerRequest) -> Result<View> {
        by.must(Permission::ServerManage)?;
        let name = request.name.clone().ok_or_else(|| Error::invalid("a server needs a `name`"))?;
        check_name(&name)?;
        let host = request.host.clone().ok_or_else(|| Error::invalid("a server needs a `host`"))?;
        let host = self.server_host(org, &host).await?;
        let (id, now) = (self.ids.next(), self.now());
        let body = body_of(self, by, org, (id, &host), request.spec, None).await?;
        let server = Server {
            id,
            org_id: org,
            host_id: host.host.id,
            name,
            version: 1,
            body,
            live: Live::new(now),
            next_host: None,
            starts_there: false,
            origin: None,
            hub_id: None,
            created_by: by.caller.actor.label(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
        };
        let (hub, by, row) = (self.clone(), by.clone(), server.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let all = tx.server_list(org, ServerId::from_bytes([0; 16]), SERVERS_MAX).await?;
                    if all.len() >= SERVERS_MAX as usize {
                        return Err(Error::invalid(format!("an organization has at most {SERVERS_MAX} servers")));
                    }
                    tx.server_put(&row).await.map_err(|error| Error::of_named(error, "server", &row.name))?;
                    let made = json!({"host": [null, row.host_id], "server": [null, audited(&row.body, None)]});
                    by.record(&hub, tx, Some(org), audit_entry_of(&row, "server.created", made)).await?;
                    emit(&hub, tx, "server.created", &row, now).await?;
                    hand_over(&hub, tx, &row, row.host_id, false, now).await
                })
            })
            .await?;
        self.wakes.dispatch_poll.wake();
        self.news();
        self.server_shown(server).await
    }

    /// Lists the servers of an organization.
    ///
    /// # Errors
    /// Fails if the cursor is invalid.
    pub async fn server_list(&self, by: &RequestContext, org: OrgId, query: &PageQuery) -> Result<Page<View>> {
        let (after, limit) = (after_id(query.cursor.as_deref())?, query.limit());
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.server_list(org, after, limit + 1).await?) }))
            .await?;
        let page = Page::cut(rows, limit, |row| row.id.to_string());
        let shown = self.servers_shown(page.items).await?.into_iter().map(|view| concealed(by, view));
        Ok(Page { items: shown.collect(), next: page.next })
    }

    /// Returns a server by id or name.
    ///
    /// # Errors
    /// Fails if the server does not exist.
    pub async fn server_get(&self, by: &RequestContext, org: OrgId, text: &str) -> Result<View> {
        let server = self.server_named(org, text).await?;
        Ok(concealed(by, self.server_shown(server).await?))
    }

    /// Changes fields of a server. A running process keeps its settings until the server is restarted.
    ///
    /// # Errors
    /// Fails if the server does not exist, the result would be invalid, or the name is taken.
    pub async fn server_update(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        request: ServerRequest,
    ) -> Result<View> {
        by.must(Permission::ServerManage)?;
        let before = self.server_named(org, text).await?;
        must_be_ours(&before)?;
        let now = self.now();
        let host = self.server_host(org, request.host.as_deref().unwrap_or(&before.host_id.to_string())).await?;
        let spec = patched(&before.body, request.spec)?;
        let body = body_of(self, by, org, (before.id, &host), spec, Some(&before.body)).await?;
        let name = request.name.unwrap_or_else(|| before.name.clone());
        check_name(&name)?;
        let mut changed = Server { version: before.version + 1, name, body, updated_at: now, ..before.clone() };
        if host.host.id != before.next_host.unwrap_or(before.host_id) {
            let goes = host.host.id != before.host_id;
            changed.next_host = goes.then_some(host.host.id);
            changed.starts_there = goes && before.live.life.desired_state == DesiredState::Up;
        }
        let (hub, by, row) = (self.clone(), by.clone(), changed.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let changed = tx.server_want(&row, before.version).await;
                    if !changed.map_err(|error| Error::of_named(error, "server", &row.name))? {
                        let detail = format!("another request changed the server {}", before.name);
                        return Err(
                            Error::new(Code::ChangedMeanwhile, detail).hint("reload it, then repeat the change")
                        );
                    }
                    let mut what = diff(&audited(&before.body, None), &audited(&row.body, Some(&before.body)));
                    let (from, to) = (before.next_host.or(Some(before.host_id)), row.next_host.or(Some(row.host_id)));
                    if from != to {
                        what["host"] = json!([from, to]);
                    }
                    by.record(&hub, tx, Some(org), audit_entry_of(&row, "server.updated", what)).await?;
                    emit(&hub, tx, "server.updated", &row, now).await?;
                    // A move takes the server from its old host first, so jobs queued for it there are canceled.
                    let goes = row.next_host.is_some();
                    if goes {
                        end_waiting(&hub, tx, &row, EndReason::Superseded).await?;
                    }
                    hand_over(&hub, tx, &row, row.host_id, goes, now).await
                })
            })
            .await?;
        self.wakes.dispatch_poll.wake();
        self.wakes.servers.wake();
        self.news();
        self.server_shown(changed).await
    }

    /// Removes a server. Fails while it runs or has jobs, unless the request cancels them.
    ///
    /// # Errors
    /// Fails if the server does not exist, runs or has jobs.
    pub async fn server_remove(&self, by: &RequestContext, org: OrgId, text: &str, how: ServerRemoval) -> Result<()> {
        by.must(Permission::ServerManage)?;
        let server = self.server_named(org, text).await?;
        must_be_ours(&server)?;
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let Some(row) = tx.server_lock(org, server.id).await? else { return Ok(()) };
                    if how.cancel_jobs {
                        end_waiting(&hub, tx, &row, EndReason::Asked).await?;
                    } else {
                        refuse_in_use(tx, &row).await?;
                    }
                    let (before, version) = (row.version, row.version + 1);
                    let row = Server { version, updated_at: now, deleted_at: Some(now), next_host: None, ..row };
                    tx.server_want(&row, before).await?;
                    let gone = json!({"server": [audited(&row.body, None), null]});
                    by.record(&hub, tx, Some(org), audit_entry_of(&row, "server.removed", gone)).await?;
                    emit(&hub, tx, "server.removed", &row, now).await?;
                    hand_over(&hub, tx, &row, row.host_id, true, now).await
                })
            })
            .await?;
        self.wakes.dispatch_poll.wake();
        self.news();
        Ok(())
    }

    /// Lists the runs of a server, newest first.
    ///
    /// # Errors
    /// Fails if the server does not exist.
    pub async fn server_runs(&self, org: OrgId, text: &str, query: &PageQuery) -> Result<Page<RunView>> {
        let server = self.server_named(org, text).await?.id;
        let before = match query.cursor.as_deref() {
            None => i32::MAX,
            Some(cursor) => cursor.parse().map_err(|_| Error::invalid("invalid cursor; use `next` of a page"))?,
        };
        let limit = query.limit();
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                let runs = tx.server_run_list(server, before, i64::from(limit) + 1).await?;
                // Look up each host once: a server has many runs on few hosts.
                let mut hosts = HashMap::new();
                for run in &runs {
                    if let Entry::Vacant(unknown) = hosts.entry(run.host_id) {
                        unknown.insert(tx.host_anywhere(run.host_id).await?.map(|view| view.host.name));
                    }
                }
                Ok::<_, Error>((runs, hosts))
            })
        });
        let (rows, hosts) = read.await?;
        let page = Page::cut(rows, limit, |row| row.no.to_string());
        let shown = |run: ServerRun| run_shown(hosts.get(&run.host_id).cloned().flatten(), run);
        Ok(Page { items: page.items.into_iter().map(shown).collect(), next: page.next })
    }

    /// Finds a server of the organization by id or name.
    pub(crate) async fn server_named(&self, org: OrgId, text: &str) -> Result<Server> {
        let wanted = text.to_owned();
        let found = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    Ok::<_, Error>(match wanted.parse::<ServerId>() {
                        Ok(id) => tx.server_get(org, id).await?.into_iter().collect(),
                        Err(_) => tx.server_by_name(org, &wanted).await?,
                    })
                })
            })
            .await?;
        let shown: String = text.chars().take(100).collect();
        // If one of two servers with this name is this hub's own and the other is replicated, prefer the hub's own.
        let is_own = |server: &Server| server.origin.is_none() && server.hub_id.is_none();
        let found = match found.as_slice() {
            [first, second] if is_own(first) && !is_own(second) => vec![first.clone()],
            _ => found,
        };
        match <[Server; 1]>::try_from(found) {
            Ok([server]) => Ok(server),
            Err(found) if found.is_empty() => {
                Err(Error::not_found("server", shown).hint("`hostler server list` lists the servers"))
            }
            Err(_) => Err(Error::invalid(format!("several servers are named `{shown}`; use the id"))),
        }
    }

    /// Finds a host of the organization that accepts servers.
    async fn server_host(&self, org: OrgId, text: &str) -> Result<HostView> {
        let wanted = text.to_owned();
        let found = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    Ok::<_, Error>(match wanted.parse::<HostId>() {
                        Ok(id) => tx.host_get(org, id).await?,
                        Err(_) => tx.host_by_name(org, &wanted).await?,
                    })
                })
            })
            .await?;
        let shown: String = text.chars().take(100).collect();
        let view = found.filter(|view| view.host.revoked_at.is_none()).ok_or_else(|| {
            Error::not_found("host", &shown)
                .hint("`hostler host list` lists the hosts; a server needs a host of its own organization")
        })?;
        if let Some(primary) = &view.host.primary_hub {
            let detail = format!("{primary} is the primary hub of {shown}; this hub is a mirror");
            return Err(Error::new(Code::NotPrimary, detail).hint(format!("use that hub: hostler --hub {primary} …")));
        }
        // A host that has never connected has not reported its capabilities yet, so it is accepted.
        if !view.host.has_servers && view.session.is_some() {
            return Err(Error::new(Code::HostTakesNoServers, format!("the host {shown} accepts no servers from this hub"))
                .hint("its runner is too old or only accepts its own servers: update it, or create the server on that machine"));
        }
        Ok(view)
    }

    async fn server_shown(&self, server: Server) -> Result<View> {
        let shown = self.servers_shown(vec![server]).await?.pop();
        shown.ok_or_else(|| Error::internal(anyhow::anyhow!("a server cannot be shown")))
    }

    /// Builds the views of servers.
    async fn servers_shown(&self, servers: Vec<Server>) -> Result<Vec<View>> {
        let (now, since) = (self.now(), self.judged_since(self.now()));
        self.store.read(move |tx| Box::pin(async move { shown_in(tx, servers, now, since).await })).await
    }
}

/// Rejects an invalid name.
fn check_name(name: &str) -> Result<()> {
    domain::server::check_name(name).map_err(|wrong| Error::invalid(wrong.detail.clone()).faults(vec![wrong]))
}

/// Placeholder of a value that is not shown.
const CONCEALED: &str = "•••";

/// The view for this caller. Environment values may be secrets, so only callers who can set them see them.
fn concealed(by: &RequestContext, view: View) -> View {
    if by.caller.may(Permission::ServerManage) { view } else { without_env(view) }
}

fn without_env(mut view: View) -> View {
    view.spec.env.values_mut().for_each(|value| CONCEALED.clone_into(value));
    view
}

/// The server as recorded in the audit log: names of environment variables and which have changed, never their values.
fn audited(body: &Body, before: Option<&Body>) -> serde_json::Value {
    let mut body = body.clone();
    for (name, value) in &mut body.env {
        let is_same = before.is_none_or(|before| before.env.get(name) == Some(value));
        *value = if is_same { CONCEALED.to_owned() } else { format!("{CONCEALED} (changed)") };
    }
    json!(body)
}

/// Builds the views of servers, with host, current job and resource use.
pub(crate) async fn shown_in(
    tx: &mut Tx<'_>,
    servers: Vec<Server>,
    now: Timestamp,
    since: Timestamp,
) -> Result<Vec<View>> {
    let (mut hosts, mut views) = (HashMap::new(), Vec::with_capacity(servers.len()));
    for server in servers {
        for host in [Some(server.host_id), server.next_host].into_iter().flatten() {
            if !hosts.contains_key(&host)
                && let Some(view) = tx.host_anywhere(host).await?
            {
                hosts.insert(host, view);
            }
        }
        let jobs = tx.jobs_of_server(server.org_id, &server.host_id.to_string(), &limit_key(server.id)).await?;
        let job = jobs.iter().find(|job| job.is_running).or(jobs.first()).map(|job| job.job_id);
        views.push(shown(server, &hosts, job, now, since));
    }
    Ok(views)
}

/// Builds the views of a host's servers.
pub(crate) async fn of_host(tx: &mut Tx<'_>, host: HostId, now: Timestamp, since: Timestamp) -> Result<Vec<View>> {
    let servers = tx.server_of_host(host, OF_HOST_MAX).await?;
    Ok(shown_in(tx, servers, now, since).await?.into_iter().map(without_env).collect())
}

fn shown(
    server: Server,
    hosts: &HashMap<HostId, HostView>,
    job_id: Option<domain::JobId>,
    now: Timestamp,
    since: Timestamp,
) -> View {
    let host = hosts.get(&server.host_id);
    let status = host.map(|view| judged(view, now, since).0);
    let is_here = status.is_some_and(domain::presence::HostStatus::is_here);
    let session = host.and_then(|view| view.session.as_ref());
    let metrics: Option<proto::metrics::HostMetrics> =
        session.and_then(|session| serde_json::from_value(session.metrics.clone()?).ok());
    let uses = metrics.filter(|_| is_here && server.live.pid.is_some());
    let uses = uses.and_then(|metrics| metrics.servers.into_iter().find(|uses| uses.id == server.id));
    let moves_to =
        server.next_host.map(|next| hosts.get(&next).map_or_else(String::new, |view| view.host.name.clone()));
    View {
        id: server.id,
        name: server.name,
        host_id: server.host_id,
        host: host.map_or_else(String::new, |view| view.host.name.clone()),
        host_status: status.map_or_else(String::new, |status| status.to_string()),
        state: server.live.state,
        state_reason: server.live.state_reason,
        state_at: server.live.state_at,
        is_stale: !is_here && server.live.state != ServerState::Stopped,
        desired_state: server.live.life.desired_state,
        run: server.live.run_no,
        pid: server.live.pid,
        started_at: server.live.started_at,
        restarts: server.live.life.restarts,
        cpu_percent: uses.as_ref().map(|uses| uses.cpu_percent),
        memory_bytes: uses.map(|uses| uses.memory_bytes),
        job_id,
        spec: server.body,
        version: server.version,
        moves_to,
        is_hosts_own: server.origin.is_some(),
        is_hubs: server.hub_id.is_some() && server.origin.is_none(),
        created_by: server.created_by,
        created_at: server.created_at,
        updated_at: server.updated_at,
    }
}

fn run_shown(host: Option<String>, run: ServerRun) -> RunView {
    RunView {
        no: run.no,
        id: run.id,
        host,
        status: run.status,
        started_at: run.started_at,
        ready_at: run.ready_at,
        finished_at: run.finished_at,
        pid: run.pid,
        exit_code: run.exit_code,
        signal: run.signal,
        is_oom: run.is_oom,
        error: run.error_text,
    }
}

pub(crate) fn audit_entry_of<'d>(server: &'d Server, action: &'d str, diff: serde_json::Value) -> AuditEntry<'d> {
    AuditEntry { action, kind: "server", id: Some(server.id.to_string()), name: Some(&server.name), diff }
}

/// Writes an event about a change of a server.
async fn emit(hub: &Hub, tx: &mut Tx<'_>, name: &'static str, server: &Server, now: Timestamp) -> Result<()> {
    let mut changes = Changes::default();
    let item = json!({"server_id": server.id, "server": server.name, "host_id": server.host_id});
    changes.raw(server.org_id, name, &item);
    changes.write(hub, tx, now).await
}

/// Writes the server, or its removal, to the hub-to-host replication log. Not in standalone mode, where the runner
/// reads the same row. Call it last in the transaction.
pub(crate) async fn hand_over(
    hub: &Hub,
    tx: &mut Tx<'_>,
    server: &Server,
    host: HostId,
    is_deleted: bool,
    now: Timestamp,
) -> Result<()> {
    if hub.options.is_standalone {
        return Ok(());
    }
    tx.sync_log_server(host, server.id, is_deleted, mark(hub), now).await?;
    Ok(())
}

/// Rejects changes to replicated servers: they can only be changed where they were created.
fn must_be_ours(server: &Server) -> Result<()> {
    let (whose, way) = match (server.origin, server.hub_id) {
        (Some(_), _) => ("managed by its host", "run the same command on that machine"),
        (None, Some(_)) => ("managed by this machine's hub", "run the same command there"),
        (None, None) => return Ok(()),
    };
    Err(Error::new(Code::NotPrimary, format!("the server {} is {whose} and read-only here", server.name)).hint(way))
}

async fn end_waiting(hub: &Hub, tx: &mut Tx<'_>, server: &Server, reason: EndReason) -> Result<()> {
    let jobs = tx.jobs_of_server(server.org_id, &server.host_id.to_string(), &limit_key(server.id)).await?;
    let waiting: Vec<_> = jobs.iter().filter(|job| !job.is_running).map(|job| job.job_id).collect();
    end_queued(hub, tx, &waiting, reason).await?;
    Ok(())
}

async fn refuse_in_use(tx: &mut Tx<'_>, server: &Server) -> Result<()> {
    let jobs = tx.jobs_of_server(server.org_id, &server.host_id.to_string(), &limit_key(server.id)).await?;
    let name = &server.name;
    let all =
        format!("stop it first (hostler server stop {name}), or force the removal: hostler server rm {name} --force");
    if !jobs.is_empty() {
        let named: Vec<String> = jobs.iter().take(5).map(|job| job.job_id.to_string()).collect();
        let detail = format!("the server {name} still has waiting or running jobs: {}", named.join(", "));
        return Err(Error::new(Code::ServerInUse, detail).hint(all));
    }
    if server.live.life.run().is_some() {
        return Err(Error::new(Code::ServerInUse, format!("the server {name} is {}", server.live.state)).hint(all));
    }
    Ok(())
}
