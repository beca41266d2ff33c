//! Suspend and shutdown signals of systemd-logind: the runner says goodbye to its hubs before the machine goes down.
//!
//! logind sends the signals on the system bus and delays the suspend or shutdown while the runner holds an inhibitor
//! lock. Without the bus or without logind the machine disappears without a goodbye, and its hubs notice it by the
//! missing heartbeats.

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
/// Usual path of the system bus.
pub const SYSTEM_BUS: &str = "/run/dbus/system_bus_socket";
/// Interval between attempts to connect to the bus.
const TRY_AGAIN: Duration = Duration::from_secs(300);
/// Time limit for a call on the bus.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(10);

/// Listener for the signals of logind.
pub struct Logind {
    address: String,
    leave: watch::Sender<Option<Leaving>>,
    links: Vec<watch::Receiver<Contact>>,
}

impl Logind {
    /// A listener on the bus with this address. It sends announced departures to `leave`, and delays the system until
    /// all `links` have sent their goodbye.
    #[must_use]
    pub fn new(address: String, leave: watch::Sender<Option<Leaving>>, links: Vec<watch::Receiver<Contact>>) -> Self {
        Self { address, leave, links }
    }

    /// Listens until shutdown.
    pub async fn run(mut self, shutdown: Shutdown) {
        let mut was_logged = false;
        loop {
            let ended = tokio::select! {
                ended = self.listen() => ended,
                () = shutdown.asked() => return,
            };
            // Without the bus the end of an announced departure is not signaled, so clear it.
            self.leave.send_replace(None);
            if let Err(error) = ended
                && !std::mem::replace(&mut was_logged, true)
            {
                tracing::debug!(error = %error, "cannot listen to systemd-logind for suspend and shutdown");
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
        let mut signals = MessageStream::for_match_rule(rule, &bus, None).await?;
        let mut holding = hold(&bus).await;
        tracing::debug!(is_held = holding.is_some(), "listening for sleep and shutdown");
        while let Some(message) = signals.next().await {
            match announced(&message?) {
                Some((why, true)) => {
                    tracing::info!(reason = %why, "the system announced a suspend or shutdown");
                    self.leave.send_replace(Some(why));
                    self.wait_for_goodbyes().await;
                    // Releases the inhibitor lock: the system continues.
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

    /// Waits until every link has sent its goodbye, up to a time limit.
    async fn wait_for_goodbyes(&mut self) {
        let goodbyes = async {
            for link in &mut self.links {
                // Closed only while the process stops.
                let _ = link.wait_for(|contact| contact.up_since.is_none()).await;
            }
        };
        let _ = tokio::time::timeout(GOODBYE_TIME_MAX, goodbyes).await;
    }
}

/// Takes an inhibitor lock, so that the system waits for the goodbye. Without the lock the goodbye is sent as well, but
/// may be too late.
async fn hold(bus: &Connection) -> Option<OwnedFd> {
    let asked = ("sleep:shutdown", "Hostler", "notifies its hubs that this machine goes down", "delay");
    let answer = bus.call_method(Some(NAME), PATH, Some(MANAGER), "Inhibit", &asked).await;
    match answer.and_then(|answer| answer.body().deserialize::<OwnedFd>()) {
        Ok(held) => Some(held),
        Err(error) => {
            tracing::debug!(error = %error, "cannot delay suspend and shutdown: the hubs may not be notified in time");
            None
        }
    }
}

/// The departure that a signal announces: its kind, and `true` for its start, `false` for its end.
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
    fn only_suspend_and_shutdown_signals_are_departures() {
        for (member, begins, expected) in [
            ("PrepareForSleep", true, Some((Leaving::Sleep, true))),
            ("PrepareForSleep", false, Some((Leaving::Sleep, false))),
            ("PrepareForShutdown", true, Some((Leaving::Shutdown, true))),
            ("SessionNew", true, None),
        ] {
            assert_eq!(announced(&signal(member, &begins)), expected, "{member}");
        }
        assert_eq!(announced(&signal("PrepareForSleep", &"soon")), None, "an argument of another type");
    }
}
