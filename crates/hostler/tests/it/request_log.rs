//! The log of requests: their routes, never the secrets in their paths.

use crate::hub::{Home, Kind, Process, ask};

#[test]
fn log_names_the_route_and_never_a_secret_path() {
    let hub = Home::new(Kind::Sqlite);
    let mut command = hub.command(&["hub", "--ui", "--listen", "127.0.0.1:0"]);
    let process = Process::start(command.env("HOSTLER_LOG", "debug"));
    let url = process.wait_for("listening").split_whitespace().last().expect("an address").to_owned();
    process.wait_for("Press Ctrl-C to stop");
    let token = hub.ok(&["invite", "-o", "name"]).trim().to_owned();
    let ping = hub.json(&["ping", "add", "nightly", "--every", "1h"])["url"].as_str().expect("a URL").to_owned();
    let ping = ping.rsplit('/').next().expect("a secret").to_owned();
    let secrets = [token, ping, "hsl_unknown-link".to_owned(), "hsi_unknown-invitation".to_owned()];
    for (path, secret) in ["/j/", "/ping/", "/s/", "/invite/"].into_iter().zip(&secrets) {
        ask(&url, "GET", &format!("{path}{secret}"), None, "");
    }
    ask(&url, "GET", "/d/WXQZ-BTKM", None, "");
    let log = process.stop_and_read().join("\n");
    for secret in secrets.iter().map(String::as_str).chain(["WXQZ-BTKM"]) {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
    for route in ["/j/{token}", "/ping/{secret}"] {
        assert!(log.contains(route), "{route} is not in the log:\n{log}");
    }
}
