//! The parser of schedule expressions. It checks every part of every field, so that an error names the part and the
//! fix.
//!
//! The result are fields of plain numbers for croner: names and `H` are replaced. `H` is a value chosen by hash, once
//! per schedule, so that not all schedules fire at the full hour. As in Jenkins, `H` is one value, `H(0-29)` one of a
//! range, `H/15` every fifteenth value from a chosen start, and `H(0-29)/10` both.

use super::{BadSchedule, EVERY_MIN, EXPRESSION_MAX, dice};
use crate::time::Span;

/// A parsed expression.
pub(super) enum Parsed {
    Cron(Fields),
    Every(Span),
}

/// Six fields for croner.
pub(super) struct Fields {
    /// Seconds first, numbers only.
    pub(super) text: String,
    /// Whether the hour field is `*`, `*/n` or `H/n`.
    pub(super) is_interval: bool,
}

/// The allowed values of one field.
struct Field {
    name: &'static str,
    min: u32,
    max: u32,
    /// The highest value of `H`; 28 for days, because every month has that day.
    chosen_max: u32,
    /// Names of the values, starting at `min`.
    words: &'static [&'static str],
}

const SECOND: Field = Field { name: "second", min: 0, max: 59, chosen_max: 59, words: &[] };
const MINUTE: Field = Field { name: "minute", ..SECOND };
const HOUR: Field = Field { name: "hour", min: 0, max: 23, chosen_max: 23, words: &[] };
const DAY: Field = Field { name: "day", min: 1, max: 31, chosen_max: 28, words: &[] };
const MONTH: Field = Field {
    name: "month",
    min: 1,
    max: 12,
    chosen_max: 12,
    words: &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
};
// 7 is also Sunday.
// Sunday is 0 and 7.
const WEEKDAY: Field =
    Field { name: "weekday", min: 0, max: 7, chosen_max: 6, words: &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] };

const NICKNAMES: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// Parses an expression without surrounding blanks.
pub(super) fn parse(expression: &str, seed: &str) -> Result<Parsed, BadSchedule> {
    if expression.is_empty() {
        return Err(BadSchedule::Empty);
    }
    if expression.chars().nth(EXPRESSION_MAX).is_some() {
        return Err(BadSchedule::TooLong);
    }
    if !expression.starts_with('@') {
        return fields(expression, seed).map(Parsed::Cron);
    }
    let (name, rest) = expression.split_once(char::is_whitespace).unwrap_or((expression, ""));
    if name.eq_ignore_ascii_case("@every") {
        return every(rest.trim()).map(Parsed::Every);
    }
    match NICKNAMES.iter().find(|(nickname, _)| expression.eq_ignore_ascii_case(nickname)) {
        Some((_, stands_for)) => fields(stands_for, seed).map(Parsed::Cron),
        None => Err(BadSchedule::Nickname(clip(expression))),
    }
}

fn every(length: &str) -> Result<Span, BadSchedule> {
    let span: Option<Span> = length.parse().ok();
    span.filter(|span| *span >= EVERY_MIN).ok_or_else(|| BadSchedule::Every(clip(length)))
}

fn fields(expression: &str, seed: &str) -> Result<Fields, BadSchedule> {
    let mut given: Vec<String> = expression.split_ascii_whitespace().map(str::to_ascii_uppercase).collect();
    match given.len() {
        5 => given.insert(0, "0".to_owned()),
        6 => {}
        other => return Err(BadSchedule::Fields(other)),
    }
    let all = [SECOND, MINUTE, HOUR, DAY, MONTH, WEEKDAY];
    let read = all.iter().zip(&given).map(|(field, text)| field.read(text, seed)).collect::<Result<Vec<_>, _>>()?;
    Ok(Fields { text: read.join(" "), is_interval: is_all_hours(&given[2]) })
}

/// Whether the hour field is an interval: all hours or every nth hour.
fn is_all_hours(field: &str) -> bool {
    let is_step = |prefix| field.strip_prefix(prefix).is_some_and(|step| !step.contains(','));
    field == "*" || is_step("*/") || is_step("H/")
}

impl Field {
    /// The field in croner's syntax.
    fn read(&self, text: &str, seed: &str) -> Result<String, BadSchedule> {
        // `+` before the weekday requires both the day of the month and the weekday to match; otherwise one is enough.
        let (and, text) = match text.strip_prefix('+') {
            Some(rest) if self.name == WEEKDAY.name => ("+", rest),
            _ => ("", text),
        };
        let items = text.split(',').enumerate();
        let read = items.map(|(at, item)| self.item(item, seed, at)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("{and}{}", read.join(",")))
    }

    fn item(&self, item: &str, seed: &str, at: usize) -> Result<String, BadSchedule> {
        match item {
            "" => return Err(self.refuse(item, "is empty (remove the comma or write `*`)")),
            "*" => return Ok("*".to_owned()),
            "?" if self.name == DAY.name || self.name == WEEKDAY.name => return Ok("*".to_owned()),
            "L" | "LW" if self.name == DAY.name => return Ok(item.to_owned()),
            "L" if self.name == WEEKDAY.name => {
                return Err(self.refuse(item, "needs a weekday (write FRIL for the last Friday)"));
            }
            _ => {}
        }
        if let Some(rest) = item.strip_prefix('H')
            && (rest.is_empty() || rest.starts_with(['(', '/']))
        {
            return self.chosen(item, rest, seed, at);
        }
        if self.name == DAY.name
            && let Some(day) = item.strip_suffix('W')
        {
            return Ok(format!("{}W", self.value(item, day)?));
        }
        if self.name == WEEKDAY.name && (item.ends_with('L') || item.contains('#')) {
            return self.nth_weekday(item);
        }
        let Some((values, step)) = item.split_once('/') else { return self.values(item, item) };
        let step = self.step(item, step)?;
        match values {
            "*" => Ok(format!("*/{step}")),
            range if range.contains('-') => Ok(format!("{}/{step}", self.values(item, range)?)),
            _ => Err(self.refuse(
                item,
                &format!("has a step without a range (write */{step} or {}-{}/{step})", self.min, self.max),
            )),
        }
    }

    /// One value or a range.
    fn values(&self, item: &str, text: &str) -> Result<String, BadSchedule> {
        let Some((from, to)) = text.split_once('-') else { return Ok(self.value(item, text)?.to_string()) };
        let (from, mut to) = (self.value(item, from)?, self.value(item, to)?);
        // At the end of a range Sunday is the last day of the week.
        if to == 0 && from > 0 && self.name == WEEKDAY.name {
            to = 7;
        }
        if from > to {
            let last = if self.name == WEEKDAY.name { 6 } else { self.max };
            let hint = format!("is in descending order (write {from}-{last},{}-{to})", self.min);
            return Err(self.refuse(item, &hint));
        }
        Ok(format!("{from}-{to}"))
    }

    fn value(&self, item: &str, text: &str) -> Result<u32, BadSchedule> {
        if let Some(word) = self.words.iter().position(|word| *word == text) {
            return Ok(self.min + u32::try_from(word).unwrap_or(0));
        }
        let example = self.words.first().map(|word| format!(" or a name like {word}")).unwrap_or_default();
        let (min, max) = (self.min, self.max);
        let refuse =
            || self.refuse(item, &format!("is not between {min} and {max} (write a number in this range{example})"));
        if text.is_empty() || text.len() > 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refuse());
        }
        text.parse().ok().filter(|value| (min..=max).contains(value)).ok_or_else(refuse)
    }

    /// A step may be as long as the field: `*/60` is once an hour. Longer intervals cannot be expressed in cron.
    fn step(&self, item: &str, text: &str) -> Result<u32, BadSchedule> {
        let longest = self.max - self.min + 1;
        let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        let step = if is_number { text.parse().ok() } else { None };
        step.filter(|step| (1..=longest).contains(step)).ok_or_else(|| {
            let hint = format!("has a step that is not between 1 and {longest} (for other intervals write @every 90m)");
            self.refuse(item, &hint)
        })
    }

    /// `5L`, `FRI#2`, `MON-FRI#1`.
    fn nth_weekday(&self, item: &str) -> Result<String, BadSchedule> {
        let (days, nth) = match item.split_once('#') {
            Some((days, nth)) => (days, nth),
            None => (&item[..item.len() - 1], "L"),
        };
        let is_last = nth == "L" && !days.contains('-');
        if !is_last && !matches!(nth, "1" | "2" | "3" | "4" | "5") {
            return Err(self.refuse(item, "is not a weekday of a month (write FRI#1 to FRI#5, or FRIL for the last)"));
        }
        // croner accepts 7 as Sunday everywhere but in this form.
        match self.values(item, days)?.as_str() {
            "7" => Ok(format!("0#{nth}")),
            days => Ok(format!("{days}#{nth}")),
        }
    }

    /// The values of `H`: a hash of the seed, the field and the position in the field.
    fn chosen(&self, item: &str, rest: &str, seed: &str, at: usize) -> Result<String, BadSchedule> {
        let wrong = || self.refuse(item, "is not a valid form of H (write H, H/15, H(0-29) or H(0-29)/10)");
        let (range, step) = match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(')').map(|(range, step)| (Some(range), step)).ok_or_else(wrong)?,
            None => (None, rest),
        };
        let (min, max) = match range {
            None => (self.min, self.chosen_max),
            Some(range) => {
                let read = self.values(item, range)?;
                let (min, max) = read.split_once('-').ok_or_else(wrong)?;
                (self.value(item, min)?, self.value(item, max)?)
            }
        };
        let step = match step {
            "" => None,
            step => Some(self.step(item, step.strip_prefix('/').ok_or_else(wrong)?)?),
        };
        let count = max - min + 1;
        let dice = dice(&[b"H", seed.as_bytes(), self.name.as_bytes(), &(at as u64).to_be_bytes()]);
        let choose = |count: u32| min + u32::try_from(dice % u64::from(count)).unwrap_or(0);
        Ok(match step {
            None => choose(count).to_string(),
            Some(step) => format!("{}-{max}/{step}", choose(step.min(count))),
        })
    }

    fn refuse(&self, item: &str, detail: &str) -> BadSchedule {
        BadSchedule::Item { field: self.name, item: clip(item), detail: detail.to_owned() }
    }
}

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}
