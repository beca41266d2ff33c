//! Failed tries and refusals, counted per key and minute.

use domain::{Timestamp, throttle::Guess};

use crate::{Result, Tx};

statements! {
    REFUSAL_ADD = same("
        insert into refusal (guess, key, minute_at, count, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $5)
        on conflict (guess, key, minute_at) do update
        set count = refusal.count + excluded.count, updated_at = excluded.updated_at
        returning count");
    REFUSAL_COUNT = same("select count from refusal where guess = $1 and key = $2 and minute_at = $3");
    REFUSAL_PRUNE = same("delete from refusal where minute_at < $1");
}

impl Tx<'_> {
    /// Counts failures for a key in this minute, or takes some back; returns how many there are now.
    pub async fn refusal_add(&mut self, guess: Guess, key: &str, count: i32, now: Timestamp) -> Result<u32> {
        let count = value!(self, REFUSAL_ADD => i32, guess, key.to_owned(), now.minute(), count, now)?;
        Ok(count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
    }

    /// How many failures a key has in this minute.
    pub async fn refusal_count(&mut self, guess: Guess, key: &str, now: Timestamp) -> Result<u32> {
        let count = value!(self, REFUSAL_COUNT => i32, guess, key.to_owned(), now.minute())?;
        Ok(count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
    }

    /// Removes counts of the past.
    pub async fn refusal_prune(&mut self, before: Timestamp) -> Result<u64> {
        execute!(self, REFUSAL_PRUNE, before)
    }
}
