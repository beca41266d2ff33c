//! Password hashing with argon2id: two hashes at a time, and the same effort for accounts that do not exist.

use std::sync::LazyLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::{Error, Result};

/// Shortest accepted password, in characters.
pub(crate) const LENGTH_MIN: usize = 12;
/// Longest accepted password, in characters, so that hashing cannot be used to keep the hub busy.
pub(crate) const LENGTH_MAX: usize = 256;

/// Limits concurrent hashes. Each takes tens of megabytes, so more would allow a denial of service by login form.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// A hash that no account has. It is verified when the account is unknown, so that both cases take equally long.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash_now("the password of no account").unwrap_or_default());

/// Validates the length of a password.
///
/// # Errors
/// Fails if the password is too short or too long.
pub(crate) fn check(password: &str) -> Result<()> {
    let length = password.chars().count();
    if (LENGTH_MIN..=LENGTH_MAX).contains(&length) {
        return Ok(());
    }
    Err(Error::invalid(format!("a password must have {LENGTH_MIN} to {LENGTH_MAX} characters; this one has {length}")))
}

/// Hashes a password for storage.
///
/// # Errors
/// Fails if the hash cannot be computed.
pub(crate) async fn hash(password: String) -> Result<String> {
    let _permit = AT_ONCE.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || hash_now(&password)).await.map_err(Error::internal)?
}

/// Verifies a password against a hash. `None`, for an unknown account, takes as long and returns false.
///
/// # Errors
/// Fails if the task panicked.
pub(crate) async fn verify(password: String, kept: Option<String>) -> Result<bool> {
    let _permit = AT_ONCE.acquire().await.map_err(Error::internal)?;
    let verified = tokio::task::spawn_blocking(move || {
        let is_somebody = kept.is_some();
        let kept = kept.unwrap_or_else(|| NOBODY.clone());
        let matches = PasswordHash::new(&kept)
            .is_ok_and(|kept| Argon2::default().verify_password(password.as_bytes(), &kept).is_ok());
        is_somebody && matches
    });
    verified.await.map_err(Error::internal)
}

fn hash_now(password: &str) -> Result<String> {
    let hashed = Argon2::default().hash_password(password.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|error| Error::internal(anyhow::anyhow!("argon2: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn verify_accepts_only_the_password_of_an_existing_hash() {
        let kept = hash("correct horse battery".to_owned()).await.expect("hashes");
        assert!(kept.starts_with("$argon2id$"));
        assert!(verify("correct horse battery".to_owned(), Some(kept.clone())).await.expect("runs"));
        assert!(!verify("correct horse batterz".to_owned(), Some(kept)).await.expect("runs"));
        assert!(!verify("the password of no account".to_owned(), None).await.expect("runs"));
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert!(check("elf zeichen").is_err());
        assert!(check("zwölf zeiche").is_ok());
        assert!(check(&"x".repeat(257)).is_err());
    }
}
