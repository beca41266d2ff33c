//! Numbers over time: what is kept of each minute, and how minutes become the points of a chart.
//!
//! A minute is one line of text. Lines of an hour lie in one row, so that keeping a week of a thousand machines takes
//! few rows, and adding a minute is appending to a text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    id::Id,
    time::{Span, Timestamp},
};

/// How long minutes are kept.
pub const KEPT: Span = Span::from_secs(8 * 86_400);
/// The most points of one answer.
pub const POINTS_MAX: i64 = 750;
/// The lengths a point can have, in seconds.
const STEPS: [i64; 7] = [60, 120, 300, 600, 1_800, 3_600, 21_600];
const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;

/// Whatever has numbers of its own: a host, a server, or an org with its jobs.
pub type SubjectId = Id<Subject>;

/// See [`SubjectId`].
#[derive(Debug)]
pub enum Subject {}

impl SubjectId {
    /// The numbers of a thing.
    #[must_use]
    pub fn of<K>(id: Id<K>) -> Self {
        Self::from_bytes(id.to_bytes())
    }
}

crate::words! {
    /// What a number counts.
    pub enum Unit {
        /// A part of the whole: 0.5 is half.
        Ratio = "ratio",
        /// Bytes.
        Bytes = "bytes",
        /// Things.
        Count = "count",
        /// Seconds.
        Seconds = "seconds",
    }
}

/// How the numbers of several minutes become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fold {
    /// A state: the mean of what was seen. Not seen is not known.
    Mean,
    /// A count: the sum. Not seen is none.
    Sum,
}

/// One number that is kept.
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

/// What is kept of one kind of thing. The order is that of the numbers in each minute: new ones go to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    columns: &'static [Column],
    /// Times whose spread is kept; each becomes two series, `…_p50` and `…_p95`.
    spreads: &'static [[&'static str; 2]],
}

/// Of a host.
pub const HOST: Shape = Shape {
    columns: &[
        state("cpu", Unit::Ratio),
        state("memory", Unit::Ratio),
        state("disk", Unit::Ratio),
        state("load", Unit::Count),
    ],
    spreads: &[],
};
/// Of a server.
pub const SERVER: Shape = Shape { columns: &[state("cpu", Unit::Ratio), state("memory", Unit::Bytes)], spreads: &[] };
/// Of an org's jobs.
pub const JOBS: Shape = Shape {
    columns: &[count("enqueued"), count("succeeded"), count("failed"), count("dead_letter"), count("canceled")],
    spreads: &[["wait_p50", "wait_p95"], ["run_p50", "run_p95"]],
};

/// How long things took: counts by length, each half as long again as the one before. It knows a length to within a
/// fifth, takes little room, and two of them can be added.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spread(BTreeMap<u8, u32>);

impl Spread {
    /// Adds one.
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

    /// Adds all of another.
    pub fn add(&mut self, other: &Self) {
        for (place, more) in &other.0 {
            let count = self.0.entry(*place).or_default();
            *count = count.saturating_add(*more);
        }
    }

    /// How many seconds this part of them took at most.
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

/// What is kept of one minute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Minute {
    /// As the columns of the shape.
    pub numbers: Vec<Option<f64>>,
    /// As its spreads.
    pub spreads: Vec<Spread>,
}

/// A minute as it is written: which of its hour, and what.
type Line = (i64, Vec<Option<f64>>, Vec<Spread>);

impl Minute {
    /// The line that is kept, with its end.
    #[must_use]
    pub fn line(&self, at: Timestamp) -> String {
        let round = |number: &f64| (number * 10_000.0).round() / 10_000.0;
        let numbers: Vec<Option<f64>> = self.numbers.iter().map(|number| number.as_ref().map(round)).collect();
        let line = (at.as_micros().rem_euclid(HOUR) / MINUTE, numbers, &self.spreads);
        serde_json::to_string(&line).map_or_else(|_| String::new(), |text| text + "\n")
    }
}

/// Since when numbers are kept: whole hours, as they lie in rows.
#[must_use]
pub fn kept_since(now: Timestamp) -> Timestamp {
    hour(now - KEPT)
}

/// The hour whose row a minute lies in.
#[must_use]
pub const fn hour(at: Timestamp) -> Timestamp {
    Timestamp::from_micros(at.as_micros() - at.as_micros().rem_euclid(HOUR))
}

/// The minutes of an hour, as they were kept. A line that cannot be read is left out: it is a gap in a chart.
pub fn minutes(hour: Timestamp, text: &str) -> impl Iterator<Item = (Timestamp, Minute)> {
    text.lines().filter_map(move |line| {
        let (minute, numbers, spreads): Line = serde_json::from_str(line).ok()?;
        let at = Timestamp::from_micros(hour.as_micros() + minute.clamp(0, 59) * MINUTE);
        Some((at, Minute { numbers, spreads }))
    })
}

/// A time that is shown, in steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Where the first step begins.
    pub after: Timestamp,
    /// Where the last one ends.
    pub before: Timestamp,
    /// How long each is, in seconds.
    pub step: i64,
}

impl Range {
    /// Steps over a time: whole minutes, as few as a chart can use. None if there is no time between them.
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

    /// How many steps it has.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from((self.before.as_micros() - self.after.as_micros()) / (self.step * 1_000_000)).unwrap_or(0)
    }

    /// Whether it has none: never, if it was made by [`Range::new`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn place(&self, at: Timestamp) -> Option<usize> {
        let place = (at.as_micros() - self.after.as_micros()).div_euclid(self.step * 1_000_000);
        usize::try_from(place).ok().filter(|place| *place < self.len())
    }
}

/// The values of one name over a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Which.
    pub name: &'static str,
    /// What they count.
    pub unit: Unit,
    /// One per step; none where nothing is known.
    pub values: Vec<Option<f64>>,
}

#[derive(Clone, Default)]
struct Step {
    /// Sum and how many, per column.
    numbers: Vec<(f64, u32)>,
    spreads: Vec<Spread>,
}

/// What charts show of minutes, in any order, from any number of hubs.
#[must_use]
pub fn series(shape: Shape, range: Range, minutes: impl Iterator<Item = (Timestamp, Minute)>) -> Vec<Series> {
    let empty =
        Step { numbers: vec![(0.0, 0); shape.columns.len()], spreads: vec![Spread::default(); shape.spreads.len()] };
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
        let value = |step: &Step| match (column.fold, step.numbers[place]) {
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
    fn a_minute_is_read_as_it_was_written() {
        let mut spread = Spread::default();
        [3, 40, 40, 9_000].into_iter().for_each(|ms| spread.note(Span::from_millis(ms)));
        let minute = Minute { numbers: vec![Some(0.25), None, Some(3.0)], spreads: vec![spread] };
        let text = minute.line(at(17)) + "nonsense\n" + &minute.line(at(18));
        assert_eq!(hour(at(59)), T0);
        assert_eq!(minutes(T0, &text).collect::<Vec<_>>(), [(at(17), minute.clone()), (at(18), minute)]);
    }

    #[test]
    fn states_are_means_and_counts_are_sums() {
        let range = Range::new(at(0), at(4)).expect("a time");
        let shown = series(HOST, range, [(at(1), host(0.2)), (at(1), host(0.4)), (at(9), host(1.0))].into_iter());
        let cpu = &shown[0];
        assert_eq!((cpu.name, cpu.values.len(), cpu.values[0]), ("cpu", 4, None));
        assert!((cpu.values[1].expect("seen") - 0.3).abs() < 1e-9);
        assert_eq!(shown[1].values, [None; 4], "memory was not told");
        let jobs =
            |numbers: [f64; 5]| Minute { numbers: numbers.map(Some).to_vec(), spreads: vec![Spread::default(); 2] };
        let minutes = [(at(0), jobs([2.0, 1.0, 0.0, 0.0, 0.0])), (at(0), jobs([3.0, 0.0, 1.0, 0.0, 0.0]))];
        let shown = series(JOBS, range, minutes.into_iter());
        assert_eq!(shown[0].values, [Some(5.0), Some(0.0), Some(0.0), Some(0.0)], "nothing happened is none");
        assert_eq!(
            shown.iter().map(|series| series.name).collect::<Vec<_>>()[5..],
            ["wait_p50", "wait_p95", "run_p50", "run_p95"]
        );
    }

    #[test]
    fn a_range_has_as_many_steps_as_a_chart_can_use() {
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
        fn a_quantile_is_near(lengths in prop::collection::vec(1_i64..10_000_000, 1..200), part in 0.01_f64..1.0) {
            let mut spread = Spread::default();
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
