//! Rate limit of requests per address, and counts of unauthenticated requests.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use proto::Code;

use crate::{Error, Result};

/// Addresses above which idle ones are removed.
const ADDRESSES_MAX: usize = 10_000;

/// Request rates and counts of rejected requests, per address.
pub(crate) struct AddressLimiter {
    limit: DefaultKeyedRateLimiter<String>,
    refused: Mutex<HashMap<String, i32>>,
}

impl AddressLimiter {
    pub(crate) fn new(per_second: u32) -> Self {
        let rate = NonZeroU32::new(per_second.max(1)).unwrap_or(NonZeroU32::MIN);
        Self {
            limit: RateLimiter::keyed(
                Quota::per_second(rate).allow_burst(rate.saturating_mul(NonZeroU32::MIN.saturating_add(1))),
            ),
            refused: Mutex::default(),
        }
    }

    /// Rejects a request of an address that exceeds its rate.
    pub(crate) fn check(&self, address: &str) -> Result<()> {
        if self.limit.len() > ADDRESSES_MAX {
            self.limit.retain_recent();
        }
        self.limit.check_key(&address.to_owned()).map_err(|_| {
            Error::new(Code::RateLimited, "too many requests from your address")
                .hint("wait a moment")
                .retry_after(domain::Span::from_secs(1))
        })
    }

    /// Counts a 401 response, to be stored in bulk.
    pub(crate) fn count_refusal(&self, address: &str) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.len() < ADDRESSES_MAX {
            *refused.entry(address.to_owned()).or_default() += 1;
        }
    }

    /// Returns the counts since the last call and resets them.
    pub(crate) fn take_refusals(&self) -> Vec<(String, i32)> {
        std::mem::take(&mut *self.refused.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }
}
