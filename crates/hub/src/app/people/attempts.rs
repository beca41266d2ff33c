//! Failed attempts to sign in: counters that throttle them, and their lines in the audit log.

use domain::{
    Span,
    throttle::{self, Guess},
};
use proto::Code;
use serde_json::json;

use crate::app::{RequestContext, repeated_audit::RepeatedEntry};
use crate::{Error, Hub, Result};

/// Longest e-mail address in an audit line, in characters.
const EMAIL_MAX: usize = 254;

/// The counters to which a password attempt was added.
#[must_use = "a correct password gives the attempt back"]
pub(super) struct Attempt(Vec<String>);

impl Hub {
    /// Returns an error if this address or account has failed too often within a minute.
    ///
    /// # Errors
    /// Fails if it has, with the time to wait.
    pub(crate) async fn may_guess(&self, guess: Guess, address: &str, account: Option<&str>) -> Result<()> {
        let now = self.now();
        let (address_key, account_key) = (throttle::key(address), account.map(str::to_owned));
        let (by_address, by_account) = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let by_address = tx.failed_attempt_count(guess, &address_key, now).await?;
                    let by_account = match account_key {
                        Some(key) => tx.failed_attempt_count(guess, &key, now).await?,
                        None => 0,
                    };
                    Ok::<_, Error>((by_address, by_account))
                })
            })
            .await?;
        throttle::may_try(by_address, throttle::PER_ADDRESS, now)
            .and_then(|()| throttle::may_try(by_account, throttle::PER_ACCOUNT, now))
            .map_err(throttled)
    }

    /// Counts a password attempt before it is verified, in a write: a check that only reads would let a thousand
    /// concurrent attempts pass. A correct password gives the attempt back.
    ///
    /// The account's counter changes only if the address may still try: otherwise one address could lock any account
    /// out. A known browser has only its own counter.
    pub(super) async fn reserve_try(
        &self,
        by: &RequestContext,
        email: &str,
        browser: Option<String>,
    ) -> Result<Attempt> {
        let (now, is_known) = (self.now(), browser.is_some());
        let limits = match browser {
            Some(browser) => vec![(browser, throttle::PER_BROWSER)],
            None => vec![
                (throttle::key(&by.address), throttle::PER_ADDRESS),
                (format!("account:{email}"), throttle::PER_ACCOUNT),
            ],
        };
        let reserved = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let mut keys = Vec::new();
                    for (key, limit) in limits {
                        let count = tx.failed_attempt_add(Guess::Login, &key, 1, now).await?;
                        // The count is committed, too: not an error of the transaction.
                        if let Err(wait) = throttle::may_try(count.saturating_sub(1), limit, now) {
                            return Ok(Err(wait));
                        }
                        keys.push(key);
                    }
                    Ok::<_, Error>(Ok(Attempt(keys)))
                })
            })
            .await?;
        match reserved {
            Ok(attempt) => Ok(attempt),
            Err(wait) => {
                // One line per address: throttled attempts can name any number of accounts.
                self.sign_in_failed(by, "throttled", if is_known { email } else { "" }).await?;
                Err(throttled(wait))
            }
        }
    }

    /// Gives an attempt back after a correct password.
    pub(super) async fn forgive_try(&self, Attempt(keys): Attempt) -> Result<()> {
        let now = self.now();
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    for key in &keys {
                        tx.failed_attempt_add(Guess::Login, key, -1, now).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Counts a failed attempt.
    pub(crate) async fn guessed_wrong(&self, guess: Guess, address: &str, account: Option<&str>) -> Result<()> {
        let now = self.now();
        let keys: Vec<String> = std::iter::once(throttle::key(address)).chain(account.map(str::to_owned)).collect();
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    for key in keys {
                        tx.failed_attempt_add(guess, &key, 1, now).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Writes a failed sign-in to the audit log, once per address, account and minute; repetitions are counted.
    pub(super) async fn sign_in_failed(&self, by: &RequestContext, how: &'static str, email: &str) -> Result<()> {
        let email: String = email.chars().take(EMAIL_MAX).collect();
        self.record_repeated(
            by,
            None,
            RepeatedEntry {
                action: "sign_in.failed",
                kind: "user",
                key: format!("{} {how} {email}", throttle::key(&by.address)),
                name: (!email.is_empty()).then_some(email),
                detail: json!({"how": how}),
            },
        )
        .await
    }
}

fn throttled(wait: Span) -> Error {
    Error::new(Code::LoginThrottled, format!("too many failed attempts; try again in {wait}")).retry_after(wait)
}
