//! Operations on servers: start, stop and restart as jobs, kill and input as immediate orders to the host.

use std::time::Duration;

use domain::{
    FromHost, HostId, JobId, OrgId, Permission, Span,
    server::{OrderKind, ServerOp, check_input, limit_key},
};
use proto::{
    Code,
    api::{
        job::JobRequest,
        server::{ServerAct, ServerActed, ServerInput},
    },
    link::ToRunner,
    work::{Order, Ordered},
};
use serde_json::json;
use store::server::{Server, ServerOrder};

use super::{super::RequestContext, audit_entry_of};
use crate::{
    Error, Hub, Result,
    app::{host_state::judged, jobs::Maker},
};

/// Longest wait for a host's answer, and the poll interval meanwhile, because another hub may receive it.
const ANSWER_MAX: Duration = Duration::from_secs(10);
const ASK_EVERY: Duration = Duration::from_millis(100);
/// Lifetime of an order. It is a little longer than the wait for its answer; a host that reconnects later must not kill
/// a server on an order that was reported as failed.
const ORDER_TTL: Span = Span::from_secs(12);
/// Orders repeated in one pass.
const ORDERS_MAX: u32 = 1_000;

impl Hub {
    /// Creates the job that starts, stops or restarts a server.
    ///
    /// # Errors
    /// Fails if the server does not exist or the job is rejected.
    pub async fn server_act(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        op: ServerOp,
        request: ServerAct,
    ) -> Result<ServerActed> {
        by.must(Permission::ServerOperate)?;
        let server = self.server_named(org, text).await?;
        let before = self.server_jobs(&server).await?;
        let maker = Maker { idempotency_key: by.job_key(), ..Maker::new(by.clone(), org) };
        let wanted = JobRequest {
            definition_key: op.key().to_owned(),
            payload: json!({"server": server.id}),
            correlation_id: request.reason,
            ..JobRequest::default()
        };
        let made = self.job_create(&maker, wanted).await?;
        let left = self.server_jobs(&server).await.map_err(Error::after_effect)?;
        let superseded = before.into_iter().filter(|job| Some(*job) != made.id && !left.contains(job)).collect();
        Ok(ServerActed { made, superseded })
    }

    /// Queued jobs of a server.
    async fn server_jobs(&self, server: &Server) -> Result<Vec<JobId>> {
        let (org, target, key) = (server.org_id, server.host_id.to_string(), limit_key(server.id));
        let jobs = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.jobs_of_server(org, &target, &key).await?) }))
            .await?;
        Ok(jobs.into_iter().filter(|job| !job.is_running).map(|job| job.job_id).collect())
    }

    /// Rejects an operation on a server whose host has another primary hub.
    pub(crate) async fn require_primary_hub(&self, server: &Server) -> Result<()> {
        let host = server.host_id;
        let view =
            self.store.read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.host_anywhere(host).await?) })).await?;
        match view.and_then(|view| view.host.primary_hub) {
            Some(primary) => {
                let detail =
                    format!("{primary} is the primary hub of the host of {}; this hub is a mirror", server.name);
                Err(Error::new(Code::NotPrimary, detail).hint(format!("use that hub: hostler --hub {primary} …")))
            }
            None => Ok(()),
        }
    }

    /// Kills a server immediately, whatever its jobs do. It stays stopped.
    ///
    /// # Errors
    /// Fails if the server does not exist or its host does not answer.
    pub async fn server_kill(&self, by: &RequestContext, org: OrgId, text: &str) -> Result<()> {
        by.must(Permission::ServerOperate)?;
        let server = self.server_named(org, text).await?;
        self.server_order(by, &server, OrderKind::Kill, String::new()).await
    }

    /// Writes a line to a server's standard input.
    ///
    /// # Errors
    /// Fails if the server does not exist or is not running, or its host does not answer.
    pub async fn server_input(&self, by: &RequestContext, org: OrgId, text: &str, input: ServerInput) -> Result<()> {
        by.must(Permission::ServerOperate)?;
        check_input(&input.line).map_err(|wrong| Error::invalid(wrong.detail.clone()).faults(vec![wrong]))?;
        let server = self.server_named(org, text).await?;
        if !server.body.console {
            return Err(Error::invalid(format!(
                "the server {} has no console; set `console` to send it input",
                server.name
            )));
        }
        self.server_order(by, &server, OrderKind::Input, input.line).await
    }

    /// Sends an order to a server, through the hub to which its host is connected, and waits for the outcome.
    async fn server_order(&self, by: &RequestContext, server: &Server, kind: OrderKind, body: String) -> Result<()> {
        self.require_primary_hub(server).await?;
        let now = self.now();
        if !self.is_host_here(server.host_id).await? {
            return Err(unreachable(server));
        }
        let order = ServerOrder {
            id: self.ids.next(),
            org_id: server.org_id,
            server_id: server.id,
            host_id: server.host_id,
            kind,
            body,
            created_by: by.caller.actor.label(),
            created_at: now,
            expires_at: now + ORDER_TTL,
            answered_at: None,
            error: None,
        };
        let (hub, by_in, row, of) = (self.clone(), by.clone(), order.clone(), server.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.order_put(&row).await?;
                    let action = if kind == OrderKind::Kill { "server.killed" } else { "server.input" };
                    let diff = json!({"line": [null, row.body]});
                    by_in.record(&hub, tx, Some(row.org_id), audit_entry_of(&of, action, diff)).await
                })
            })
            .await?;
        self.send_orders(&[(server.host_id, 0)], std::slice::from_ref(&order));
        self.queue.dispatcher.hub_notify.wake();
        self.await_order(&order, server).await
    }

    async fn is_host_here(&self, host: HostId) -> Result<bool> {
        let (now, since) = (self.now(), self.judged_since(self.now()));
        let view =
            self.store.read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.host_anywhere(host).await?) })).await?;
        Ok(view.is_some_and(|view| judged(&view, now, since).0.is_here()))
    }

    async fn await_order(&self, order: &ServerOrder, server: &Server) -> Result<()> {
        let (org, id) = (order.org_id, order.id);
        let until = tokio::time::Instant::now() + ANSWER_MAX;
        loop {
            let _ = tokio::time::timeout(ASK_EVERY, self.orders_answered.notified()).await;
            let known = self
                .store
                .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.order_get(org, id).await?) }))
                .await?;
            if let Some(ServerOrder { answered_at: Some(_), error, .. }) = known {
                return error
                    .map_or(Ok(()), |why| Err(Error::new(Code::ServerRefused, format!("{}: {why}", server.name))));
            }
            if tokio::time::Instant::now() >= until {
                return Err(unreachable(server));
            }
        }
    }

    /// Sends orders to hosts that are connected to this hub.
    fn send_orders(&self, hosts: &[(HostId, i64)], orders: &[ServerOrder]) {
        for (host, _) in hosts {
            let own = orders.iter().filter(|order| order.host_id == *host);
            let orders: Vec<Order> = own
                .map(|order| Order {
                    id: order.id,
                    server: order.server_id,
                    kind: order.kind,
                    body: order.body.clone(),
                })
                .collect();
            if !orders.is_empty() {
                self.queue.dispatcher.send(*host, ToRunner::Orders { orders });
            }
        }
    }

    /// Repeats unanswered orders: the first frame may be lost, or the order was requested at another hub.
    pub(crate) async fn repeat_orders(&self, hosts: &[(HostId, i64)]) -> Result<()> {
        let (ids, now) = (hosts.iter().map(|(host, _)| *host).collect::<Vec<_>>(), self.now());
        let open = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.orders_open(&ids, now, ORDERS_MAX).await?) }))
            .await?;
        self.send_orders(hosts, &open);
        Ok(())
    }

    /// Stores a host's answer to an order and wakes the request that waits for it.
    pub(crate) async fn order_answered(&self, answer: FromHost<Ordered>) -> Result<()> {
        let (sender, answer) = answer.into_parts();
        let now = self.now();
        let error = answer.error.map(|text| text.chars().filter(|c| *c != '\0').take(500).collect());
        self.store
            .write(move |tx| {
                Box::pin(async move { Ok::<_, Error>(tx.order_answer(sender, answer.id, error, now).await?) })
            })
            .await?;
        self.orders_answered.notify_waiters();
        Ok(())
    }
}

fn unreachable(server: &Server) -> Error {
    let detail = format!("the host of {} did not answer", server.name);
    Error::new(Code::HostUnreachable, detail)
        .hint("check that it is online; `hostler server stop` creates a job that waits for it")
}
