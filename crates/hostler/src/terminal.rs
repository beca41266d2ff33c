//! The only place that writes to stdout and stderr. Texts can come from jobs, hosts and hubs, so escape sequences other
//! than colours and styles are removed: a program must not write to the clipboard, the title or the keyboard of the
//! person who reads its output.

use std::{
    io::{self, Write as _},
    iter::Peekable,
    str::Chars,
};

const ESC: char = '\u{1b}';
/// Bell: ends the strings that set titles and clipboards.
const BEL: char = '\u{7}';
/// The string terminator as one character.
const ST: char = '\u{9c}';

/// Prints one line on stdout. A closed pipe (`| head`) is not an error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(anstream::stdout(), "{}", printable(text));
}

/// Prints a line of JSON on stdout. Its control characters are escaped, not removed: programs read it.
pub(crate) fn json_line(json: &str) {
    let _ = writeln!(anstream::stdout(), "{}", escaped(json));
}

/// Prints one line on stderr.
pub(crate) fn error_line(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", printable(text));
}

/// Prints a line of JSON on stderr.
pub(crate) fn error_json_line(json: &str) {
    let _ = writeln!(anstream::stderr(), "{}", escaped(json));
}

/// Prints a prompt on stderr, without a line break.
pub(crate) fn prompt(text: &str) {
    let mut stderr = io::stderr();
    let _ = write!(stderr, "{}", printable(text)).and_then(|()| stderr.flush());
}

/// Replaces the current line of stderr, which must be a terminal.
pub(crate) fn replace_line(text: &str) {
    let mut stderr = io::stderr();
    let _ = write!(stderr, "\r\x1b[2K{}", printable(text)).and_then(|()| stderr.flush());
}

/// Clears the terminal on stdout.
pub(crate) fn clear() {
    let _ = write!(io::stdout(), "\x1b[2J\x1b[H");
}

/// The text without control characters and escape sequences, except tabs, line breaks and colours (`ESC [ … m`).
pub(crate) fn printable(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ESC => kept.push_str(&escape(&mut chars)),
            '\t' | '\n' => kept.push(c),
            // One-character forms of the strings below, for terminals that know them.
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut chars),
            '\u{9b}' => drop(control_sequence(&mut chars)),
            c if c.is_control() => {}
            c => kept.push(c),
        }
    }
    kept
}

/// Reads the rest of an escape sequence; returns it if it only sets colours and styles.
fn escape(chars: &mut Peekable<Chars<'_>>) -> String {
    match chars.peek() {
        Some('[') => {
            chars.next();
            let sequence = control_sequence(chars);
            let is_style = sequence
                .strip_suffix('m')
                .is_some_and(|parameters| parameters.chars().all(|c| c.is_ascii_digit() || matches!(c, ';' | ':')));
            if is_style { format!("{ESC}[{sequence}") } else { String::new() }
        }
        // Strings: device control, start of string, operating system command, privacy message, application command.
        Some('P' | 'X' | ']' | '^' | '_') => {
            chars.next();
            skip_string(chars);
            String::new()
        }
        _ => {
            // Intermediate characters and the final one.
            while chars.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            chars.next_if(|c| matches!(c, '0'..='~'));
            String::new()
        }
    }
}

/// Reads parameters and final character of a control sequence. An incomplete one ends before the first character that
/// cannot belong to it.
fn control_sequence(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut sequence = String::new();
    while let Some(c) = chars.next_if(|c| matches!(c, ' '..='?')) {
        sequence.push(c);
    }
    if let Some(c) = chars.next_if(|c| matches!(c, '@'..='~')) {
        sequence.push(c);
    }
    sequence
}

/// Skips the content of a string with its terminator. One without terminator ends with the line.
fn skip_string(chars: &mut Peekable<Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        match c {
            BEL | ST => return,
            ESC => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

/// JSON with escapes in place of the control characters that JSON allows in its strings, and terminals obey.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() && c != '\n' {
            text.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_and_styles_reach_the_terminal() {
        for (text, expected) in [
            ("plain\ttext", "plain\ttext"),
            ("\x1b[1;31mred\x1b[0m", "\x1b[1;31mred\x1b[0m"),
            ("\x1b[38:2::255:0:0mred\x1b[m", "\x1b[38:2::255:0:0mred\x1b[m"),
            ("a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"),
            ("a\x1b]0;title\x1b\\b", "ab"),
            ("a\x1b]0;title\u{9c}b", "ab"),
            ("a\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
            ("a\x1b[2J\x1b[Hb", "ab"),
            ("a\x1b[6nb", "ab"),
            ("a\x1b[?1049hb", "ab"),
            ("a\x1b[>4;2mb", "ab"),
            ("a\x1b[?4mb", "ab"),
            ("a\x1bcb", "ab"),
            ("a\x1b(0b", "ab"),
            ("a\x1b#8b", "ab"),
            ("a\x1bP1$r0m\x1b\\b", "ab"),
            ("a\x1b_payload\x1b\\b", "ab"),
            ("a\u{9b}6nb", "ab"),
            ("a\u{9d}52;c;eA==\u{9c}b", "ab"),
            ("a\rb\x08c\x7fd\x00e\u{85}f", "abcdef"),
            ("a\x1b", "a"),
            ("a\x1b[", "a"),
            ("a\x1b[31", "a"),
            ("a\x1b]52;c;never ended\nnext", "a\nnext"),
            ("a\x1b\x1b[2Jb", "ab"),
            ("a\x1b[\x1b[2Jb", "ab"),
            ("a\x1b[1\x1b[31mb", "a\x1b[31mb"),
        ] {
            assert_eq!(printable(text), expected, "{text:?}");
        }
    }

    #[test]
    fn printable_text_has_no_escape_but_styles_whatever_is_combined() {
        let pieces = ["\x1b", "[", "]", "P", "2J", "31m", "m", "\x07", "\\", "\u{9b}", "\u{9d}", "x", "\n", ";", "?"];
        let mut state = 7_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let shown = printable(&text);
            let rest = shown.split(ESC).skip(1);
            for sequence in rest {
                let end = sequence.find('m').unwrap_or_else(|| panic!("{text:?} -> {shown:?}"));
                let is_style = sequence[..end]
                    .strip_prefix('[')
                    .is_some_and(|parameters| parameters.chars().all(|c| c.is_ascii_digit() || matches!(c, ';' | ':')));
                assert!(is_style, "{text:?} -> {shown:?}");
            }
            assert!(!shown.chars().any(|c| c.is_control() && c != ESC && c != '\n'), "{text:?} -> {shown:?}");
        }
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({"text": "a\u{9b}6n\u{7f}\u{1b}[2Jé"});
        let line = escaped(&value.to_string());
        assert!(!line.contains(char::is_control), "{line:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).expect("is JSON"), value);
    }

    /// Completions are generated from the program alone, and benchmarks print figures.
    #[test]
    fn no_other_file_prints() {
        fn visit(folder: &std::path::Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    visit(&path, found);
                    continue;
                }
                let name = path.to_string_lossy().into_owned();
                let text = std::fs::read_to_string(&path).expect("is text");
                let prints =
                    ["println!(", "print!(", "stdout(), \"", "stderr(), \""].iter().any(|part| text.contains(part));
                if prints && !name.ends_with("src/terminal.rs") && !name.contains("/cmd/bench/") {
                    found.push(name);
                }
            }
        }
        let mut found = Vec::new();
        visit(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut found);
        assert!(found.is_empty(), "use crate::terminal: {found:?}");
    }
}
