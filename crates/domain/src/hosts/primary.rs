//! The primary hub of a host: which of several hubs gives it jobs.
//!
//! The host decides, so it has exactly one primary hub at any time, whatever its hubs believe. It is the first hub that
//! the host joined until one is promoted. Promotions have increasing numbers and a host follows the highest one it has
//! received. Two hubs that cannot reach each other may use the same number; then all hosts choose the hub with the
//! greater id.

use serde::{Deserialize, Serialize};

use crate::HubId;

/// The highest accepted number: a single machine must not be able to use up all numbers.
pub const NUMBER_MAX: u64 = 1 << 40;

/// The promotion of a hub to primary hub of an org's hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Promotion {
    /// The promotion with the highest number is in force.
    pub number: u64,
    pub hub: HubId,
}

/// The primary hub of a host that joined these hubs, in this order, and follows this promotion.
#[must_use]
pub fn primary_hub(joined: &[HubId], followed: Option<Promotion>) -> Option<HubId> {
    let promoted = followed.map(|promotion| promotion.hub).filter(|hub| joined.contains(hub));
    promoted.or(joined.first().copied())
}

/// Whether a host that follows `followed` switches to the promotion `received`.
#[must_use]
pub fn is_followed(followed: Option<Promotion>, received: Promotion) -> bool {
    received.number <= NUMBER_MAX && followed.is_none_or(|followed| received > followed)
}

/// The promotions of an org as known to one hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HubPromotions {
    /// The highest number it has received.
    pub number: u64,
    /// Whether that promotion was of this hub.
    pub is_ours: bool,
}

impl HubPromotions {
    /// The state after this hub was promoted: its number is higher than all it has received.
    #[must_use]
    pub fn promoted(self) -> Self {
        Self { number: self.number + 1, is_ours: true }
    }

    /// The state after a host reported the promotion it follows. This is also how a hub restored from a backup learns
    /// of its own promotion.
    #[must_use]
    pub fn received(self, ours: HubId, followed: Promotion) -> Self {
        let known = Promotion { number: self.number, hub: ours };
        let is_news = if self.is_ours { followed > known } else { followed.number >= self.number };
        if is_news { Self { number: followed.number, is_ours: followed.hub == ours } } else { self }
    }

    /// The number of this hub's promotion, to be sent to hosts.
    #[must_use]
    pub fn claim(self) -> Option<u64> {
        self.is_ours.then_some(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: HubId = HubId::from_bytes([1; 16]);
    const B: HubId = HubId::from_bytes([2; 16]);
    const C: HubId = HubId::from_bytes([3; 16]);

    fn promotion(number: u64, hub: HubId) -> Promotion {
        Promotion { number, hub }
    }

    #[test]
    fn the_first_hub_is_primary_until_one_is_promoted() {
        let table = [
            ("no hub", vec![], None, None),
            ("the first", vec![A, B], None, Some(A)),
            ("the promoted one", vec![A, B], Some(promotion(1, B)), Some(B)),
            ("a hub that this machine has left", vec![A, B], Some(promotion(1, C)), Some(A)),
        ];
        for (name, joined, followed, expected) in table {
            assert_eq!(primary_hub(&joined, followed), expected, "{name}");
        }
    }

    #[test]
    fn the_highest_promotion_is_followed() {
        let table = [
            ("the first one", None, promotion(1, B), true),
            ("a higher one", Some(promotion(1, B)), promotion(2, A), true),
            ("the same one again", Some(promotion(2, A)), promotion(2, A), false),
            ("a lower one", Some(promotion(2, A)), promotion(1, C), false),
            ("the same number of a greater hub", Some(promotion(2, A)), promotion(2, B), true),
            ("the same number of a smaller hub", Some(promotion(2, B)), promotion(2, A), false),
            ("a number above the maximum", None, promotion(NUMBER_MAX + 1, A), false),
        ];
        for (name, followed, received, expected) in table {
            assert_eq!(is_followed(followed, received), expected, "{name}");
        }
    }

    #[test]
    fn hosts_agree_regardless_of_the_order_of_messages() {
        let all = [promotion(1, A), promotion(1, C), promotion(1, B), promotion(2, A), promotion(2, B)];
        for first in 0..all.len() {
            let order = all.iter().cycle().skip(first).take(all.len());
            let followed = order.fold(
                None,
                |followed, received| if is_followed(followed, *received) { Some(*received) } else { followed },
            );
            assert_eq!(followed, Some(promotion(2, B)));
        }
    }

    #[test]
    fn a_hub_learns_promotions_from_hosts() {
        let (ours, theirs) =
            (|number| HubPromotions { number, is_ours: true }, |number| HubPromotions { number, is_ours: false });
        let table = [
            ("the promotion of another hub", theirs(0), promotion(1, A), theirs(1)),
            ("it is no longer the primary hub", ours(1), promotion(2, A), theirs(2)),
            ("two hubs were promoted with one number, and the other won", ours(1), promotion(1, C), theirs(1)),
            ("two hubs were promoted with one number, and this one won", ours(1), promotion(1, A), ours(1)),
            ("a host with an older promotion", ours(3), promotion(2, A), ours(3)),
            ("its own promotion, which its backup does not contain", theirs(1), promotion(4, B), ours(4)),
            ("a higher promotion of its own", ours(1), promotion(2, B), ours(2)),
        ];
        for (name, known, followed, expected) in table {
            assert_eq!(known.received(B, followed), expected, "{name}");
        }
        assert_eq!(theirs(4).promoted(), ours(5));
        assert_eq!((ours(5).claim(), theirs(5).claim()), (Some(5), None));
    }
}
