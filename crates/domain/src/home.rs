//! Which of several hubs a host works for: its home.
//!
//! The host decides, so it has one home at any moment, whatever its hubs think. It is the first of its hubs until one of
//! them is promoted. Promotions have numbers that only grow, and a host follows the highest it has heard of; of two with
//! the same number, made by hubs that knew nothing of each other, all hosts choose the same.

use serde::{Deserialize, Serialize};

use crate::HubId;

/// The highest number that is believed: what a machine says must not use up the numbers of all others.
pub const NUMBER_MAX: u64 = 1 << 40;

/// A hub was made the home of an org's hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Promotion {
    /// Which promotion it is: the higher one is in force.
    pub number: u64,
    /// The hub.
    pub hub: HubId,
}

/// The home of a host that has joined these hubs, in its own order, and follows this promotion.
#[must_use]
pub fn home(joined: &[HubId], followed: Option<Promotion>) -> Option<HubId> {
    let promoted = followed.map(|promotion| promotion.hub).filter(|hub| joined.contains(hub));
    promoted.or(joined.first().copied())
}

/// Whether a host that follows one promotion, or none, follows this one from now on.
#[must_use]
pub fn is_followed(followed: Option<Promotion>, heard: Promotion) -> bool {
    heard.number <= NUMBER_MAX && followed.is_none_or(|followed| heard > followed)
}

/// What a hub knows of the promotions of an org.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Known {
    /// The highest number it has heard of.
    pub number: u64,
    /// Whether that was its own promotion.
    pub is_ours: bool,
}

impl Known {
    /// After this hub was promoted: higher than all it has heard of.
    #[must_use]
    pub fn promoted(self) -> Self {
        Self { number: self.number + 1, is_ours: true }
    }

    /// After a host has said which promotion it follows. A hub that was restored from a backup learns of its own, too.
    #[must_use]
    pub fn told(self, ours: HubId, followed: Promotion) -> Self {
        let known = Promotion { number: self.number, hub: ours };
        let is_news = if self.is_ours { followed > known } else { followed.number >= self.number };
        if is_news { Self { number: followed.number, is_ours: followed.hub == ours } } else { self }
    }

    /// The number hosts are to hear from this hub.
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
    fn the_first_hub_is_home_until_one_is_promoted() {
        let table = [
            ("no hub", vec![], None, None),
            ("the first", vec![A, B], None, Some(A)),
            ("the promoted one", vec![A, B], Some(promotion(1, B)), Some(B)),
            ("one that this machine has left", vec![A, B], Some(promotion(1, C)), Some(A)),
        ];
        for (name, joined, followed, expected) in table {
            assert_eq!(home(&joined, followed), expected, "{name}");
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
            ("a number nobody can have come to", None, promotion(NUMBER_MAX + 1, A), false),
        ];
        for (name, followed, heard, expected) in table {
            assert_eq!(is_followed(followed, heard), expected, "{name}");
        }
    }

    #[test]
    fn hosts_agree_in_whatever_order_they_hear() {
        let all = [promotion(1, A), promotion(1, C), promotion(1, B), promotion(2, A), promotion(2, B)];
        for first in 0..all.len() {
            let order = all.iter().cycle().skip(first).take(all.len());
            let followed = order.fold(None, |held, heard| if is_followed(held, *heard) { Some(*heard) } else { held });
            assert_eq!(followed, Some(promotion(2, B)));
        }
    }

    #[test]
    fn a_hub_learns_from_hosts_what_it_is() {
        let (ours, theirs) = (|number| Known { number, is_ours: true }, |number| Known { number, is_ours: false });
        let table = [
            ("of another's promotion", theirs(0), promotion(1, A), theirs(1)),
            ("that it is the home no longer", ours(1), promotion(2, A), theirs(2)),
            ("that two were promoted at once, and the other one won", ours(1), promotion(1, C), theirs(1)),
            ("that two were promoted at once, and it has won", ours(1), promotion(1, A), ours(1)),
            ("nothing from one that has not heard yet", ours(3), promotion(2, A), ours(3)),
            ("of its own promotion, which its backup does not know", theirs(1), promotion(4, B), ours(4)),
            ("of a higher one of its own", ours(1), promotion(2, B), ours(2)),
        ];
        for (name, known, followed, expected) in table {
            assert_eq!(known.told(B, followed), expected, "{name}");
        }
        assert_eq!(theirs(4).promoted(), ours(5));
        assert_eq!((ours(5).claim(), theirs(5).claim()), (Some(5), None));
    }
}
