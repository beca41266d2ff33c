//! Saved views: a page as somebody wants to see it again.

use crate::words;

/// Views of one org, of all its people together.
pub const VIEWS_MAX: u32 = 1_000;
/// The longest name, in characters.
const NAME_CHARS_MAX: usize = 80;
/// The longest query, in bytes.
const QUERY_BYTES_MAX: usize = 4_000;

words! {
    /// Pages that can be seen in more than one way.
    pub enum ViewPage {
        /// The list of jobs.
        Jobs = "jobs",
        /// The list of hosts.
        Hosts = "hosts",
        /// The list of servers.
        Servers = "servers",
        /// The list of triggers.
        Triggers = "triggers",
        /// The list of alerts.
        Alerts = "alerts",
        /// The list of events.
        Events = "events",
    }
}

words! {
    /// Who has a view.
    pub enum Visibility {
        /// Whoever made it.
        Private = "private",
        /// Everybody of the org.
        Org = "org",
    }
}

/// Checks the name of a view and what it says.
///
/// # Errors
/// Says what is wrong.
pub fn check(name: &str, query: &str) -> Result<(), String> {
    if name.trim() != name || name.is_empty() || name.chars().count() > NAME_CHARS_MAX {
        return Err(format!("a view needs a `name` of 1 to {NAME_CHARS_MAX} characters, without spaces around it"));
    }
    if name.contains(char::is_control) {
        return Err("the `name` of a view has no control characters".to_owned());
    }
    // What a browser puts after the question mark: nothing else can become part of an address.
    if query.len() > QUERY_BYTES_MAX || !query.bytes().all(|byte| byte.is_ascii_graphic()) || query.contains(['#', '?'])
    {
        return Err(format!(
            "`query` is what stands after the ? of the page's address: at most {QUERY_BYTES_MAX} printable ASCII characters"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_queries() {
        for (name, query) in [("Slow today", "q=duration:%3E5m&columns=host"), ("日本", ""), ("a", "x=1")] {
            assert_eq!(check(name, query), Ok(()), "{name} {query}");
        }
        for (name, query) in
            [("", ""), (" a", ""), ("a\n", ""), ("a", "q=a b"), ("a", "q=é"), ("a", "x#y"), ("a", "?x")]
        {
            assert!(check(name, query).is_err(), "{name:?} {query:?}");
        }
        assert!(check(&"x".repeat(81), "").is_err());
        assert!(check("x", &"x".repeat(4_001)).is_err());
    }
}
