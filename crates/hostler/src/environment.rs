//! The environment of this process.

/// An environment variable, if it is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the only function that reads the environment")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
