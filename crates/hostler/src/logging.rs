//! Log output of the long-running commands: on stderr, as text or JSON.

use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _};

use proto::Code;

use crate::fail::{Failure, Result};

/// Starts logging. `level` is a level or a filter, as in `info,hub=debug`.
pub(crate) fn start(level: &str, format: &str) -> Result<()> {
    // `memory_serve` logs every asset at every start.
    let filter = EnvFilter::try_new(format!("memory_serve=warn,{level}")).map_err(|error| {
        Failure::new(Code::ConfigInvalid, format!("`log.level`: {error}"))
            .hint("write error, warn, info, debug or trace")
    })?;
    let registry = tracing_subscriber::registry().with(filter);
    let started = match format {
        "json" => registry.with(fmt::layer().json().with_writer(std::io::stderr)).try_init(),
        "text" => registry
            .with(
                fmt::layer().with_target(false).with_ansi(crate::messages::is_colourful()).with_writer(std::io::stderr),
            )
            .try_init(),
        other => {
            let detail = format!("`log.format` must be `text` or `json`, not `{other}`");
            return Err(Failure::new(Code::ConfigInvalid, detail));
        }
    };
    started.map_err(|error| Failure::new(Code::Internal, error.to_string()))
}
