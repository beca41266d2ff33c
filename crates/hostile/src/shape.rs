//! The sizes and numbers of a frame or row.

use domain::sync::{Mark, Place, Version};

/// The sizes and numbers of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How deep the values in the frame are nested.
    pub depth: usize,
    /// The number of entries of its list.
    pub items: usize,
    /// The length of its texts.
    pub text_bytes: usize,
    /// Added to the number of the run.
    pub fence_shift: i32,
    /// The epoch of histories.
    pub epoch: u32,
    /// The number of the frame, result, line or position.
    pub number: u64,
}

impl Shape {
    /// As an honest frame.
    #[must_use]
    pub const fn plain() -> Self {
        Self { depth: 0, items: 1, text_bytes: 8, fence_shift: 0, epoch: 1, number: 1 }
    }

    pub(crate) fn text(&self) -> String {
        "x".repeat(self.text_bytes)
    }

    /// A text within the limit of names.
    pub(crate) fn short(&self) -> String {
        "x".repeat(self.text_bytes.min(500))
    }

    pub(crate) const fn place(&self) -> Place {
        Place { at: Version { epoch: self.epoch, seq: self.number }, mark: Mark(1) }
    }

    /// The number as the database stores it.
    pub(crate) fn signed(&self) -> i64 {
        i64::try_from(self.number).unwrap_or(i64::MAX)
    }
}
