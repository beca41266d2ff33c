//! The text format of the small files: a title, lines of `key value`, and `end`.
//!
//! A file without its `end` was not written completely and counts as absent.

/// Begins a file with its title.
#[must_use]
pub fn begin(title: &str) -> String {
    format!("{title}\n")
}

/// Appends one `key value` line.
pub fn add(text: &mut String, key: &str, value: impl std::fmt::Display) {
    use std::fmt::Write;
    let _ = writeln!(text, "{key} {value}");
}

/// Appends the `end` line.
pub fn finish(text: &mut String) {
    text.push_str("end\n");
}

/// The `key value` lines of a complete file.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    /// Reads a file with this title; `None` if the title differs or the `end` line is missing.
    #[must_use]
    pub fn read(bytes: &'a [u8], title: &str) -> Option<Self> {
        let body = std::str::from_utf8(bytes).ok()?.strip_prefix(title)?.strip_prefix('\n')?;
        let body = body.strip_suffix("end\n")?;
        (body.is_empty() || body.ends_with('\n')).then_some(Self(body))
    }

    /// The value of this key.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.0.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))
    }

    /// The value of this key as a number.
    #[must_use]
    pub fn number<N: std::str::FromStr>(&self, key: &str) -> Option<N> {
        self.text(key)?.parse().ok()
    }
}
