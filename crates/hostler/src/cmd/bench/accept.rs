//! Rates of reconnecting runners: the busiest second compared with the mean.

use std::time::Duration;

use super::figures::rate;

/// The window of the peak rate.
const SECOND: Duration = Duration::from_secs(1);

/// The number of linked runners at each poll, while some were not linked.
#[derive(Default)]
pub(super) struct LinkSamples(Vec<(Duration, usize)>);

/// Reconnections per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AcceptRate {
    pub(super) peak: f64,
    pub(super) mean: f64,
}

impl LinkSamples {
    /// Records the number of linked runners at a time.
    pub(super) fn add(&mut self, at: Duration, linked: usize) {
        self.0.push((at, linked));
    }

    /// The rates between the first and the last reconnection; `None` without reconnections.
    pub(super) fn accept_rate(&self) -> Option<AcceptRate> {
        let pairs = self.0.iter().zip(self.0.iter().skip(1));
        let gains: Vec<(Duration, Duration, usize)> = pairs
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
        Some(AcceptRate { peak: rate(most, SECOND), mean: rate(all, (last.1 - first.0).max(SECOND)) })
    }
}

impl AcceptRate {
    /// The ratio of peak and mean.
    pub(super) fn peak_over_mean(self) -> f64 {
        self.peak / self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate_of(samples: &[(u64, usize)]) -> Option<AcceptRate> {
        let mut link_samples = LinkSamples::default();
        samples.iter().for_each(|(ms, linked)| link_samples.add(Duration::from_millis(*ms), *linked));
        link_samples.accept_rate()
    }

    #[test]
    fn accept_rate_computes_peak_and_mean_rates() {
        assert_eq!(rate_of(&[]), None);
        assert_eq!(rate_of(&[(0, 200), (100, 0), (900, 0)]), None, "no runner reconnected");
        let even = rate_of(&[(0, 0), (1_000, 10), (2_000, 20), (3_000, 30)]).expect("some are");
        assert_eq!((even.peak, even.mean, even.peak_over_mean()), (10.0, 10.0, 1.0));
        let burst =
            rate_of(&[(0, 200), (100, 0), (5_000, 0), (5_100, 150), (5_900, 190), (9_000, 200)]).expect("some are");
        assert_eq!((burst.peak, burst.mean), (190.0, 50.0));
        assert_eq!(rate_of(&[(0, 0), (100, 200)]), Some(AcceptRate { peak: 200.0, mean: 200.0 }));
    }
}
