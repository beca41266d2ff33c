//! Passwords: argon2id, two at a time, with the same effort for people who do not exist.

use std::sync::LazyLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::{Error, Result};

/// The shortest password that is accepted.
pub const LENGTH_MIN: usize = 12;
/// The longest: hashing must not become a way to keep the hub busy.
pub const LENGTH_MAX: usize = 256;

/// Each hash takes tens of megabytes: more at once would be a denial of service by login form.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// The hash of a password nobody has: verified when the person is unknown, so that both answers take equally long.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash_now("a password that nobody has").unwrap_or_default());

/// Refuses passwords that are too short or too long.
///
/// # Errors
/// Says how long it must be.
pub fn check(password: &str) -> Result<()> {
    let length = password.chars().count();
    if (LENGTH_MIN..=LENGTH_MAX).contains(&length) {
        return Ok(());
    }
    Err(Error::invalid(format!("a password has {LENGTH_MIN} to {LENGTH_MAX} characters, this one has {length}")))
}

/// Hashes a password for keeping.
///
/// # Errors
/// The hashing itself failed.
pub async fn hash(password: String) -> Result<String> {
    let _permit = AT_ONCE.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || hash_now(&password)).await.map_err(Error::internal)?
}

/// Whether this is the password of that hash. `None` takes as long and says no.
///
/// # Errors
/// The task failed.
pub async fn verify(password: String, kept: Option<String>) -> Result<bool> {
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
    async fn only_the_right_password_of_somebody_passes() {
        let kept = hash("correct horse battery".to_owned()).await.expect("hashes");
        assert!(kept.starts_with("$argon2id$"));
        assert!(verify("correct horse battery".to_owned(), Some(kept.clone())).await.expect("runs"));
        assert!(!verify("correct horse batterz".to_owned(), Some(kept)).await.expect("runs"));
        assert!(!verify("a password that nobody has".to_owned(), None).await.expect("runs"));
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert!(check("elf zeichen").is_err());
        assert!(check("zwölf zeiche").is_ok());
        assert!(check(&"x".repeat(257)).is_err());
    }
}
