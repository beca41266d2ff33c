//! What a host's past is made of.

crate::words! {
    /// Why a host was not there, or not reachable.
    pub enum GapKind {
        /// It should have been there and was not.
        Offline = "offline",
        /// It comes and goes, and was gone.
        Asleep = "asleep",
        /// The machine stood still: it was suspended, and says so itself.
        Suspended = "suspended",
        /// No hub was there to hear it.
        HubAway = "hub_away",
    }
}
