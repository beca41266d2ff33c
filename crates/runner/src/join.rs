//! Joining a hub: this machine becomes one of its hosts.

use domain::{
    HostId, Span, Timestamp,
    secret::{NotASecret, Secret, SecretKind},
};
use proto::{
    Code, VERSION,
    api::hub::HubInfo,
    link::{Bytes32, JoinAccepted, JoinRequest},
};

use crate::{
    Dial, Error, Identity, Result,
    dial::{check_proof, wrong_hub},
    identity::{PrivateKey, VersionedKey},
    machine,
};

/// Largest clock difference to the hub at join: with more, certificates, schedules and log times would be wrong.
pub const CLOCK_SKEW_REFUSED: Span = Span::from_secs(300);

/// The parameters of a join.
pub struct Join {
    pub dial: Dial,
    /// Address of the hub as stored in the identity.
    pub hub_url: Option<String>,
    /// The join token.
    pub token: String,
    /// Requested name; the machine's host name if absent.
    pub name: Option<String>,
    /// Whether missing heartbeats raise an alert.
    pub always_on: Option<bool>,
    /// Join although the clocks differ.
    pub ignore_clock: bool,
    /// Current wall clock time.
    pub now: Timestamp,
    /// Random bytes for the key and for the nonce.
    pub random: ([u8; 32], [u8; 32]),
    /// The host id from an earlier join: a machine has the same id at all its hubs.
    pub host_id: Option<HostId>,
    /// The key that this machine had at this hub before it left. A hub accepts an id again only with its key.
    pub former_key: Option<PrivateKey>,
}

/// Joins the hub. Compares the hub's key with the one in the token before it sends the token.
///
/// # Errors
/// The token is invalid or expired, the hub has another key, or the clocks differ. Then nothing has changed.
pub async fn join(join: Join) -> Result<(Identity, JoinAccepted)> {
    let secret = Secret::parse(SecretKind::Join, &join.token).map_err(mistyped)?;
    let hub_key: [u8; 32] = secret.extra().try_into().map_err(|_| mistyped(NotASecret::Checksum))?;
    let hub_key = Bytes32(hub_key);
    let info: HubInfo = join.dial.ask(hub_key, "GET", "/api/v1/hub", None, None::<&()>).await?;
    if info.public_key != hub_key {
        return Err(wrong_hub(&join.dial.name()));
    }
    if !join.ignore_clock {
        check_clock(join.now, info.time)?;
    }
    let key = join.former_key.unwrap_or_else(|| PrivateKey::new(join.random.0));
    let connection = join.dial.connect(hub_key).await?;
    let binding = connection.binding;
    let request = JoinRequest {
        token: secret.reveal().to_owned(),
        public_key: key.public(),
        name: join.name.unwrap_or_else(machine::name),
        always_on: join.always_on,
        machine: machine::describe(),
        runner_version: VERSION.to_owned(),
        nonce: Bytes32(join.random.1),
        host_id: join.host_id,
        is_bound: binding.is_some(),
    };
    let accepted: JoinAccepted = join.dial.ask_on(connection, "POST", "/api/v1/join", None, Some(&request)).await?;
    check_proof(&join.dial.name(), &hub_key, &request.nonce, binding.as_ref(), &accepted.proof)?;
    let identity = Identity {
        hub_url: join.hub_url,
        hub_key,
        host_id: accepted.host_id,
        org: accepted.org.clone(),
        name: accepted.name.clone(),
        key: VersionedKey { version: accepted.key_version, key },
        trust: domain::definition::Trust::Hub,
        next_key: None,
    };
    Ok((identity, accepted))
}

fn mistyped(error: NotASecret) -> Error {
    Error::new(Code::JoinTokenInvalid, format!("this is not a join token: {error}"))
        .hint("copy the whole line that `hostler invite` printed")
}

fn check_clock(own: Timestamp, hub: Timestamp) -> Result<()> {
    let (skew, side) = if own > hub { (own.since(hub), "ahead of") } else { (hub.since(own), "behind") };
    if skew <= CLOCK_SKEW_REFUSED {
        return Ok(());
    }
    Err(Error::new(Code::ClockSkew, format!("this machine's clock is {skew} {side} the hub's"))
        .hint("set the clock (timedatectl set-ntp true), or join anyway with --ignore-clock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_difference_over_five_minutes_is_rejected() {
        let noon = Timestamp::from_micros(1_700_000_000_000_000);
        assert!(check_clock(noon + Span::from_secs(299), noon).is_ok());
        let error = check_clock(noon + Span::from_secs(3_600), noon).expect_err("an hour ahead");
        assert_eq!(
            (error.code(), error.to_string().as_str()),
            (Code::ClockSkew, "this machine's clock is 1 h ahead of the hub's")
        );
        assert_eq!(
            check_clock(noon - Span::from_secs(3_600), noon).expect_err("behind").to_string(),
            "this machine's clock is 1 h behind the hub's"
        );
    }
}
