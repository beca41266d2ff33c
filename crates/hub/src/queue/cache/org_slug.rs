//! Slugs of orgs, which never change.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use domain::OrgId;

/// Slugs by org.
#[derive(Default)]
pub(crate) struct OrgSlugs(RwLock<HashMap<OrgId, Arc<str>>>);

impl OrgSlugs {
    pub(crate) fn get(&self, org: OrgId) -> Option<Arc<str>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&org).cloned()
    }

    pub(crate) fn keep(&self, org: OrgId, slug: Arc<str>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(org, slug);
    }
}
