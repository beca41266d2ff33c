//! Servers (long-running processes), their runs, and orders to them.

use domain::{
    DefinitionId, HostId, HostSender, HubId, JobId, OrderId, OrgId, RunId, ServerId, Timestamp,
    job::RunStatus,
    server::{OrderKind, Server as Body, ServerState, life::Life},
};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::ids,
    event::{EventId, NewEvent},
    log::Chunk,
    value::{Json, id_texts},
};

/// A server, with its settings and its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    pub id: ServerId,
    pub org_id: OrgId,
    pub host_id: HostId,
    pub name: String,
    /// Incremented by every change of the settings.
    pub version: i32,
    pub body: Body,
    pub live: Live,
    /// The host it moves to once its current host has released it.
    pub next_host: Option<HostId>,
    /// Whether to start it on that host.
    pub starts_there: bool,
    /// On a hub: the host that owns this copy.
    pub origin: Option<HostId>,
    /// On a host: the hub that owns this server.
    pub hub_id: Option<HubId>,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

/// The state of a server, as reported by its host.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    pub life: Life,
    pub state: ServerState,
    pub state_reason: String,
    /// Time of the last change of `state`.
    pub state_at: Timestamp,
    pub run_id: Option<RunId>,
    /// Number of the newest run.
    pub run_no: i32,
    pub pid: Option<i32>,
    /// Start of the process.
    pub started_at: Option<Timestamp>,
    /// Boot id of the machine when the process was started. A process id is valid only within one boot.
    pub boot_id: String,
}

impl Live {
    /// State of a server that has never run.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self {
            life: Life::default(),
            state: ServerState::Stopped,
            state_reason: String::new(),
            state_at: now,
            run_id: None,
            run_no: 0,
            pid: None,
            started_at: None,
            boot_id: String::new(),
        }
    }
}

/// A run of a server, from its start to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerRun {
    pub server_id: ServerId,
    pub no: i32,
    pub id: RunId,
    pub org_id: OrgId,
    pub host_id: HostId,
    pub status: RunStatus,
    pub started_at: Timestamp,
    pub ready_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    pub pid: Option<i32>,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    /// Whether the kernel killed it because memory ran out.
    pub is_oom: bool,
    pub error_text: Option<String>,
    /// On its host: position up to which its output was read.
    pub log_position: Option<Value>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An order to a server, such as a line for its standard input.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerOrder {
    pub id: OrderId,
    pub org_id: OrgId,
    pub server_id: ServerId,
    pub host_id: HostId,
    pub kind: OrderKind,
    pub body: String,
    pub created_by: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub answered_at: Option<Timestamp>,
    /// Error reported by the host; `None` if the order was executed.
    pub error: Option<String>,
}

struct Row {
    id: ServerId,
    org_id: OrgId,
    host_id: HostId,
    name: String,
    version: i32,
    body: Json<Value>,
    life: Json<Value>,
    state: ServerState,
    state_reason: String,
    state_at: Timestamp,
    run_id: Option<RunId>,
    run_no: i32,
    pid: Option<i32>,
    started_at: Option<Timestamp>,
    boot_id: String,
    next_host: Option<HostId>,
    starts_there: bool,
    origin: Option<HostId>,
    hub_id: Option<HubId>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Option<Timestamp>,
}

struct ServerRunRow {
    server_id: ServerId,
    no: i32,
    id: RunId,
    org_id: OrgId,
    host_id: HostId,
    status: RunStatus,
    started_at: Timestamp,
    ready_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
    pid: Option<i32>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    is_oom: bool,
    error_text: Option<String>,
    log_position: Option<Json<Value>>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

struct ServerRunIdRow {
    run_id: RunId,
}

/// A job of a server that is queued or running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerJob {
    pub job_id: JobId,
    pub definition_id: DefinitionId,
    pub is_running: bool,
}

rows! {
    Row {
        id, org_id, host_id, name, version, body, life, state, state_reason, state_at, run_id, run_no, pid, started_at, boot_id,
        next_host, starts_there, origin, hub_id, created_by, created_at, updated_at, deleted_at,
    }
    ServerRunRow {
        server_id, no, id, org_id, host_id, status, started_at, ready_at, finished_at, pid, exit_code, signal, is_oom,
        error_text, log_position, created_at, updated_at,
    }
    ServerOrder { id, org_id, server_id, host_id, kind, body, created_by, created_at, expires_at, answered_at, error }
    ServerRunIdRow { run_id }
    ServerJob { job_id, definition_id, is_running }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select s.id, s.org_id, s.host_id, s.name, s.version, s.body, s.life, s.state, s.state_reason, s.state_at, s.run_id,
                s.run_no, s.pid, s.started_at, s.boot_id, s.next_host, s.starts_there, s.origin, s.hub_id, s.created_by,
                s.created_at, s.updated_at, s.deleted_at
            from server s ",
            $rest
        )
    };
}

macro_rules! select_run {
    ($rest:literal) => {
        concat!(
            "select server_id, no, id, org_id, host_id, status, started_at, ready_at, finished_at, pid, exit_code, signal,
                is_oom, error_text, log_position, created_at, updated_at
            from server_run ",
            $rest
        )
    };
}

macro_rules! select_order {
    ($rest:literal) => {
        concat!(
            "select id, org_id, server_id, host_id, kind, body, created_by, created_at, expires_at, answered_at, error
            from server_order ",
            $rest
        )
    };
}

statements! {
    SERVER_PUT = same("
        insert into server (id, org_id, host_id, name, version, body, life, state, state_reason, state_at, run_id, run_no, pid,
            started_at, boot_id, next_host, starts_there, origin, hub_id, created_by, created_at, updated_at, deleted_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
        on conflict (id) do update set org_id = excluded.org_id, host_id = excluded.host_id, name = excluded.name,
            version = excluded.version, body = excluded.body, life = excluded.life, state = excluded.state,
            state_reason = excluded.state_reason, state_at = excluded.state_at, run_id = excluded.run_id,
            run_no = excluded.run_no, pid = excluded.pid, started_at = excluded.started_at, boot_id = excluded.boot_id,
            next_host = excluded.next_host, starts_there = excluded.starts_there, origin = excluded.origin,
            hub_id = excluded.hub_id, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at");
    SERVER_WANT = same("
        update server set name = $3, version = $4, body = $5, host_id = $6, next_host = $7, starts_there = $8, updated_at = $9,
            deleted_at = $10
        where id = $1 and version = $2");
    SERVER_LIVE = same("
        update server set life = $2, state = $3, state_reason = $4, state_at = $5, run_id = $6, run_no = $7, pid = $8,
            started_at = $9, boot_id = $10, updated_at = $11
        where id = $1");
    SERVER_GET = same(select!("where s.org_id = $1 and s.id = $2 and s.deleted_at is null"));
    SERVER_BY_NAME = same(select!("where s.org_id = $1 and s.name = $2 and s.deleted_at is null
        order by s.origin is not null, s.hub_id is not null, s.id limit 2"));
    SERVER_LOCK = pair(
        select!("where s.org_id = $1 and s.id = $2 and s.deleted_at is null"),
        select!("where s.org_id = $1 and s.id = $2 and s.deleted_at is null for update")
    );
    SERVER_ANYWHERE = pair(
        select!("join json_each($1) x on s.id = unhex(x.value)"),
        select!("where s.id = any ($1::uuid[])")
    );
    SERVER_LIST = same(select!("where s.org_id = $1 and s.id > $2 and s.deleted_at is null order by s.id limit $3"));
    SERVER_OF_HOST = same(select!("where s.host_id = $1 and s.deleted_at is null order by s.name, s.id limit $2"));
    SERVER_KEPT = same(select!("where s.origin is null order by s.id limit $1"));
    SERVER_LOOPING = same(select!("where s.state = 'crash_loop' and s.deleted_at is null and s.id > $1 order by s.id limit $2"));
    SERVER_MOVABLE = same(select!("
        where s.next_host is not null and s.deleted_at is null
            and not exists (select 1 from sync_log l where l.only_host = s.host_id and l.tbl = 'server' and l.id = s.id)
        order by s.id limit $1"));
    SERVER_FORGET = same("delete from server where id = $1");
    SERVER_RUNS_FORGET = same("delete from server_run where server_id = $1");
    SERVER_RUN_PUT = same("
        insert into server_run (server_id, no, id, org_id, host_id, status, started_at, ready_at, finished_at, pid, exit_code,
            signal, is_oom, error_text, log_position, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        on conflict (server_id, no) do update set id = excluded.id, status = excluded.status, host_id = excluded.host_id,
            started_at = excluded.started_at, ready_at = excluded.ready_at, finished_at = excluded.finished_at,
            pid = excluded.pid, exit_code = excluded.exit_code, signal = excluded.signal, is_oom = excluded.is_oom,
            error_text = excluded.error_text, updated_at = excluded.updated_at,
            log_position = coalesce(excluded.log_position, server_run.log_position)
        where server_run.org_id = excluded.org_id");
    SERVER_RUN_READ = same("update server_run set log_position = $3 where server_id = $1 and no = $2");
    SERVER_RUN_GET = same(select_run!("where server_id = $1 and no = $2"));
    SERVER_RUN_OF = same(select_run!("where id = $1 order by server_id limit 1"));
    SERVER_RUN_LIST = same(select_run!("where server_id = $1 and no < $2 order by no desc limit $3"));
    SERVER_RUN_OLD = same(select_run!("
        where server_id = $1 and finished_at < $2 and no < (select max(no) from server_run where server_id = $1)
        order by no limit $3"));
    SERVER_RUN_FORGET = same("delete from server_run where server_id = $1 and no = $2");
    SERVER_LOG_BYTES = same("
        select cast(coalesce(sum(c.bytes), 0) as bigint) from log_chunk c
        join server_run r on r.id = c.run_id where r.server_id = $1");
    SERVER_LOG_OLDEST = same("
        select r.id as run_id from server_run r
        where r.server_id = $1 and exists (select 1 from log_chunk c where c.run_id = r.id) order by r.no limit $2");
    SERVER_LOG_FORGET = same("
        delete from log_chunk where run_id = $1 and first_line in
            (select first_line from log_chunk where run_id = $1 order by first_line limit $2)");
    SERVER_LOG_FORGET_RUN = same("delete from log_chunk where run_id = $1");
    ORDER_PUT = same("
        insert into server_order (id, org_id, server_id, host_id, kind, body, created_by, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)");
    ORDER_GET = same(select_order!("where org_id = $1 and id = $2"));
    ORDERS_OPEN = pair(
        select_order!("where answered_at is null and expires_at > $2
            and host_id in (select unhex(value) from json_each($1)) order by id limit $3"),
        select_order!("where answered_at is null and expires_at > $2 and host_id = any ($1::uuid[]) order by id limit $3")
    );
    ORDER_ANSWER = same("
        update server_order set answered_at = $3, error = $4 where id = $1 and host_id = $2 and answered_at is null");
    ORDER_PRUNE = same("
        delete from server_order where id in (select id from server_order where expires_at < $1 limit $2)");
    SERVER_JOBS = same("
        select r.job_id, l.definition_id, false as is_running from lane l join ready r on r.lane_id = l.id
        where l.org_id = $1 and l.target_kind = 'host' and l.target = $2 and l.limit_key = $3
        union all
        select w.job_id, l.definition_id, false as is_running from lane l join waiting w on w.lane_id = l.id
        where l.org_id = $1 and l.target_kind = 'host' and l.target = $2 and l.limit_key = $3
        union all
        select e.job_id, l.definition_id, true as is_running from lane l join lease e on e.lane_id = l.id
        where l.org_id = $1 and l.target_kind = 'host' and l.target = $2 and l.limit_key = $3");
    SERVER_PURGE = same("delete from server where id in (select id from server where org_id = $1 limit $2)");
    SERVER_RUN_PURGE = same("
        delete from server_run where id in (select id from server_run where org_id = $1 limit $2)");
}

impl Tx<'_> {
    /// Inserts or overwrites a server.
    pub async fn server_put(&mut self, server: &Server) -> Result<()> {
        let (s, l) = (server, &server.live);
        execute!(
            self,
            SERVER_PUT,
            s.id,
            s.org_id,
            s.host_id,
            s.name.clone(),
            s.version,
            Json(json!(s.body)),
            Json(json!(l.life)),
            l.state,
            l.state_reason.clone(),
            l.state_at,
            l.run_id,
            l.run_no,
            l.pid,
            l.started_at,
            l.boot_id.clone(),
            s.next_host,
            s.starts_there,
            s.origin,
            s.hub_id,
            s.created_by.clone(),
            s.created_at,
            s.updated_at,
            s.deleted_at
        )?;
        Ok(())
    }

    /// Changes the settings of a server. Returns `false` if its stored version is not `before`.
    pub async fn server_want(&mut self, server: &Server, before: i32) -> Result<bool> {
        let s = server;
        let changed = execute!(
            self,
            SERVER_WANT,
            s.id,
            before,
            s.name.clone(),
            s.version,
            Json(json!(s.body)),
            s.host_id,
            s.next_host,
            s.starts_there,
            s.updated_at,
            s.deleted_at
        )?;
        Ok(changed > 0)
    }

    /// Stores the state of a server, and emits an event with id `event` if the status or the run has changed.
    pub async fn server_live(&mut self, server: &Server, live: &Live, event: EventId, now: Timestamp) -> Result<()> {
        let (s, l) = (server, live);
        execute!(
            self,
            SERVER_LIVE,
            s.id,
            Json(json!(l.life)),
            l.state,
            l.state_reason.clone(),
            l.state_at,
            l.run_id,
            l.run_no,
            l.pid,
            l.started_at,
            l.boot_id.clone(),
            now
        )?;
        if (s.live.state, &s.live.run_id) == (l.state, &l.run_id) {
            return Ok(());
        }
        let item = json!({
            "server_id": s.id, "server": s.name, "host_id": s.host_id, "state": l.state, "was": s.live.state,
            "reason": l.state_reason, "run_id": l.run_id, "run": l.run_no, "pid": l.pid, "at": l.state_at,
        });
        let items = json!([item]).to_string();
        let told = NewEvent { id: event, org_id: s.org_id, name: "server.state_changed".to_owned(), at: now, items };
        self.event_insert(&[told]).await
    }

    /// Returns a server of an organization.
    pub async fn server_get(&mut self, org: OrgId, id: ServerId) -> Result<Option<Server>> {
        one!(self, SERVER_GET => Row, org, id)?.map(Server::try_from).transpose()
    }

    /// Returns the servers with this name; two if the name is ambiguous.
    pub async fn server_by_name(&mut self, org: OrgId, name: &str) -> Result<Vec<Server>> {
        read_all(all!(self, SERVER_BY_NAME => Row, org, name.to_owned())?)
    }

    /// Returns a server of an organization and locks it.
    pub async fn server_lock(&mut self, org: OrgId, id: ServerId) -> Result<Option<Server>> {
        one!(self, SERVER_LOCK => Row, org, id)?.map(Server::try_from).transpose()
    }

    /// Returns these servers, whatever their organization, including deleted ones.
    pub async fn server_anywhere(&mut self, wanted: &[ServerId]) -> Result<Vec<Server>> {
        read_all(split!(self, SERVER_ANYWHERE => Row, sqlite(id_texts(wanted)), postgres(ids(wanted, |id| *id)))?)
    }

    /// Returns servers of an organization.
    pub async fn server_list(&mut self, org: OrgId, after: ServerId, limit: u32) -> Result<Vec<Server>> {
        read_all(all!(self, SERVER_LIST => Row, org, after, i64::from(limit))?)
    }

    /// Returns servers of a host.
    pub async fn server_of_host(&mut self, host: HostId, limit: u32) -> Result<Vec<Server>> {
        read_all(all!(self, SERVER_OF_HOST => Row, host, i64::from(limit))?)
    }

    /// Returns all servers that this machine runs, including those that are being deleted.
    pub async fn server_kept(&mut self, limit: u32) -> Result<Vec<Server>> {
        read_all(all!(self, SERVER_KEPT => Row, i64::from(limit))?)
    }

    /// Returns servers of all organizations in a crash loop.
    pub async fn server_looping(&mut self, after: ServerId, limit: u32) -> Result<Vec<Server>> {
        read_all(all!(self, SERVER_LOOPING => Row, after, i64::from(limit))?)
    }

    /// Returns servers that move to another host and that their current host has released.
    pub async fn server_movable(&mut self, limit: u32) -> Result<Vec<Server>> {
        read_all(all!(self, SERVER_MOVABLE => Row, i64::from(limit))?)
    }

    /// Deletes a server with its runs and their output.
    pub async fn server_forget(&mut self, server: &Server) -> Result<()> {
        for run in self.server_run_list(server.id, i32::MAX, i64::MAX).await? {
            self.server_log_forget(&run).await?;
        }
        execute!(self, SERVER_RUNS_FORGET, server.id)?;
        execute!(self, SERVER_FORGET, server.id)?;
        Ok(())
    }

    /// Returns queued and running jobs of a server, found by its host and the limit key that they share.
    pub async fn jobs_of_server(&mut self, org: OrgId, host: &str, limit_key: &str) -> Result<Vec<ServerJob>> {
        all!(self, SERVER_JOBS => ServerJob, org, host.to_owned(), limit_key.to_owned())
    }

    /// Inserts or updates a run.
    pub async fn server_run_put(&mut self, run: &ServerRun) -> Result<()> {
        let r = run;
        execute!(
            self,
            SERVER_RUN_PUT,
            r.server_id,
            r.no,
            r.id,
            r.org_id,
            r.host_id,
            r.status,
            r.started_at,
            r.ready_at,
            r.finished_at,
            r.pid,
            r.exit_code,
            r.signal,
            r.is_oom,
            r.error_text.clone(),
            r.log_position.clone().map(Json),
            r.created_at,
            r.updated_at
        )?;
        Ok(())
    }

    /// Inserts lines of a run, and stores up to which position its output was read. Both in one transaction, so that no
    /// line is lost or read twice after a crash.
    pub async fn server_lines(
        &mut self,
        server: ServerId,
        no: i32,
        chunks: &[Chunk],
        position: Option<Value>,
    ) -> Result<()> {
        self.log_insert(chunks).await?;
        execute!(self, SERVER_RUN_READ, server, no, position.map(Json))?;
        Ok(())
    }

    /// Returns one run.
    pub async fn server_run_get(&mut self, server: ServerId, no: i32) -> Result<Option<ServerRun>> {
        Ok(one!(self, SERVER_RUN_GET => ServerRunRow, server, no)?.map(ServerRun::from))
    }

    /// Returns a run by its id.
    pub async fn server_run_of(&mut self, run: RunId) -> Result<Option<ServerRun>> {
        Ok(one!(self, SERVER_RUN_OF => ServerRunRow, run)?.map(ServerRun::from))
    }

    /// Returns runs before this one, newest first.
    pub async fn server_run_list(&mut self, server: ServerId, before: i32, limit: i64) -> Result<Vec<ServerRun>> {
        let rows = all!(self, SERVER_RUN_LIST => ServerRunRow, server, before, limit)?;
        Ok(rows.into_iter().map(ServerRun::from).collect())
    }

    /// Deletes runs that ended before a time, and the oldest output beyond `bytes`. Returns whether more remains to be
    /// deleted.
    pub async fn server_prune(&mut self, server: &Server, before: Timestamp, bytes: u64, limit: u32) -> Result<bool> {
        let old = all!(self, SERVER_RUN_OLD => ServerRunRow, server.id, before, i64::from(limit))?;
        let is_more = old.len() == limit as usize;
        for run in old.into_iter().map(ServerRun::from) {
            self.server_log_forget(&run).await?;
            execute!(self, SERVER_RUN_FORGET, run.server_id, run.no)?;
        }
        let kept = value!(self, SERVER_LOG_BYTES => i64, server.id)?.unwrap_or(0);
        if u64::try_from(kept).unwrap_or(0) <= bytes {
            return Ok(is_more);
        }
        for ServerRunIdRow { run_id } in all!(self, SERVER_LOG_OLDEST => ServerRunIdRow, server.id, 1_i64)? {
            execute!(self, SERVER_LOG_FORGET, run_id, i64::from(limit))?;
        }
        Ok(true)
    }

    async fn server_log_forget(&mut self, run: &ServerRun) -> Result<()> {
        execute!(self, SERVER_LOG_FORGET_RUN, run.id)?;
        self.replicated_log_forget(run.id, run.host_id).await
    }

    /// Inserts an order.
    pub async fn order_put(&mut self, order: &ServerOrder) -> Result<()> {
        let o = order;
        let (body, by) = (o.body.clone(), o.created_by.clone());
        execute!(
            self,
            ORDER_PUT,
            o.id,
            o.org_id,
            o.server_id,
            o.host_id,
            o.kind,
            body,
            by,
            o.created_at,
            o.expires_at
        )?;
        Ok(())
    }

    /// Returns an order.
    pub async fn order_get(&mut self, org: OrgId, id: OrderId) -> Result<Option<ServerOrder>> {
        one!(self, ORDER_GET => ServerOrder, org, id)
    }

    /// Returns unexpired orders that these hosts have not answered.
    pub async fn orders_open(&mut self, hosts: &[HostId], now: Timestamp, limit: u32) -> Result<Vec<ServerOrder>> {
        let limit = i64::from(limit);
        split!(
            self, ORDERS_OPEN => ServerOrder,
            sqlite(id_texts(hosts), crate::value::Db(now), limit),
            postgres(ids(hosts, |id| *id), crate::value::Db(now), limit),
        )
    }

    /// Stores a host's answer to an order. Returns `false` if there is no such open order.
    pub async fn order_answer(
        &mut self,
        sender: HostSender,
        id: OrderId,
        error: Option<String>,
        now: Timestamp,
    ) -> Result<bool> {
        Ok(execute!(self, ORDER_ANSWER, id, sender.host(), now, error)? > 0)
    }

    /// Deletes orders that expired before a time.
    pub async fn order_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, ORDER_PRUNE, before, i64::from(limit))
    }

    /// Deletes servers and runs of a removed organization. Returns how many.
    pub(crate) async fn servers_purge(&mut self, org: OrgId, limit: u32) -> Result<u64> {
        let limit = i64::from(limit);
        Ok(execute!(self, SERVER_PURGE, org, limit)? + execute!(self, SERVER_RUN_PURGE, org, limit)?)
    }
}

fn read_all(rows: Vec<Row>) -> Result<Vec<Server>> {
    rows.into_iter().map(Server::try_from).collect()
}

impl TryFrom<Row> for Server {
    type Error = crate::Error;
    fn try_from(r: Row) -> Result<Self> {
        let decode = |error| crate::Error::from(sqlx::Error::Decode(Box::new(error)));
        Ok(Self {
            id: r.id,
            org_id: r.org_id,
            host_id: r.host_id,
            name: r.name,
            version: r.version,
            body: serde_json::from_value(r.body.0).map_err(decode)?,
            live: Live {
                life: serde_json::from_value(r.life.0).map_err(decode)?,
                state: r.state,
                state_reason: r.state_reason,
                state_at: r.state_at,
                run_id: r.run_id,
                run_no: r.run_no,
                pid: r.pid,
                started_at: r.started_at,
                boot_id: r.boot_id,
            },
            next_host: r.next_host,
            starts_there: r.starts_there,
            origin: r.origin,
            hub_id: r.hub_id,
            created_by: r.created_by,
            created_at: r.created_at,
            updated_at: r.updated_at,
            deleted_at: r.deleted_at,
        })
    }
}

impl From<ServerRunRow> for ServerRun {
    fn from(r: ServerRunRow) -> Self {
        Self {
            server_id: r.server_id,
            no: r.no,
            id: r.id,
            org_id: r.org_id,
            host_id: r.host_id,
            status: r.status,
            started_at: r.started_at,
            ready_at: r.ready_at,
            finished_at: r.finished_at,
            pid: r.pid,
            exit_code: r.exit_code,
            signal: r.signal,
            is_oom: r.is_oom,
            error_text: r.error_text,
            log_position: r.log_position.map(|json| json.0),
            created_at: r.created_at,
            updated_at: r.updated_at,
        }
    }
}
