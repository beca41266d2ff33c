//! What is remembered of a host that waits for work: a job may begin there without a look, if it still is so when it is written.

use std::collections::BTreeSet;

use domain::{LaneId, quota::Recent};

/// Lanes that are remembered of one host.
const OPEN_MAX: usize = 256;

/// A host without a limit but its places, as the last claim left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    /// What had begun there lately.
    pub(crate) recent: Recent,
    /// So many may run there.
    pub(crate) places: Option<i32>,
    /// All of it, and that its lanes are open, was so under these rules.
    pub(crate) rules: i64,
    /// Lanes that were found open.
    pub(crate) open: BTreeSet<LaneId>,
}

impl Known {
    /// Whether all of these lanes were found open.
    pub(crate) fn is_open(&self, lanes: &[LaneId]) -> bool {
        lanes.iter().all(|lane| self.open.contains(lane))
    }

    /// With what was known before, as far as that is still so.
    pub(crate) fn after(mut self, before: Option<Self>) -> Self {
        if let Some(before) = before.filter(|before| before.rules == self.rules && before.open.len() < OPEN_MAX) {
            self.open.extend(before.open);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_known_for_as_long_as_the_rules_are() {
        let lane = |number: u8| LaneId::from_bytes([number; 16]);
        let known = |rules: i64, number: u8| Known {
            recent: Recent::default(),
            places: None,
            rules,
            open: BTreeSet::from([lane(number)]),
        };
        let both = known(1, 2).after(Some(known(1, 1)));
        assert!(both.is_open(&[lane(1), lane(2)]) && !both.is_open(&[lane(1), lane(3)]));
        let anew = known(2, 2).after(Some(both));
        assert!(anew.is_open(&[lane(2)]) && !anew.is_open(&[lane(1)]), "other rules");
        let full = Known { open: (0..=255).map(lane).collect(), ..known(2, 0) };
        assert_eq!(known(2, 2).after(Some(full)).open.len(), 1, "begins anew");
    }
}
