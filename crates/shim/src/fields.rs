//! Lines of `key value`, a title first and `end` last: the form of the small files. Without its `end` a file is absent.

/// Starts a file of this kind.
#[must_use]
pub fn begin(title: &str) -> String {
    format!("{title}\n")
}

/// Adds a line.
pub fn add(text: &mut String, key: &str, value: impl std::fmt::Display) {
    use std::fmt::Write;
    let _ = writeln!(text, "{key} {value}");
}

/// Ends a file.
pub fn finish(text: &mut String) {
    text.push_str("end\n");
}

/// The lines of a complete file with this title.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    /// The lines between title and end, if both are there.
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
