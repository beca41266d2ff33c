//! What a handler gets: the hub, and a caller who may be here.

use axum::{extract::FromRequestParts, http::request::Parts};
use domain::{HostId, OrgId, SessionId};
use store::socket_credential::Ground;

use crate::{
    Error, Hub,
    app::{By, pledge::Pledge},
};

/// The context of a request that was let in. Only `auth::authorise` makes one.
#[derive(Clone)]
pub struct Cx {
    /// The hub.
    pub hub: Hub,
    /// Who asks.
    pub by: By,
    /// The browser session, if that is how they came.
    pub session: Option<SessionId>,
    /// What a live socket of this caller would stand on.
    pub ground: Option<Ground>,
    /// The runner, on routes for runners.
    pub host: Option<HostId>,
    /// What must be made sure of with whatever is written, if the caller's token was not asked for.
    pub pledge: Option<Pledge>,
}

impl Cx {
    /// Asks for the caller's token, if nobody has: for handlers that answer before everything is written.
    ///
    /// # Errors
    /// The caller may no longer do this.
    pub async fn make_sure(&self) -> Result<(), Error> {
        match &self.pledge {
            Some(pledge) => pledge.make_sure(&self.hub).await,
            None => Ok(()),
        }
    }

    /// The org of an org's route.
    ///
    /// # Errors
    /// The route is not one of an org: a mistake of ours.
    pub fn org(&self) -> Result<OrgId, Error> {
        self.by
            .caller
            .org
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a handler asked for the org on a route without one")))
    }
}

impl<S: Sync> FromRequestParts<S> for Cx {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        // Absent only if a route was mounted without its guard, which `Routes` does not allow: fail closed.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a route without a guard was reached")))
    }
}
