//! What the system announces: that this machine will sleep, or be turned off. Hubs are told before it does.
//!
//! `systemd-logind` says so on the system bus and waits for those who asked it to. Where there is no such bus, or nobody
//! of that name on it, a machine leaves without a word and is missed after its threshold, as before.

use std::time::Duration;

use domain::{presence::Leaving, timeline::Contact};
use futures_util::StreamExt as _;
use runtime::Shutdown;
use tokio::sync::watch;
use zbus::{Connection, MatchRule, Message, MessageStream, OwnedFd, connection, message::Type};

use crate::link::GOODBYE_TIME_MAX;

const NAME: &str = "org.freedesktop.login1";
const PATH: &str = "/org/freedesktop/login1";
const MANAGER: &str = "org.freedesktop.login1.Manager";
/// Where the system bus is, on almost every machine that has one.
pub const SYSTEM_BUS: &str = "/run/dbus/system_bus_socket";
/// A bus that is gone is looked for again this often.
const TRY_AGAIN: Duration = Duration::from_secs(300);
/// How long the bus may take for an answer.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(10);

/// Listens to what the system announces.
pub struct Logind {
    address: String,
    leave: watch::Sender<Option<Leaving>>,
    links: Vec<watch::Receiver<Contact>>,
}

impl Logind {
    /// At the bus with this address. `leave` is told what is announced, and the system is held up until these links have
    /// said goodbye.
    #[must_use]
    pub fn new(address: String, leave: watch::Sender<Option<Leaving>>, links: Vec<watch::Receiver<Contact>>) -> Self {
        Self { address, leave, links }
    }

    /// Listens until shutdown.
    pub async fn run(mut self, shutdown: Shutdown) {
        let mut was_said = false;
        loop {
            let ended = tokio::select! {
                ended = self.listen() => ended,
                () = shutdown.asked() => return,
            };
            // Whatever was announced, nobody will say when it is over.
            self.leave.send_replace(None);
            if let Err(error) = ended
                && !std::mem::replace(&mut was_said, true)
            {
                tracing::debug!(error = %error, "the system does not say when it sleeps or is turned off");
            }
            tokio::select! {
                () = tokio::time::sleep(TRY_AGAIN) => {}
                () = shutdown.asked() => return,
            }
        }
    }

    async fn listen(&mut self) -> zbus::Result<()> {
        let bus = connection::Builder::address(self.address.as_str()).method_timeout(ANSWER_TIME_MAX).build().await?;
        let rule = MatchRule::builder().msg_type(Type::Signal).sender(NAME).interface(MANAGER).build()?;
        let mut said = MessageStream::for_match_rule(rule, &bus, None).await?;
        let mut holding = hold(&bus).await;
        tracing::debug!(is_held = holding.is_some(), "listening for sleep and shutdown");
        while let Some(message) = said.next().await {
            match announced(&message?) {
                Some((why, true)) => {
                    tracing::info!(reason = %why, "the system announces that it leaves");
                    self.leave.send_replace(Some(why));
                    self.until_told().await;
                    // The system goes on when this is gone.
                    drop(holding.take());
                }
                Some((_, false)) => {
                    self.leave.send_replace(None);
                    if holding.is_none() {
                        holding = hold(&bus).await;
                    }
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Waits until every hub has been told, or it takes too long.
    async fn until_told(&mut self) {
        let told = async {
            for link in &mut self.links {
                // Gone only while the process stops.
                let _ = link.wait_for(|contact| contact.up_since.is_none()).await;
            }
        };
        let _ = tokio::time::timeout(GOODBYE_TIME_MAX, told).await;
    }
}

/// Asks the system to wait for us. Without that a goodbye may come too late, and is still tried.
async fn hold(bus: &Connection) -> Option<OwnedFd> {
    let asked = ("sleep:shutdown", "Hostler", "tells its hubs that this machine leaves", "delay");
    let answer = bus.call_method(Some(NAME), PATH, Some(MANAGER), "Inhibit", &asked).await;
    match answer.and_then(|answer| answer.body().deserialize::<OwnedFd>()) {
        Ok(held) => Some(held),
        Err(error) => {
            tracing::debug!(error = %error, "the system does not wait for us before it sleeps");
            None
        }
    }
}

/// What a signal announces: why, and whether it begins or is over.
fn announced(message: &Message) -> Option<(Leaving, bool)> {
    let header = message.header();
    let why = match header.member()?.as_str() {
        "PrepareForSleep" => Leaving::Sleep,
        "PrepareForShutdown" => Leaving::Shutdown,
        _ => return None,
    };
    Some((why, message.body().deserialize::<bool>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(member: &str, body: &(impl serde::Serialize + zbus::DynamicType)) -> Message {
        Message::signal(PATH, MANAGER, member).build(body).expect("a message")
    }

    #[test]
    fn only_what_announces_a_departure_counts() {
        for (member, begins, expected) in [
            ("PrepareForSleep", true, Some((Leaving::Sleep, true))),
            ("PrepareForSleep", false, Some((Leaving::Sleep, false))),
            ("PrepareForShutdown", true, Some((Leaving::Shutdown, true))),
            ("SessionNew", true, None),
        ] {
            assert_eq!(announced(&signal(member, &begins)), expected, "{member}");
        }
        assert_eq!(announced(&signal("PrepareForSleep", &"soon")), None, "of another shape");
    }
}
