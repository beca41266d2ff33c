//! Which of its hubs this machine works for: its home.
//!
//! It is the first of its hubs until one says that it was promoted. That is kept in a file before anything follows from it,
//! so that a machine that is started again still knows; then every link is made anew and says where the home is. A hub
//! that is not the home gets rows and the end of what it had given before, and no place for anything new.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use domain::{
    HubId,
    home::{Promotion, home, is_followed},
};
use proto::Code;
use runtime::clock::wall;
use store::Store;
use tokio::sync::watch;

use crate::{Error, Result, identity::write_whole};

/// A hub that this machine has joined.
#[derive(Debug, Clone)]
pub struct Joined {
    /// Which.
    pub hub: HubId,
    /// Its address.
    pub url: String,
    /// Whether what it is to run comes from the hub: then its schedules and servers are kept here, too.
    pub is_trusted: bool,
}

/// This machine's home, for all its links.
#[derive(Clone)]
pub struct Home(Arc<Inner>);

struct Inner {
    joined: Vec<Joined>,
    file: HomeFile,
    store: Store,
    followed: watch::Sender<Option<Promotion>>,
}

impl Home {
    /// The home of a machine that has joined these hubs, in the order it was told.
    ///
    /// # Errors
    /// The file cannot be read, or the database does not take that other hubs' schedules stop.
    pub async fn open(folder: &Path, store: Store, joined: Vec<Joined>) -> Result<Self> {
        let file = HomeFile::in_folder(folder);
        let followed = watch::Sender::new(file.read()?);
        let home = Self(Arc::new(Inner { joined, file, store, followed }));
        home.leave_others().await.map_err(|error| Error::new(Code::Internal, error.to_string()))?;
        Ok(home)
    }

    /// The hub this machine works for.
    #[must_use]
    pub fn hub(&self) -> Option<HubId> {
        let joined: Vec<HubId> = self.0.joined.iter().map(|joined| joined.hub).collect();
        home(&joined, self.promotion())
    }

    /// The address of the home.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        self.found().map(|joined| joined.url.clone())
    }

    /// The promotion this machine follows.
    #[must_use]
    pub fn promotion(&self) -> Option<Promotion> {
        *self.0.followed.borrow()
    }

    /// Resolves each time the promotion that is followed is another one.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Promotion>> {
        self.0.followed.subscribe()
    }

    /// A hub says that it was promoted. What is followed from now on is on the disk before anybody hears of it.
    pub async fn heard(&self, promotion: Promotion) {
        let is_news = self.0.followed.send_if_modified(|followed| {
            if !is_followed(*followed, promotion) {
                return false;
            }
            if let Err(error) = self.0.file.write(promotion) {
                // It will be said again at the next link.
                tracing::error!(error = %error, "a promotion cannot be kept and is not followed");
                return false;
            }
            *followed = Some(promotion);
            true
        });
        if !is_news {
            return;
        }
        tracing::info!(number = promotion.number, "this machine works for {} now", self.url().unwrap_or_default());
        if let Err(error) = self.leave_others().await {
            tracing::warn!(error = %error, "schedules of other hubs stop only at the next start");
        }
    }

    /// What hubs that are not the home had here stops. Asked at the last moment: of two promotions, the later counts.
    async fn leave_others(&self) -> store::Result<()> {
        let (home, now) = (self.clone(), wall());
        let left = self.0.store.write(move |tx| {
            let trusted = home.found().filter(|joined| joined.is_trusted).map(|joined| joined.hub);
            Box::pin(async move { tx.sync_leave_others(trusted, now).await })
        });
        left.await.map(drop)
    }

    fn found(&self) -> Option<&Joined> {
        let hub = self.hub()?;
        self.0.joined.iter().find(|joined| joined.hub == hub)
    }
}

/// One hub's side of the home: whether it is that hub.
#[derive(Clone, Default)]
pub struct Seat(Option<(Home, HubId)>);

impl Seat {
    /// For the link to this hub. Without any, the only hub there is.
    #[must_use]
    pub fn of(home: &Home, hub: HubId) -> Self {
        Self(Some((home.clone(), hub)))
    }

    /// Whether this machine works for this hub.
    #[must_use]
    pub fn is_home(&self) -> bool {
        self.0.as_ref().is_none_or(|(home, hub)| home.hub() == Some(*hub))
    }

    /// Where the home is, if it is another hub.
    pub(crate) fn elsewhere(&self) -> Option<String> {
        self.0.as_ref().filter(|_| !self.is_home()).and_then(|(home, _)| home.url())
    }

    pub(crate) fn promotion(&self) -> Option<Promotion> {
        self.0.as_ref().and_then(|(home, _)| home.promotion())
    }

    /// Whether there is anything to decide.
    pub(crate) fn can_move(&self) -> bool {
        self.0.is_some()
    }

    /// Resolves each time the home may be another one.
    pub(crate) fn watch(&self) -> Option<watch::Receiver<Option<Promotion>>> {
        self.0.as_ref().map(|(home, _)| home.watch())
    }

    /// This hub says that it was promoted.
    pub(crate) async fn heard(&self, number: u64) {
        if let Some((home, hub)) = &self.0 {
            home.heard(Promotion { number, hub: *hub }).await;
        }
    }
}

/// The file that holds the promotion a machine follows.
#[derive(Debug, Clone)]
pub struct HomeFile(PathBuf);

impl HomeFile {
    /// The one in this data folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.join("home.json"))
    }

    /// The promotion in it, if any was ever heard of.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub fn read(&self) -> Result<Option<Promotion>> {
        let unusable = |why: String| {
            Error::new(Code::FolderUnusable, format!("cannot read {}: {why}", self.0.display()))
                .hint("check that it belongs to you; without it, the first hub is the home")
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

    async fn opened(folder: &Path) -> Home {
        let url = format!("sqlite:{}", folder.join("runner.db").display());
        let store = Store::open(&store::Options::new(url)).await.expect("opens");
        let joined = |hub, url: &str| Joined { hub, url: url.to_owned(), is_trusted: true };
        Home::open(folder, store, vec![joined(A, "http://a"), joined(B, "http://b")]).await.expect("opens")
    }

    #[tokio::test]
    async fn a_promotion_outlives_the_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = opened(folder.path()).await;
        let (a, b) = (Seat::of(&home, A), Seat::of(&home, B));
        assert!(a.is_home() && !b.is_home(), "the first");
        assert_eq!(b.elsewhere().as_deref(), Some("http://a"));
        let mut changes = home.watch();
        b.heard(1).await;
        assert!(changes.has_changed().expect("is open") && b.is_home() && !a.is_home());
        changes.mark_unchanged();
        b.heard(1).await;
        assert!(!changes.has_changed().expect("is open"), "the same again is no news");
        a.heard(1).await;
        assert!(b.is_home(), "of two with one number, all choose the same");
        home.0.store.close().await;
        drop((a, b, home));
        let home = opened(folder.path()).await;
        assert_eq!((home.hub(), home.promotion()), (Some(B), Some(Promotion { number: 1, hub: B })));
        Seat::of(&home, A).heard(2).await;
        assert_eq!(home.hub(), Some(A), "the higher number");
        home.0.store.close().await;
    }
}
