//! How evenly runners were let in again: the busiest second beside the mean one.

use std::time::Duration;

use super::bench::rate;

/// One second: what is shown is runners per second.
const SECOND: Duration = Duration::from_secs(1);

/// How many were linked at each look, while not all of them were.
#[derive(Default)]
pub(crate) struct Returns(Vec<(Duration, usize)>);

/// Runners per second, while they came back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Accepted {
    pub(crate) peak: f64,
    pub(crate) mean: f64,
}

impl Returns {
    /// So many were linked at this time.
    pub(crate) fn saw(&mut self, at: Duration, linked: usize) {
        self.0.push((at, linked));
    }

    /// The rates from the first that was let in again to the last; nothing if none was.
    pub(crate) fn accepted(&self) -> Option<Accepted> {
        let looks = self.0.iter().zip(self.0.iter().skip(1));
        let gains: Vec<(Duration, Duration, usize)> = looks
            .filter(|(before, after)| after.1 > before.1)
            .map(|(before, after)| (before.0, after.0, after.1 - before.1))
            .collect();
        let (first, last) = (gains.first()?, gains.last()?);
        let within = |end: Duration| {
            gains.iter().filter(move |(_, at, _)| *at <= end && *at + SECOND > end).map(|(.., count)| count).sum()
        };
        let most: usize = gains.iter().map(|(_, at, _)| within(*at)).max()?;
        let all: usize = gains.iter().map(|(.., count)| count).sum();
        // Less than a second is one: nobody was let in faster than the busiest second says.
        Some(Accepted { peak: rate(most, SECOND), mean: rate(all, (last.1 - first.0).max(SECOND)) })
    }
}

impl Accepted {
    /// How many times the mean the peak is.
    pub(crate) fn peak_over_mean(self) -> f64 {
        self.peak / self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(looks: &[(u64, usize)]) -> Option<Accepted> {
        let mut returns = Returns::default();
        looks.iter().for_each(|(ms, linked)| returns.saw(Duration::from_millis(*ms), *linked));
        returns.accepted()
    }

    #[test]
    fn the_busiest_second_is_found() {
        assert_eq!(seen(&[]), None);
        assert_eq!(seen(&[(0, 200), (100, 0), (900, 0)]), None, "nobody is back");
        let even = seen(&[(0, 0), (1_000, 10), (2_000, 20), (3_000, 30)]).expect("some are");
        assert_eq!((even.peak, even.mean, even.peak_over_mean()), (10.0, 10.0, 1.0));
        let at_once =
            seen(&[(0, 200), (100, 0), (5_000, 0), (5_100, 150), (5_900, 190), (9_000, 200)]).expect("some are");
        assert_eq!((at_once.peak, at_once.mean), (190.0, 50.0));
        assert_eq!(seen(&[(0, 0), (100, 200)]), Some(Accepted { peak: 200.0, mean: 200.0 }));
    }
}
