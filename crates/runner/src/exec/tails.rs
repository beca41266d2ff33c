//! The last part of each output stream, for the result of a run. Built from redacted lines.

use std::collections::VecDeque;

use super::lines::{Line, OutputStream};

/// Bytes kept of each stream.
pub const TAIL_BYTES: usize = 8 * 1024;

/// The last part of standard output and standard error.
#[derive(Clone, Debug, Default)]
pub struct Tails {
    out: VecDeque<u8>,
    err: VecDeque<u8>,
}

impl Tails {
    /// Adds a line.
    pub fn push(&mut self, line: &Line) {
        let tail = match line.stream {
            OutputStream::Out => &mut self.out,
            OutputStream::Err => &mut self.err,
            OutputStream::System => return,
        };
        let text = line.text.as_bytes();
        tail.extend(&text[text.len().saturating_sub(TAIL_BYTES)..]);
        if !line.is_cut {
            tail.push_back(b'\n');
        }
        let surplus = tail.len().saturating_sub(TAIL_BYTES);
        tail.drain(..surplus);
    }

    /// The last part of standard output.
    #[must_use]
    pub fn stdout_tail(&self) -> String {
        text_of(&self.out)
    }

    /// The last part of standard error.
    #[must_use]
    pub fn stderr_tail(&self) -> String {
        text_of(&self.err)
    }
}

/// The text from the first complete character.
fn text_of(tail: &VecDeque<u8>) -> String {
    let bytes: Vec<u8> = tail.iter().copied().skip_while(|byte| byte & 0b1100_0000 == 0b1000_0000).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;

    use super::*;

    #[test]
    fn tails_keep_the_last_bytes_of_each_stream() {
        let mut tails = Tails::default();
        for (stream, text) in
            [(OutputStream::Out, "a"), (OutputStream::Err, "e"), (OutputStream::System, "s"), (OutputStream::Out, "b")]
        {
            tails.push(&Line { no: 0, at: Timestamp::from_micros(0), stream, text: text.into(), is_cut: false });
        }
        assert_eq!((tails.stdout_tail().as_str(), tails.stderr_tail().as_str()), ("a\nb\n", "e\n"));
        let text = "ä".repeat(9000);
        tails.push(&Line { no: 0, at: Timestamp::from_micros(0), stream: OutputStream::Err, text, is_cut: false });
        let tail = tails.stderr_tail();
        assert!(tail.len() <= TAIL_BYTES && tail.starts_with('ä') && tail.ends_with("ä\n"));
    }
}
