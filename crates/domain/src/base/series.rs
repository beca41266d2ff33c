//! Metrics over time: the stored line of each minute, and the points of a chart computed from them.
//!
//! A minute is one line of text, and the lines of an hour are stored in one row: a week of a thousand machines needs
//! few rows, and adding a minute appends to a text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    id::Id,
    time::{Span, Timestamp},
};

/// How long minutes are stored.
pub const KEPT: Span = Span::from_secs(8 * 86_400);
/// The most points per series in one response.
pub const POINTS_MAX: i64 = 750;
/// The possible intervals between points, in seconds.
const STEPS: [i64; 7] = [60, 120, 300, 600, 1_800, 3_600, 21_600];
const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;

/// Id of an object with metrics: a host, a server, or an org with its jobs.
pub type SubjectId = Id<Subject>;

/// The kind of [`SubjectId`].
#[derive(Debug)]
pub enum Subject {}

impl SubjectId {
    /// The subject id of a host, server or org.
    #[must_use]
    pub fn of<K>(id: Id<K>) -> Self {
        Self::from_bytes(id.to_bytes())
    }
}

crate::string_enum! {
    /// The unit of a series.
    pub enum Unit {
        /// A fraction: 0.5 is half.
        Ratio = "ratio",
        Bytes = "bytes",
        Count = "count",
        Seconds = "seconds",
    }
}

/// How values of several minutes are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fold {
    /// For gauges: the mean of the measured values. Without a measurement the value is unknown.
    Mean,
    /// For counters: the sum. Without a measurement the value is zero.
    Sum,
}

/// One stored number of a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    name: &'static str,
    unit: Unit,
    fold: Fold,
}

const fn state(name: &'static str, unit: Unit) -> Column {
    Column { name, unit, fold: Fold::Mean }
}

const fn count(name: &'static str) -> Column {
    Column { name, unit: Unit::Count, fold: Fold::Sum }
}

/// The stored numbers of one kind of subject, in the order of the stored line. Append new columns at the end: stored
/// lines are read by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    columns: &'static [Column],
    /// Durations stored as histograms; each becomes two series, `…_p50` and `…_p95`.
    spreads: &'static [[&'static str; 2]],
}

/// The metrics of a host.
pub const HOST: Shape = Shape {
    columns: &[
        state("cpu", Unit::Ratio),
        state("memory", Unit::Ratio),
        state("disk", Unit::Ratio),
        state("load", Unit::Count),
    ],
    spreads: &[],
};
/// The metrics of a server.
pub const SERVER: Shape = Shape { columns: &[state("cpu", Unit::Ratio), state("memory", Unit::Bytes)], spreads: &[] };
/// The metrics of an org's jobs.
pub const JOBS: Shape = Shape {
    columns: &[count("enqueued"), count("succeeded"), count("failed"), count("dead_letter"), count("canceled")],
    spreads: &[["wait_p50", "wait_p95"], ["run_p50", "run_p95"]],
};

/// A histogram of durations: counts per bucket, each bucket √2 times as long as the one before. A quantile is accurate
/// to about a fifth; histograms are small and can be added.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Histogram(BTreeMap<u8, u32>);

impl Histogram {
    /// Records one duration.
    pub fn note(&mut self, took: Span) {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at least 1 before, at most 255 after"
        )]
        let place = ((took.as_millis().max(1) as f64).log2() * 2.0).floor().min(f64::from(u8::MAX)) as u8;
        let count = self.0.entry(place).or_default();
        *count = count.saturating_add(1);
    }

    /// Adds all counts of another histogram.
    pub fn add(&mut self, other: &Self) {
        for (place, more) in &other.0 {
            let count = self.0.entry(*place).or_default();
            *count = count.saturating_add(*more);
        }
    }

    /// The quantile in seconds; `part` is in 0..1. `None` if the histogram is empty.
    #[must_use]
    pub fn quantile(&self, part: f64) -> Option<f64> {
        let all: u64 = self.0.values().map(|count| u64::from(*count)).sum();
        #[expect(clippy::cast_precision_loss, reason = "a place in a chart needs no exactness")]
        let wanted = (all as f64 * part).ceil().max(1.0);
        let mut seen = 0.0;
        self.0.iter().find_map(|(place, count)| {
            seen += f64::from(*count);
            (seen >= wanted).then(|| ((f64::from(*place) + 0.5) / 2.0).exp2() / 1_000.0)
        })
    }
}

/// The stored numbers of one minute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Minute {
    /// One value per column of the shape.
    pub numbers: Vec<Option<f64>>,
    /// One histogram per spread of the shape.
    pub spreads: Vec<Histogram>,
}

/// The stored line: minute of the hour, values, histograms.
type Line = (i64, Vec<Option<f64>>, Vec<Histogram>);

impl Minute {
    /// The line to append to the row of the hour, with its newline.
    #[must_use]
    pub fn line(&self, at: Timestamp) -> String {
        let round = |number: &f64| (number * 10_000.0).round() / 10_000.0;
        let numbers: Vec<Option<f64>> = self.numbers.iter().map(|number| number.as_ref().map(round)).collect();
        let line = (at.as_micros().rem_euclid(HOUR) / MINUTE, numbers, &self.spreads);
        serde_json::to_string(&line).map_or_else(|_| String::new(), |text| text + "\n")
    }
}

/// The start of the retention time, as a whole hour, because rows hold an hour.
#[must_use]
pub fn kept_since(now: Timestamp) -> Timestamp {
    hour(now - KEPT)
}

/// The hour whose row contains this time.
#[must_use]
pub const fn hour(at: Timestamp) -> Timestamp {
    Timestamp::from_micros(at.as_micros() - at.as_micros().rem_euclid(HOUR))
}

/// Parses the stored row of an hour. Invalid lines are skipped: they become a gap in the chart.
pub fn minutes(hour: Timestamp, text: &str) -> impl Iterator<Item = (Timestamp, Minute)> {
    text.lines().filter_map(move |line| {
        let (minute, numbers, spreads): Line = serde_json::from_str(line).ok()?;
        let at = Timestamp::from_micros(hour.as_micros() + minute.clamp(0, 59) * MINUTE);
        Some((at, Minute { numbers, spreads }))
    })
}

/// The time range of a chart, divided into steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The start of the first step.
    pub after: Timestamp,
    /// The end of the last step.
    pub before: Timestamp,
    /// The length of a step in seconds.
    pub step: i64,
}

impl Range {
    /// Chooses the smallest step with at most [`POINTS_MAX`] points and aligns the range to it. `None` if the range is
    /// empty or too long.
    #[must_use]
    pub fn new(after: Timestamp, before: Timestamp) -> Option<Self> {
        let wanted = before.as_micros().checked_sub(after.as_micros()).filter(|long| *long > 0)? / 1_000_000;
        let step = STEPS.into_iter().find(|step| wanted / step <= POINTS_MAX)?;
        let micros = step * 1_000_000;
        let floor = |at: i64| at - at.rem_euclid(micros);
        let end = floor(before.as_micros() + micros - 1);
        Some(Self {
            after: Timestamp::from_micros(floor(after.as_micros())),
            before: Timestamp::from_micros(end),
            step,
        })
    }

    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from((self.before.as_micros() - self.after.as_micros()) / (self.step * 1_000_000)).unwrap_or(0)
    }

    /// Whether the range has no steps; false for every range made by [`Range::new`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn place(&self, at: Timestamp) -> Option<usize> {
        let place = (at.as_micros() - self.after.as_micros()).div_euclid(self.step * 1_000_000);
        usize::try_from(place).ok().filter(|place| *place < self.len())
    }
}

/// The values of one metric over a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: &'static str,
    pub unit: Unit,
    /// One per step; `None` without a measurement.
    pub values: Vec<Option<f64>>,
}

#[derive(Clone, Default)]
struct SeriesBucket {
    /// Sum and number of measurements per column.
    numbers: Vec<(f64, u32)>,
    spreads: Vec<Histogram>,
}

/// The series of a chart. The minutes may come in any order and from any number of hubs.
#[must_use]
pub fn series(shape: Shape, range: Range, minutes: impl Iterator<Item = (Timestamp, Minute)>) -> Vec<Series> {
    let empty = SeriesBucket {
        numbers: vec![(0.0, 0); shape.columns.len()],
        spreads: vec![Histogram::default(); shape.spreads.len()],
    };
    let mut steps = vec![empty; range.len()];
    for (at, minute) in minutes {
        let Some(step) = range.place(at).map(|place| &mut steps[place]) else { continue };
        for (sum, number) in step.numbers.iter_mut().zip(&minute.numbers) {
            if let Some(number) = number {
                *sum = (sum.0 + number, sum.1 + 1);
            }
        }
        step.spreads.iter_mut().zip(&minute.spreads).for_each(|(spread, more)| spread.add(more));
    }
    let column = |(place, column): (usize, &Column)| {
        let value = |step: &SeriesBucket| match (column.fold, step.numbers[place]) {
            (Fold::Sum, (sum, _)) => Some(sum),
            (Fold::Mean, (_, 0)) => None,
            (Fold::Mean, (sum, seen)) => Some(sum / f64::from(seen)),
        };
        Series { name: column.name, unit: column.unit, values: steps.iter().map(value).collect() }
    };
    let mut all: Vec<Series> = shape.columns.iter().enumerate().map(column).collect();
    for (place, names) in shape.spreads.iter().enumerate() {
        for (name, part) in names.iter().zip([0.5, 0.95]) {
            let values = steps.iter().map(|step| step.spreads[place].quantile(part)).collect();
            all.push(Series { name, unit: Unit::Seconds, values });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_700_002_800_000_000);

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_micros(T0.as_micros() + minute * MINUTE)
    }

    fn host(cpu: f64) -> Minute {
        Minute { numbers: vec![Some(cpu), None, Some(0.5), Some(1.0)], spreads: vec![] }
    }

    #[test]
    fn stored_minutes_round_trip() {
        let mut spread = Histogram::default();
        [3, 40, 40, 9_000].into_iter().for_each(|ms| spread.note(Span::from_millis(ms)));
        let minute = Minute { numbers: vec![Some(0.25), None, Some(3.0)], spreads: vec![spread] };
        let text = minute.line(at(17)) + "nonsense\n" + &minute.line(at(18));
        assert_eq!(hour(at(59)), T0);
        assert_eq!(minutes(T0, &text).collect::<Vec<_>>(), [(at(17), minute.clone()), (at(18), minute)]);
    }

    #[test]
    fn gauges_are_averaged_and_counters_are_summed() {
        let range = Range::new(at(0), at(4)).expect("a time");
        let shown = series(HOST, range, [(at(1), host(0.2)), (at(1), host(0.4)), (at(9), host(1.0))].into_iter());
        let cpu = &shown[0];
        assert_eq!((cpu.name, cpu.values.len(), cpu.values[0]), ("cpu", 4, None));
        assert!((cpu.values[1].expect("seen") - 0.3).abs() < 1e-9);
        assert_eq!(shown[1].values, [None; 4], "memory was not measured");
        let jobs =
            |numbers: [f64; 5]| Minute { numbers: numbers.map(Some).to_vec(), spreads: vec![Histogram::default(); 2] };
        let minutes = [(at(0), jobs([2.0, 1.0, 0.0, 0.0, 0.0])), (at(0), jobs([3.0, 0.0, 1.0, 0.0, 0.0]))];
        let shown = series(JOBS, range, minutes.into_iter());
        assert_eq!(shown[0].values, [Some(5.0), Some(0.0), Some(0.0), Some(0.0)], "a counter without values is zero");
        assert_eq!(
            shown.iter().map(|series| series.name).collect::<Vec<_>>()[5..],
            ["wait_p50", "wait_p95", "run_p50", "run_p95"]
        );
    }

    #[test]
    fn range_has_at_most_the_maximum_of_points() {
        for (hours, step) in [(1, 60), (12, 60), (24, 120), (168, 1_800), (192, 1_800)] {
            let range = Range::new(at(0), at(hours * 60)).expect("a time");
            assert_eq!(range.step, step, "{hours} h");
            assert!(i64::try_from(range.len()).expect("few") <= POINTS_MAX + 1, "{hours} h");
        }
        assert_eq!(Range::new(at(1), at(1)), None);
        assert_eq!(Range::new(at(2), at(1)), None);
    }

    proptest! {
        #[test]
        fn quantile_is_within_a_fifth(lengths in prop::collection::vec(1_i64..10_000_000, 1..200), part in 0.01_f64..1.0) {
            let mut spread = Histogram::default();
            lengths.iter().for_each(|ms| spread.note(Span::from_millis(*ms)));
            let mut sorted = lengths.clone();
            sorted.sort_unstable();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "small")]
            let true_ms = sorted[((lengths.len() as f64 * part).ceil() as usize - 1).min(lengths.len() - 1)] as f64;
            let seconds = spread.quantile(part).expect("some");
            prop_assert!((0.8..1.25).contains(&(seconds * 1_000.0 / true_ms)), "{seconds} s for {true_ms} ms");
        }
    }
}
