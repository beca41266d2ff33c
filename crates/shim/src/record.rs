//! The record format of output files: a header with stream and time, then the bytes of one `read` by the shim.
//!
//! Records do not follow line breaks. A position counts bytes of output, both streams together, in the order they were
//! read. A [`Mark`] holds the position of the next record: each segment of the tail begins with one, and one follows
//! each gap (output that could not be written).

/// Size of a record header.
pub const HEADER_BYTES: usize = 16;
/// Most output bytes in one record: the size of the shim's pipes, so one `read` always fits.
pub const PAYLOAD_MAX: usize = 16 * 1024;
/// Size of a mark, without its header.
pub const MARK_BYTES: usize = 16;

const MAGIC: u16 = 0x4c48;

/// The content of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Mark,
    /// Standard output, or both streams if they are merged.
    Out,
    Err,
}

/// The header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub stream: Stream,
    /// Reserved; zero.
    pub flags: u8,
    /// Bytes after the header.
    pub length: u32,
    /// When the shim read the bytes, in microseconds since 1970 UTC.
    pub wall_us: u64,
}

impl Header {
    /// Encodes the header for its file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let [m0, m1] = MAGIC.to_le_bytes();
        let stream = match self.stream {
            Stream::Mark => 0,
            Stream::Out => 1,
            Stream::Err => 2,
        };
        let [l0, l1, l2, l3] = self.length.to_le_bytes();
        let [t0, t1, t2, t3, t4, t5, t6, t7] = self.wall_us.to_le_bytes();
        [m0, m1, stream, self.flags, l0, l1, l2, l3, t0, t1, t2, t3, t4, t5, t6, t7]
    }

    /// Decodes a header; `None` if the bytes are not one.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let [m0, m1, stream, flags, l0, l1, l2, l3, times @ ..] = bytes.first_chunk::<HEADER_BYTES>()?;
        let stream = match stream {
            0 => Stream::Mark,
            1 => Stream::Out,
            2 => Stream::Err,
            _ => return None,
        };
        let length = u32::from_le_bytes([*l0, *l1, *l2, *l3]);
        let is_ours = u16::from_le_bytes([*m0, *m1]) == MAGIC && usize::try_from(length).ok()? <= PAYLOAD_MAX;
        is_ours.then_some(Self { stream, flags: *flags, length, wall_us: u64::from_le_bytes(*times) })
    }
}

/// The position of the next record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Segment number: 0 for the head, then one more for each segment of the tail.
    pub segment: u64,
    /// Bytes of output before the next record.
    pub position: u64,
}

impl Mark {
    /// Encodes the mark for its file, header included.
    #[must_use]
    pub fn to_bytes(self, wall_us: u64) -> [u8; HEADER_BYTES + MARK_BYTES] {
        let mut bytes = [0; HEADER_BYTES + MARK_BYTES];
        let (header, body) = bytes.split_at_mut(HEADER_BYTES);
        header.copy_from_slice(&Header { stream: Stream::Mark, flags: 0, length: 16, wall_us }.to_bytes());
        let (segment, position) = body.split_at_mut(8);
        segment.copy_from_slice(&self.segment.to_le_bytes());
        position.copy_from_slice(&self.position.to_le_bytes());
        bytes
    }

    /// Decodes the payload of a mark record.
    #[must_use]
    pub fn parse(body: &[u8]) -> Option<Self> {
        let (segment, rest) = body.split_first_chunk::<8>()?;
        let position = rest.first_chunk::<8>()?;
        Some(Self { segment: u64::from_le_bytes(*segment), position: u64::from_le_bytes(*position) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip() {
        let header = Header { stream: Stream::Err, flags: 0, length: 77, wall_us: 1_234_567 };
        assert_eq!(Header::parse(&header.to_bytes()), Some(header));
        assert_eq!(Header::parse(&header.to_bytes()[..15]), None);
        assert_eq!(Header::parse(&[0; 16]), None);
        let mark = Mark { segment: 3, position: 99 };
        let bytes = mark.to_bytes(5);
        assert_eq!(Header::parse(&bytes).map(|header| header.stream), Some(Stream::Mark));
        assert_eq!(Mark::parse(&bytes[HEADER_BYTES..]), Some(mark));
    }
}
