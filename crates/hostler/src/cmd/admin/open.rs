//! `hostler open`: opening the web UI.

use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use reqwest::Method;

use crate::{client::Client, fail::Result, globals::Globals, messages, output, output::text};

/// Open the web UI, signed in
///
/// On the machine of the hub this opens a one-time sign-in link. Elsewhere it opens the address of the hub.
#[derive(Args)]
pub(crate) struct OpenArgs {
    /// Print the address instead of opening it
    #[arg(long)]
    print: bool,
}

pub(crate) async fn open(globals: &Globals, args: OpenArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let link = client.send(Method::POST, "/api/v1/sign-in/links", None::<&()>).await;
    let url = match link {
        Ok(link) => text(&link, "url"),
        // Only super admins may create sign-in links; other users sign in on the page.
        Err(failure) if failure.problem.code == proto::Code::Forbidden => client.name.clone(),
        Err(failure) => return Err(failure),
    };
    if args.print || !output::is_terminal() || !open_in_browser(&url) {
        output::line(&url);
    } else {
        messages::note(globals, format!("opened {} in your browser", client.name));
    }
    Ok(ExitCode::SUCCESS)
}

fn open_in_browser(url: &str) -> bool {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    Command::new(opener)
        .arg(url)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
