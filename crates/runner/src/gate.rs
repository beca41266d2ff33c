//! The gate between one hub and this machine: the only way from a hub's grants, orders and server settings to the
//! catalogue, the servers and the rows here.
//!
//! Engine and link hold a gate and no [`Servers`]; the operations of [`Servers`] need a check, which only the gate has.
//! So code that handles a hub's request cannot forget to ask which trust is in force.

use std::{path::PathBuf, sync::Arc};

use domain::{
    RunId, ServerId,
    definition::{Definition, Trust},
    server::{OrderKind, ServerOp},
    trust::{self, OrderSender},
};
use proto::{metrics::ServerMetrics, work::Grant};

use crate::{
    catalogue::{Catalogue, narrowed},
    exec::Confinement,
    servers::{Operated, ServerOwner, Servers},
};

/// The permissions of one hub on this machine. Clones share the catalogue.
#[derive(Clone)]
pub struct HubGate {
    trust: Trust,
    sender: OrderSender,
    catalogue: Arc<Catalogue>,
    servers: Servers,
}

impl HubGate {
    /// A gate with the trust in force for this hub, see [`domain::trust::in_force`]. `catalogue` is the folder of the
    /// host's own definitions.
    #[must_use]
    pub fn new(trust: Trust, sender: OrderSender, catalogue: PathBuf, servers: Servers) -> Self {
        Self { trust, sender, catalogue: Arc::new(Catalogue::new(catalogue)), servers }
    }

    /// The trust in force for this hub.
    #[must_use]
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Whether the hub may send settings of servers and schedules: their commands would bypass the catalogue.
    #[must_use]
    pub fn takes_settings(&self) -> bool {
        self.trust == Trust::Hub
    }

    /// Whether the hub may send settings of servers. The standalone hub shares the database with the runner, so its
    /// servers are the machine's own.
    pub(crate) fn takes_servers(&self) -> bool {
        self.takes_settings() || self.sender == OrderSender::Standalone
    }

    /// How programs are kept away from the data folder and from each other.
    pub(crate) fn confinement(&self) -> Arc<Confinement> {
        self.servers.confinement()
    }

    /// The last measured resource usage of the servers.
    pub(crate) fn usage(&self) -> Vec<ServerMetrics> {
        self.servers.usage()
    }

    /// The grant and definition to run: the hub's, or the host's own definition with the same key.
    ///
    /// # Errors
    /// The reason for people: the host has no such definition.
    pub(crate) async fn definition(
        &self,
        grant: &Grant,
        sent: Arc<Definition>,
    ) -> Result<(Grant, Arc<Definition>), String> {
        if self.trust == Trust::Hub {
            return Ok((grant.clone(), sent));
        }
        let (catalogue, org) = (self.catalogue.clone(), grant.org_slug.clone());
        let found = tokio::task::spawn_blocking(move || catalogue.find(&sent.key, &org)).await;
        let own = found.unwrap_or_else(|error| Err(error.to_string()))?;
        Ok((narrowed(grant, &own), own))
    }

    /// Reads a changed catalogue, so that its errors are logged soon after an edit.
    pub(crate) async fn refresh_catalogue(&self) {
        if self.trust == Trust::Local {
            let catalogue = self.catalogue.clone();
            let _ = tokio::task::spawn_blocking(move || catalogue.list()).await;
        }
    }

    /// Performs a server job of this hub and waits for its result.
    ///
    /// # Errors
    /// The reason for people: the host does not allow the operation, or it failed.
    pub(crate) async fn operate(&self, server: ServerId, op: ServerOp, by: RunId) -> Result<Operated, String> {
        self.servers.operate(server, op, by, |owner| self.check(owner)).await
    }

    /// Cancels the operation of a canceled job.
    pub(crate) async fn give_up(&self, server: ServerId, op: ServerOp, by: RunId) {
        self.servers.give_up(server, op, by, |owner| self.check(owner)).await;
    }

    /// Carries out an order of this hub: kill a server, or write a line to its standard input.
    ///
    /// # Errors
    /// The reason for people: the host does not allow the order, or it failed.
    pub(crate) async fn order(&self, server: ServerId, kind: OrderKind, line: String) -> Result<(), String> {
        self.servers.order(server, kind, line, |owner| self.check(owner)).await
    }

    async fn check(&self, owner: ServerOwner) -> Result<(), String> {
        let ServerOwner { server, name, hub } = owner;
        let catalogue = self.catalogue.clone();
        // Only a host that trusts itself has rules in its catalogue.
        let is_listed = self.trust == Trust::Local && {
            let name = name.clone();
            tokio::task::spawn_blocking(move || catalogue.may_operate(server, &name)).await.unwrap_or_default()
        };
        trust::operate(self.trust, self.sender, hub, is_listed).map_err(|refused| format!("server {name}: {refused}"))
    }
}
