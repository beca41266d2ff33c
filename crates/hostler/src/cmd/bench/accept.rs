//! Rates of reconnecting runners: the busiest second compared with the mean.

use std::time::Duration;

use super::bench::rate;

/// The window of the peak rate.
const SECOND: Duration = Duration::from_secs(1);

/// The number of linked runners at each poll, while some were not linked.
#[derive(Default)]
pub(crate) struct Returns(Vec<(Duration, usize)>);

/// Reconnections per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Accepted {
    pub(crate) peak: f64,
    pub(crate) mean: f64,
}

impl Returns {
    /// Records the number of linked runners at a time.
    pub(crate) fn saw(&mut self, at: Duration, linked: usize) {
        self.0.push((at, linked));
    }

    /// The rates between the first and the last reconnection; `None` without reconnections.
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
        // A shorter period counts as one second, so that the mean never exceeds the peak.
        Some(Accepted { peak: rate(most, SECOND), mean: rate(all, (last.1 - first.0).max(SECOND)) })
    }
}

impl Accepted {
    /// The ratio of peak and mean.
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
    fn accepted_computes_peak_and_mean_rates() {
        assert_eq!(seen(&[]), None);
        assert_eq!(seen(&[(0, 200), (100, 0), (900, 0)]), None, "no runner reconnected");
        let even = seen(&[(0, 0), (1_000, 10), (2_000, 20), (3_000, 30)]).expect("some are");
        assert_eq!((even.peak, even.mean, even.peak_over_mean()), (10.0, 10.0, 1.0));
        let at_once =
            seen(&[(0, 200), (100, 0), (5_000, 0), (5_100, 150), (5_900, 190), (9_000, 200)]).expect("some are");
        assert_eq!((at_once.peak, at_once.mean), (190.0, 50.0));
        assert_eq!(seen(&[(0, 0), (100, 200)]), Some(Accepted { peak: 200.0, mean: 200.0 }));
    }
}
