//! Failed attempts, counted per key and minute, for throttling.

use domain::{Timestamp, throttle::Guess};

use crate::{Result, Tx};

statements! {
    FAILED_ATTEMPT_ADD = same("
        insert into failed_attempt (guess, key, minute_at, count, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $5)
        on conflict (guess, key, minute_at) do update
        set count = failed_attempt.count + excluded.count, updated_at = excluded.updated_at
        returning count");
    FAILED_ATTEMPT_COUNT = same("select count from failed_attempt where guess = $1 and key = $2 and minute_at = $3");
    FAILED_ATTEMPT_PRUNE = same("delete from failed_attempt where minute_at < $1");
}

impl Tx<'_> {
    /// Adds to the failures of a key in this minute (`count` may be negative). Returns the new number.
    pub async fn failed_attempt_add(&mut self, guess: Guess, key: &str, count: i32, now: Timestamp) -> Result<u32> {
        let count = value!(self, FAILED_ATTEMPT_ADD => i32, guess, key.to_owned(), now.minute(), count, now)?;
        Ok(count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
    }

    /// Returns the number of failures of a key in this minute.
    pub async fn failed_attempt_count(&mut self, guess: Guess, key: &str, now: Timestamp) -> Result<u32> {
        let count = value!(self, FAILED_ATTEMPT_COUNT => i32, guess, key.to_owned(), now.minute())?;
        Ok(count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
    }

    /// Deletes counts from before a time.
    pub async fn failed_attempt_prune(&mut self, before: Timestamp) -> Result<u64> {
        execute!(self, FAILED_ATTEMPT_PRUNE, before)
    }
}
