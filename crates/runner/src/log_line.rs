//! Lines of output in the format of the protocol.

use proto::work::{LogLine, Stream as LogStream};

use crate::exec::{Line, OutputStream};

/// A line in the format of the protocol.
pub(crate) fn log_line(line: &Line) -> LogLine {
    LogLine {
        no: line.no + 1,
        at: line.at,
        stream: match line.stream {
            OutputStream::Out => LogStream::Stdout,
            OutputStream::Err => LogStream::Stderr,
            OutputStream::System => LogStream::System,
        },
        text: line.text.clone(),
        is_cut: line.is_cut,
    }
}
