//! Values that every part uses: ids, time, names, labels, filters, metric series, the audit chain.
//!
//! - `audit`: the hash chain of the audit log
//! - `backoff`: exponential back-off with jitter
//! - `filter`: the filter language for jobs
//! - `id`: typed ids
//! - `label`: labels of hosts and selectors
//! - `name`: validation of names
//! - `redact`: masking secrets in text
//! - `series`: stored metrics per minute, and charts
//! - `string_enum`: the macro for enums with a fixed text form
//! - `time`: timestamps and spans

pub mod audit;
pub mod backoff;
pub mod filter;
pub mod id;
pub mod label;
pub mod name;
pub mod redact;
pub mod series;
pub mod string_enum;
pub mod time;
