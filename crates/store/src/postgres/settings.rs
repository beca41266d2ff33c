//! Server settings: part of the start-up of a connection, or behind a pooler of each `begin`, because there a
//! transaction may run on any server connection.

use std::sync::LazyLock;

use sqlx::{ConnectOptions as _, postgres::PgConnectOptions};

use crate::{Error, Result};

/// Limits enforced by the server, so that no transaction stays open forever, whatever this process does.
const LIMITS: [(&str, &str); 3] =
    [("statement_timeout", "30s"), ("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "60s")];
/// Planner settings for prepared statements.
const PLANNER: [(&str, &str); 3] = [
    // Generic plans are cached. One made while a table was small must still be good after a burst has filled the table.
    ("enable_seqscan", "off"),
    // The best plan does not depend on the parameters, and planning at each execution would cost more than executing.
    // Queries for lists use plans for their parameters, see `BEGIN_READ`.
    ("plan_cache_mode", "force_generic_plan"),
    // With `enable_seqscan = off`, tables that can only be scanned get so high a cost that the server would compile the
    // query first.
    ("jit", "off"),
];
/// Prepared statements cached per connection: enough for all statements of this crate.
const STATEMENTS_KEPT: usize = 1_000;

/// `begin` of reads on one snapshot, with plans for their parameters. Two statements, one round trip.
pub(super) const BEGIN_READ: &str =
    "begin transaction isolation level repeatable read, read only; set local plan_cache_mode = auto";

/// `begin` of a write behind a pooler.
pub(super) static POOLED_BEGIN_WRITE: LazyLock<String> = LazyLock::new(|| with_limits("begin"));
/// `begin` of a read behind a pooler.
pub(super) static POOLED_BEGIN_READ: LazyLock<String> = LazyLock::new(|| with_limits(BEGIN_READ));

fn with_limits(begin: &str) -> String {
    let set = LIMITS.map(|(name, value)| format!("set local {name} = '{value}'"));
    format!("{begin}; {}", set.join("; "))
}

/// The options of every connection to this address.
pub(super) fn connect_options(url: &str, is_pooled: bool) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse().map_err(|error: sqlx::Error| Error::Address(error.to_string()))?;
    let options = options.application_name("hostler").disable_statement_logging();
    Ok(if is_pooled {
        // A prepared statement belongs to one server connection; the next transaction may get another.
        options.statement_cache_capacity(0).extra_float_digits(None)
    } else {
        options.statement_cache_capacity(STATEMENTS_KEPT).options(LIMITS).options(PLANNER)
    })
}
