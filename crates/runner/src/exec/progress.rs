//! Progress that a program reports, by a line of its output (`::progress 41 copying files`) or over the runner's
//! socket.

use super::lines::{Line, OutputStream};

/// Longest message, in characters.
const MESSAGE_MAX: usize = 200;

/// The progress of a run, as reported by its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// From 0 to 100.
    pub percent: u8,
    /// The current activity; may be empty.
    pub message: String,
}

impl Progress {
    /// The progress in this line of output, if it is a progress report.
    #[must_use]
    pub fn of(line: &Line) -> Option<Self> {
        if line.stream != OutputStream::Out || line.is_cut {
            return None;
        }
        let rest = line.text.strip_prefix("::progress ")?.trim();
        let (percent, message) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let percent = percent.strip_suffix('%').unwrap_or(percent);
        Self::checked(percent.parse().ok()?, message.trim_start())
    }

    /// Checks reported values: `None` for more than 100 percent; control characters are removed and long messages cut.
    #[must_use]
    pub fn checked(percent: u8, message: &str) -> Option<Self> {
        let message = message.chars().filter(|c| !c.is_control()).take(MESSAGE_MAX).collect();
        (percent <= 100).then_some(Self { percent, message })
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;

    use super::*;

    #[test]
    fn progress_lines_are_parsed_and_bounded() {
        let line = |stream, text: &str| Line {
            no: 0,
            at: Timestamp::from_micros(0),
            stream,
            text: text.to_owned(),
            is_cut: false,
        };
        let of = |text: &str| {
            Progress::of(&line(OutputStream::Out, text)).map(|progress| (progress.percent, progress.message))
        };
        assert_eq!(of("::progress 41 msg of more"), Some((41, "msg of more".into())));
        assert_eq!(of("::progress 0"), Some((0, String::new())));
        assert_eq!(of("::progress 100% done"), Some((100, "done".into())));
        for not in
            ["::progress", "::progress x", "::progress 101 x", "::progress -1", " ::progress 4", "::progressive 4"]
        {
            assert_eq!(of(not), None, "{not}");
        }
        let long = of(&format!("::progress 5 {}", "ä".repeat(300))).map(|(_, message)| message.chars().count());
        assert_eq!(long, Some(200));
        assert_eq!(Progress::of(&line(OutputStream::Err, "::progress 4")), None);
    }
}
