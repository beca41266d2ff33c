//! Replication of servers and their runs, in both directions. On the hub: the state that hosts report of the hub's
//! servers, and copies of hosts' own servers. On the host: the settings of the hub's servers.

use domain::{
    HostId, HubId, ServerId, Timestamp,
    sync::{
        doc::{Doc, OfHub, ServerDoc, ServerRunDoc, server_run_of_id},
        tables::SERVER,
    },
};

use super::{HubSide, StandaloneHost, documents::hex, epoch, unsigned};
use crate::{
    Result, Tx,
    event::EventId,
    server::{Live, Server, ServerRun},
};

struct OfRow {
    epoch: i64,
    hseq: i64,
}

rows! {
    OfRow { epoch, hseq }
}

statements! {
    MIRROR_SERVER_DELETE = same("delete from server where id = $1 and origin = $2");
    MIRROR_SERVER_RUN_DELETE = same("delete from server_run where server_id = $1 and no = $2 and host_id = $3");
    SERVER_OF = same("select epoch, hseq from sync_host_copy where hub_id = $1 and tbl = 'server' and id = $2");
}

impl Tx<'_> {
    /// Applies a host's server: a copy of its own one, or the reported state of the hub's server.
    pub(super) async fn mirror_server(&mut self, side: &HubSide, doc: &ServerDoc) -> Result<()> {
        let origin = side.sender.host();
        let before = self.server_anywhere(&[doc.id]).await?.into_iter().next();
        let of_ours = doc.of.filter(|of| of.hub == side.hub);
        let event = EventId::from_bytes(event_id(side, doc));
        match (before, of_ours) {
            (Some(before), Some(of)) if before.origin.is_none() => {
                let history = self.sync_hub_epoch(side.random, side.now).await?;
                let is_gone = doc.deleted_at.is_some() && doc.life.run().is_none();
                if before.host_id == origin {
                    self.server_live(&before, &live_of(doc), event, side.now).await?;
                }
                if is_gone && of.epoch == history.number {
                    self.sync_log_release(origin, SERVER.name, doc.id.to_bytes(), of.hseq).await?;
                }
                Ok(())
            }
            // The hub's server, from an epoch of its log that was lost: the host stops it at the end of its resend.
            (None, Some(_)) => Ok(()),
            (Some(before), _) if before.origin != Some(origin) => Ok(()),
            (before, _) => {
                let server = mirrored(side, doc);
                self.server_put(&Server { live: Live::new(side.now), ..server.clone() }).await?;
                let was = before.unwrap_or(Server { live: Live::new(side.now), ..server.clone() });
                self.server_live(&was, &server.live, event, side.now).await
            }
        }
    }

    /// Stores the runs of servers on a host.
    pub(super) async fn mirror_server_runs(&mut self, side: &HubSide, runs: Vec<ServerRunDoc>) -> Result<()> {
        for run in runs {
            self.server_run_put(&ServerRun {
                server_id: run.server,
                no: run.no,
                id: run.id,
                org_id: side.sender.org(),
                host_id: side.sender.host(),
                status: run.status,
                started_at: run.started_at,
                ready_at: run.ready_at,
                finished_at: run.finished_at,
                pid: run.pid,
                exit_code: run.exit_code,
                signal: run.signal,
                is_oom: run.is_oom,
                error_text: run.error_text,
                log_position: None,
                created_at: run.started_at,
                updated_at: side.now,
            })
            .await?;
        }
        Ok(())
    }

    /// Deletes the copies of servers that a host has deleted. The hub's own servers stay.
    pub(super) async fn mirror_servers_gone(&mut self, origin: HostId, servers: &[String]) -> Result<()> {
        for id in servers.iter().filter_map(|id| id.parse::<ServerId>().ok()) {
            execute!(self, MIRROR_SERVER_DELETE, id, origin)?;
        }
        Ok(())
    }

    /// Deletes the runs of servers that a host has deleted.
    pub(super) async fn mirror_server_runs_gone(&mut self, origin: HostId, runs: &[String]) -> Result<()> {
        for (server, no) in runs.iter().filter_map(|id| server_run_of_id(id)) {
            execute!(self, MIRROR_SERVER_RUN_DELETE, server, no, origin)?;
        }
        Ok(())
    }

    /// The content of this machine's servers, for the hubs that request it.
    pub(super) async fn server_docs(&mut self, wanted: &[String]) -> Result<Vec<(String, Doc)>> {
        let all: Vec<ServerId> = wanted.iter().filter_map(|id| read_hex(id)).collect();
        let mut docs = Vec::with_capacity(all.len());
        for server in self.server_anywhere(&all).await? {
            let of = match server.hub_id {
                None => None,
                Some(hub) => one!(self, SERVER_OF => OfRow, hub, server.id)?.map(|row| OfHub {
                    hub,
                    epoch: epoch(row.epoch),
                    hseq: unsigned(row.hseq),
                }),
            };
            docs.push((hex(server.id), Doc::Server(Box::new(ServerDoc { of, ..doc_of(server) }))));
        }
        Ok(docs)
    }

    /// The content of the runs of this machine's servers.
    pub(super) async fn server_run_docs(&mut self, wanted: &[String]) -> Result<Vec<(String, Doc)>> {
        let mut docs = Vec::new();
        for id in wanted {
            let Some((server, no)) = id.split_once(':') else { continue };
            let (Some(server), Ok(no)) = (read_hex(server), no.parse()) else { continue };
            if let Some(run) = self.server_run_get(server, no).await? {
                docs.push((id.clone(), Doc::ServerRun(Box::new(run_doc(run)))));
            }
        }
        Ok(docs)
    }

    /// Applies the settings of a hub's server on the host that runs it.
    pub(super) async fn host_copy_server(
        &mut self,
        now: Timestamp,
        standalone: StandaloneHost,
        hub: HubId,
        doc: &ServerDoc,
        is_deleted: bool,
    ) -> Result<()> {
        let before = self.server_anywhere(&[doc.id]).await?.into_iter().next();
        // A server of this machine's own: no hub may change it.
        if before.as_ref().is_some_and(|before| before.hub_id.is_none()) {
            return Ok(());
        }
        let deleted_at = (is_deleted || doc.deleted_at.is_some()).then_some(now);
        let before = match before {
            Some(before) => before,
            // Deleted before it arrived here: store it as deleted nevertheless, so that the hub receives the
            // confirmation.
            None => {
                // The numbers of its runs continue from the previous host.
                let live = Live { run_no: doc.run_no, ..Live::new(now) };
                Server { live, ..host_copy_here(standalone, hub, doc, now) }
            }
        };
        // Run numbers belong to the server, not to the host: it may have run on another host in between.
        let live = Live { run_no: before.live.run_no.max(doc.run_no), ..before.live };
        let server = Server { live, deleted_at, ..host_copy_here(standalone, hub, doc, now) };
        self.server_put(&server).await
    }

    /// Marks a hub's server as deleted on this machine, which stops it.
    pub(super) async fn host_copy_server_stop(&mut self, id: ServerId, hub: HubId, now: Timestamp) -> Result<()> {
        for server in self.server_anywhere(&[id]).await? {
            if server.hub_id == Some(hub) && server.deleted_at.is_none() {
                self.server_put(&Server { deleted_at: Some(now), updated_at: now, ..server }).await?;
            }
        }
        Ok(())
    }
}

/// The content of a server's row.
pub(super) fn doc_of(s: Server) -> ServerDoc {
    ServerDoc {
        id: s.id,
        name: s.name,
        version: s.version,
        body: s.body,
        life: s.live.life,
        state: s.live.state,
        state_reason: s.live.state_reason,
        state_at: s.live.state_at,
        run: s.live.run_id,
        run_no: s.live.run_no,
        pid: s.live.pid,
        started_at: s.live.started_at,
        created_by: s.created_by,
        created_at: s.created_at,
        updated_at: s.updated_at,
        deleted_at: s.deleted_at,
        of: None,
    }
}

fn host_copy_here(standalone: StandaloneHost, hub: HubId, doc: &ServerDoc, now: Timestamp) -> Server {
    Server {
        id: doc.id,
        org_id: standalone.org,
        host_id: standalone.host,
        name: doc.name.clone(),
        version: doc.version,
        body: doc.body.clone(),
        live: Live::new(now),
        next_host: None,
        starts_there: false,
        origin: None,
        hub_id: Some(hub),
        created_by: doc.created_by.clone(),
        created_at: doc.created_at,
        updated_at: now,
        deleted_at: None,
    }
}

/// The copy of a host's own server.
fn mirrored(side: &HubSide, doc: &ServerDoc) -> Server {
    Server {
        id: doc.id,
        org_id: side.sender.org(),
        host_id: side.sender.host(),
        name: doc.name.clone(),
        version: doc.version,
        body: doc.body.clone(),
        live: live_of(doc),
        next_host: None,
        starts_there: false,
        origin: Some(side.sender.host()),
        hub_id: doc.of.map(|of| of.hub),
        created_by: doc.created_by.clone(),
        created_at: doc.created_at,
        updated_at: side.now,
        deleted_at: doc.deleted_at,
    }
}

fn live_of(doc: &ServerDoc) -> Live {
    Live {
        life: doc.life.clone(),
        state: doc.state,
        state_reason: doc.state_reason.clone(),
        state_at: doc.state_at,
        run_id: doc.run,
        run_no: doc.run_no,
        pid: doc.pid,
        started_at: doc.started_at,
        boot_id: String::new(),
    }
}

fn run_doc(r: ServerRun) -> ServerRunDoc {
    ServerRunDoc {
        id: r.id,
        server: r.server_id,
        no: r.no,
        status: r.status,
        started_at: r.started_at,
        ready_at: r.ready_at,
        finished_at: r.finished_at,
        pid: r.pid,
        exit_code: r.exit_code,
        signal: r.signal,
        is_oom: r.is_oom,
        error_text: r.error_text,
    }
}

/// A unique event id without a random source: the time, as in all ids, then random bits that differ for each server.
fn event_id(side: &HubSide, doc: &ServerDoc) -> [u8; 16] {
    let ms = u64::try_from(side.now.as_micros() / 1_000).unwrap_or(0).to_be_bytes();
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&ms[2..]);
    let random = side.random ^ doc.state_at.as_micros().unsigned_abs();
    let random = random.to_be_bytes().into_iter().zip(doc.id.to_bytes().into_iter().skip(8));
    bytes.iter_mut().skip(8).zip(random).for_each(|(byte, (random, own))| *byte = random ^ own);
    bytes
}

fn read_hex(text: &str) -> Option<ServerId> {
    let bytes = data_encoding::HEXUPPER.decode(text.as_bytes()).ok()?;
    Some(ServerId::from_bytes(bytes.try_into().ok()?))
}
