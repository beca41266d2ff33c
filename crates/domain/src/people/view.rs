//! Saved views: named filters and columns of a page.

use crate::string_enum;

/// The most views of one user in one org, so that no member uses up the places of the others.
pub const VIEWS_PER_USER_MAX: u32 = 100;
/// The most views that are shared with one org.
pub const SHARED_VIEWS_MAX: u32 = 900;
/// The most views in one list: a user's own and the shared ones.
pub const VIEWS_MAX: u32 = VIEWS_PER_USER_MAX + SHARED_VIEWS_MAX;
/// The longest name, in characters.
const NAME_CHARS_MAX: usize = 80;
/// The longest query, in bytes.
const QUERY_BYTES_MAX: usize = 4_000;

string_enum! {
    /// The pages with saved views.
    pub enum ViewPage {
        Jobs = "jobs",
        Hosts = "hosts",
        Servers = "servers",
        Triggers = "triggers",
        Alerts = "alerts",
        Events = "events",
    }
}

string_enum! {
    /// The users who can see a view.
    pub enum Visibility {
        /// Only its creator.
        Private = "private",
        /// All members of the org.
        Org = "org",
    }
}

/// Checks the name and the query of a view.
///
/// # Errors
/// The name or query is invalid.
pub fn check(name: &str, query: &str) -> Result<(), String> {
    if name.trim() != name || name.is_empty() || name.chars().count() > NAME_CHARS_MAX {
        return Err(format!("`name` must have 1 to {NAME_CHARS_MAX} characters, without spaces at the start or end"));
    }
    if name.contains(char::is_control) {
        return Err("`name` must not contain control characters".to_owned());
    }
    // The query becomes part of a page's address, so only characters that need no escaping there are allowed.
    if query.len() > QUERY_BYTES_MAX || !query.bytes().all(|byte| byte.is_ascii_graphic()) || query.contains(['#', '?'])
    {
        return Err(format!(
            "`query` is the part after the `?` of the page's address: at most {QUERY_BYTES_MAX} printable ASCII characters, without `#` and `?`"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_validates_name_and_query() {
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
