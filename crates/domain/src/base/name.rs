//! Names of hosts, orgs and users, and email addresses.

/// The longest name, in characters.
pub const NAME_LENGTH_MAX: usize = 63;

/// An invalid name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid name `{given}`: {why}")]
pub struct NameRefused {
    given: String,
    why: &'static str,
}

/// Checks the name of a host or the slug of an org: lower-case letters, digits, `-`, `_` and `.`.
///
/// # Errors
/// The name is invalid.
pub fn check(name: &str) -> Result<(), NameRefused> {
    let refuse = |why| Err(NameRefused { given: name.chars().take(80).collect(), why });
    if name.is_empty() {
        return refuse("it is empty");
    }
    if name.len() > NAME_LENGTH_MAX {
        return refuse("it is longer than 63 characters");
    }
    if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c)) {
        return refuse("use lower-case letters, digits, `-`, `_` and `.`");
    }
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return refuse("it must start with a letter or digit");
    }
    if name.parse::<crate::id::HostId>().is_ok() || name.to_ascii_uppercase().parse::<crate::id::HostId>().is_ok() {
        return refuse("it looks like an id");
    }
    Ok(())
}

/// A valid name for a host, derived from its machine's host name.
#[must_use]
pub fn from_machine(proposed: &str) -> String {
    let short = proposed.split('.').next().unwrap_or_default();
    let mapped: String = short
        .chars()
        .map(|c| c.to_ascii_lowercase())
        .map(|c| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' })
        .take(NAME_LENGTH_MAX - 4) // leaves space for the suffix of `free`
        .collect();
    let trimmed = mapped.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if check(trimmed).is_ok() { trimmed.to_owned() } else { "host".to_owned() }
}

/// The first of `name`, `name-2`, `name-3`, … that is not taken.
#[must_use]
pub fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    (2_u32..).map(|n| format!("{name}-{n}")).find(|candidate| !is_taken(candidate)).unwrap_or_default()
}

/// Whether a text matches a pattern in which `*` matches any characters. Linear time, because patterns come from
/// callers.
#[must_use]
pub fn fits(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut left) = text.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').map_or(("", rest), |(middle, end)| (middle, end));
    for part in middle.split('*') {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(end)
}

/// A basic check of an email address: its form, not whether it exists.
#[must_use]
pub fn is_email(text: &str) -> bool {
    text.len() <= 254
        && !text.contains(char::is_whitespace)
        && text.split_once('@').is_some_and(|(local, host)| !local.is_empty() && host.len() >= 3 && !host.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_derived_from_host_names_are_valid() {
        for (machine, name) in [
            ("web-1", "web-1"),
            ("Kim's MacBook Pro.local", "kim-s-macbook-pro"),
            ("NAS.lan.example.org", "nas"),
            ("---", "host"),
            ("", "host"),
        ] {
            assert_eq!(from_machine(machine), name);
            assert!(check(name).is_ok());
        }
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let taken = ["web", "web-2"];
        assert_eq!(free("web", |n| taken.contains(&n)), "web-3");
        assert_eq!(free("db", |n| taken.contains(&n)), "db");
    }

    #[test]
    fn patterns_match_texts() {
        for (pattern, text, is_fit) in [
            ("web", "web", true),
            ("web", "web-1", false),
            ("web-*", "web-1", true),
            ("web-*", "my-web-1", false),
            ("*-1", "web-1", true),
            ("*-1", "web-12", false),
            ("w*b*1", "web-1", true),
            ("w*x*1", "web-1", false),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, text), is_fit, "{pattern} on {text}");
        }
    }

    #[test]
    fn invalid_names_are_rejected() {
        for wrong in ["", "Web", "a b", "-a", "a/b", "01k4zb6y7qhx3t8m5n2v9w0rjc", &"x".repeat(64)] {
            assert!(check(wrong).is_err(), "{wrong} was accepted");
        }
    }
}
