//! A machine announces suspend and shutdown to its hub in advance: with a real D-Bus daemon and a simulated
//! `systemd-logind`.

use std::process::{Child, Command, Stdio};

use domain::{OrgId, presence::Leaving};
use futures_util::StreamExt as _;
use hub::Hub;
use runner::logind::Logind;
use runtime::Shutdown;
use tokio::{io::AsyncReadExt as _, net::UnixStream, sync::watch};
use zbus::{Connection, MessageStream, OwnedFd, message::Type};

use crate::link::{by, hub, join, link, run, status};

const PATH: &str = "/org/freedesktop/login1";
const MANAGER: &str = "org.freedesktop.login1.Manager";

/// A private D-Bus daemon.
struct Bus {
    daemon: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Bus {
    fn start() -> Self {
        let folder = tempfile::TempDir::new().expect("a folder");
        let address = format!("unix:path={}", folder.path().join("bus").display());
        let daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", &format!("--address={address}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon runs; scripts/setup installs it");
        Self { daemon, address, _folder: folder }
    }

    async fn connect(&self) -> Connection {
        for _ in 0..500 {
            if let Ok(bus) = zbus::connection::Builder::address(self.address.as_str()).build().await {
                return bus;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("dbus-daemon did not start");
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// The simulated `systemd-logind`.
struct SimulatedLogind {
    bus: Connection,
    calls: MessageStream,
}

impl SimulatedLogind {
    async fn start(bus: &Bus) -> Self {
        let bus = bus.connect().await;
        let calls = MessageStream::from(&bus);
        bus.request_name("org.freedesktop.login1").await.expect("the name is free");
        Self { bus, calls }
    }

    /// Waits for an `Inhibit` call of the runner. The returned stream ends when the runner releases the inhibitor lock.
    async fn inhibit_call(&mut self) -> UnixStream {
        loop {
            let message = self.calls.next().await.expect("the bus is connected").expect("a message");
            let header = message.header();
            if header.message_type() != Type::MethodCall || header.member().is_none_or(|name| name != "Inhibit") {
                continue;
            }
            let asked: (String, String, String, String) = message.body().deserialize().expect("four words");
            assert_eq!((asked.0.as_str(), asked.3.as_str()), ("sleep:shutdown", "delay"));
            let (ours, theirs) = std::os::unix::net::UnixStream::pair().expect("a pair");
            let theirs = OwnedFd::from(std::os::fd::OwnedFd::from(theirs));
            self.bus.reply(&header, &theirs).await.expect("answers");
            ours.set_nonblocking(true).expect("does not block");
            return UnixStream::from_std(ours).expect("a stream");
        }
    }

    async fn announce(&self, signal: &str, begins: bool) {
        self.bus.emit_signal(None::<&str>, PATH, MANAGER, signal, &begins).await.expect("announces");
    }
}

/// Waits until the host has a status, and returns the reason. A host that is degraded by a full disk counts as online.
async fn becomes(hub: &Hub, org: OrgId, expected: &str) -> String {
    let mut now = status(hub, org).await;
    for _ in 0..1_000 {
        let is_there = expected == "online" && now.0 == "degraded";
        if now.0 == expected || is_there {
            return now.1;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        now = status(hub, org).await;
    }
    panic!("{now:?} instead of {expected}");
}

testkit::db_test!(suspend_and_shutdown_are_announced_to_the_hub, |db| async move {
    let (bus, hub) = (Bus::start(), hub(&db).await);
    let mut login = SimulatedLogind::start(&bus).await;
    let (org, identity) = join(&hub).await;
    let (leave, left) = watch::channel(None);
    let link = link(&hub, &identity, "one", None).leaving_with(left);
    let contacts = vec![link.contact()];
    let mut linked = run(link);
    let stop = Shutdown::default();
    #[expect(clippy::disallowed_methods, reason = "the test waits for it at its end")]
    let listening = tokio::spawn(Logind::new(bus.address.clone(), leave, contacts).run(stop.clone()));
    let mut held = login.inhibit_call().await;
    linked.up().await;

    for (signal, always_on, leaving, state, reason_part) in [
        ("PrepareForSleep", false, Leaving::Sleep, "asleep", "will catch up on return"),
        ("PrepareForShutdown", true, Leaving::Shutdown, "offline", "the machine was shut down"),
    ] {
        let mode = serde_json::from_value(serde_json::json!({"always_on": always_on})).expect("a change");
        hub.host_update(&by(), org, "web-1", mode).await.expect("changes");
        becomes(&hub, org, "online").await;
        login.announce(signal, true).await;
        assert_eq!(held.read(&mut [0]).await.expect("reads"), 0, "the inhibitor lock is not released");
        // The status changes immediately, not after the offline threshold.
        let reason = becomes(&hub, org, state).await;
        assert!(reason.contains(reason_part), "{reason}");
        let session = hub.host_get(org, "web-1").await.expect("exists").session.expect("was linked");
        assert_eq!(session.goodbye, Some(leaving.to_string()));
        // The machine returns.
        login.announce(signal, false).await;
        held = login.inhibit_call().await;
        becomes(&hub, org, "online").await;
        linked.up().await;
    }
    linked.goodbye().await;
    stop.begin();
    listening.await.expect("ends well");
});

#[test]
fn a_missing_system_bus_clears_an_earlier_announcement() {
    testkit::block_on(async {
        let (leave, left) = watch::channel(Some(Leaving::Sleep));
        let stop = Shutdown::default();
        let nowhere = Logind::new("unix:path=/nonexistent/bus".to_owned(), leave, Vec::new());
        let waits = async {
            let mut left = left;
            left.wait_for(Option::is_none).await.expect("the announcement is cleared");
            stop.begin();
        };
        tokio::join!(nowhere.run(stop.clone()), waits);
    });
}
