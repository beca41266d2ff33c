//! The primary hub: which of several hubs gives this machine jobs.
//!
//! It is the first hub that the machine joined, until another one is promoted. A promotion is saved to a file before it
//! takes effect, so that a restarted runner follows it too; then every link reconnects and reports the primary hub. The
//! other hubs still receive rows and the results of jobs that they granted before, but no credit for new jobs.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use domain::{
    HubId,
    primary::{Promotion, is_followed, primary_hub},
};
use proto::Code;
use runtime::clock::wall;
use store::Store;
use tokio::sync::watch;

use crate::{Error, Result, identity::write_whole};

/// A hub that this machine has joined.
#[derive(Debug, Clone)]
pub struct Joined {
    pub hub: HubId,
    pub url: String,
    /// Whether this machine runs the hub's definitions; only then its schedules and servers are replicated here.
    pub is_trusted: bool,
}

/// The primary hub of this machine, shared by all its links.
#[derive(Clone)]
pub struct PrimaryHub(Arc<PrimaryState>);

struct PrimaryState {
    joined: Vec<Joined>,
    file: PrimaryFile,
    store: Store,
    followed: watch::Sender<Option<Promotion>>,
}

impl PrimaryHub {
    /// Reads the followed promotion and stops the schedules of hubs that are not primary. `joined` is in join order.
    ///
    /// # Errors
    /// The file cannot be read, or the database write fails.
    pub async fn open(folder: &Path, store: Store, joined: Vec<Joined>) -> Result<Self> {
        let file = PrimaryFile::in_folder(folder);
        let followed = watch::Sender::new(file.read()?);
        let primary = Self(Arc::new(PrimaryState { joined, file, store, followed }));
        primary.leave_others().await.map_err(|error| Error::new(Code::Internal, error.to_string()))?;
        Ok(primary)
    }

    /// The primary hub.
    #[must_use]
    pub fn hub(&self) -> Option<HubId> {
        let joined: Vec<HubId> = self.0.joined.iter().map(|joined| joined.hub).collect();
        primary_hub(&joined, self.promotion())
    }

    /// Address of the primary hub.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        self.found().map(|joined| joined.url.clone())
    }

    /// The promotion this machine follows.
    #[must_use]
    pub fn promotion(&self) -> Option<Promotion> {
        *self.0.followed.borrow()
    }

    /// Notifies about each change of the followed promotion.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Promotion>> {
        self.0.followed.subscribe()
    }

    /// Handles the message of a hub that it was promoted. The promotion is on disk before any link sees it: after a
    /// crash the machine must not report an older primary hub than before.
    pub async fn receive_promotion(&self, promotion: Promotion) {
        let is_news = self.0.followed.send_if_modified(|followed| {
            if !is_followed(*followed, promotion) {
                return false;
            }
            if let Err(error) = self.0.file.write(promotion) {
                // The hub sends the promotion again when the link reconnects.
                tracing::error!(error = %error, "cannot save the promotion; the primary hub stays the same");
                return false;
            }
            *followed = Some(promotion);
            true
        });
        if !is_news {
            return;
        }
        tracing::info!(number = promotion.number, "the primary hub is now {}", self.url().unwrap_or_default());
        if let Err(error) = self.leave_others().await {
            tracing::warn!(error = %error, "cannot stop the schedules of the other hubs; they stop at the next start");
        }
    }

    /// Stops the schedules and servers of all hubs but the primary one. The primary hub is read inside the transaction:
    /// if two promotions arrive at the same time, the later one counts.
    async fn leave_others(&self) -> store::Result<()> {
        let (primary, now) = (self.clone(), wall());
        let left = self.0.store.write(move |tx| {
            let trusted = primary.found().filter(|joined| joined.is_trusted).map(|joined| joined.hub);
            Box::pin(async move { tx.sync_leave_others(trusted, now).await })
        });
        left.await.map(drop)
    }

    fn found(&self) -> Option<&Joined> {
        let hub = self.hub()?;
        self.0.joined.iter().find(|joined| joined.hub == hub)
    }
}

/// The role of one hub: whether it is the primary hub.
#[derive(Clone, Default)]
pub struct HubRole(Option<(PrimaryHub, HubId)>);

impl HubRole {
    /// The role of this hub. The default value is that of an only hub: always primary.
    #[must_use]
    pub fn of(primary: &PrimaryHub, hub: HubId) -> Self {
        Self(Some((primary.clone(), hub)))
    }

    /// Whether this hub is the primary hub.
    #[must_use]
    pub fn is_primary(&self) -> bool {
        self.0.as_ref().is_none_or(|(primary, hub)| primary.hub() == Some(*hub))
    }

    /// Address of the primary hub, if it is another one.
    pub(crate) fn elsewhere(&self) -> Option<String> {
        self.0.as_ref().filter(|_| !self.is_primary()).and_then(|(primary, _)| primary.url())
    }

    pub(crate) fn promotion(&self) -> Option<Promotion> {
        self.0.as_ref().and_then(|(primary, _)| primary.promotion())
    }

    /// Whether the machine has several hubs, so that the primary hub can change.
    pub(crate) fn can_move(&self) -> bool {
        self.0.is_some()
    }

    /// Notifies when the primary hub may have changed.
    pub(crate) fn watch(&self) -> Option<watch::Receiver<Option<Promotion>>> {
        self.0.as_ref().map(|(primary, _)| primary.watch())
    }

    /// Handles the message of this hub that it was promoted.
    pub(crate) async fn receive_promotion(&self, number: u64) {
        if let Some((primary, hub)) = &self.0 {
            primary.receive_promotion(Promotion { number, hub: *hub }).await;
        }
    }
}

/// The file with the promotion that this machine follows.
#[derive(Debug, Clone)]
pub struct PrimaryFile(PathBuf);

impl PrimaryFile {
    /// The file in this data folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.join("primary.json"))
    }

    /// Reads the promotion; `None` if no hub was ever promoted.
    ///
    /// # Errors
    /// The file exists and cannot be read.
    pub fn read(&self) -> Result<Option<Promotion>> {
        let unusable = |why: String| {
            Error::new(Code::FolderUnusable, format!("cannot read {}: {why}", self.0.display()))
                .hint("check that your user owns the file; without it, the first joined hub is the primary hub")
        };
        match std::fs::read(&self.0) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| unusable(error.to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(error.to_string())),
        }
    }

    fn write(&self, promotion: Promotion) -> Result<()> {
        let text = serde_json::to_vec(&promotion).map_err(|error| Error::new(Code::Internal, error.to_string()))?;
        write_whole(&self.0, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: HubId = HubId::from_bytes([1; 16]);
    const B: HubId = HubId::from_bytes([2; 16]);

    async fn opened(folder: &Path) -> PrimaryHub {
        let url = format!("sqlite:{}", folder.join("runner.db").display());
        let store = Store::open(&store::Options::new(url)).await.expect("opens");
        let joined = |hub, url: &str| Joined { hub, url: url.to_owned(), is_trusted: true };
        PrimaryHub::open(folder, store, vec![joined(A, "http://a"), joined(B, "http://b")]).await.expect("opens")
    }

    #[tokio::test]
    async fn followed_promotion_survives_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let primary = opened(folder.path()).await;
        let (a, b) = (HubRole::of(&primary, A), HubRole::of(&primary, B));
        assert!(a.is_primary() && !b.is_primary(), "the first");
        assert_eq!(b.elsewhere().as_deref(), Some("http://a"));
        let mut changes = primary.watch();
        b.receive_promotion(1).await;
        assert!(changes.has_changed().expect("is open") && b.is_primary() && !a.is_primary());
        changes.mark_unchanged();
        b.receive_promotion(1).await;
        assert!(!changes.has_changed().expect("is open"), "the same promotion again changes nothing");
        a.receive_promotion(1).await;
        assert!(b.is_primary(), "of two promotions with one number, the hub with the greater id wins");
        primary.0.store.close().await;
        drop((a, b, primary));
        let primary = opened(folder.path()).await;
        assert_eq!((primary.hub(), primary.promotion()), (Some(B), Some(Promotion { number: 1, hub: B })));
        HubRole::of(&primary, A).receive_promotion(2).await;
        assert_eq!(primary.hub(), Some(A), "the higher number");
        primary.0.store.close().await;
    }
}
