//! Addresses at which other systems tell events.

crate::words! {
    /// How messages are signed.
    pub enum HookScheme {
        /// As Standard Webhooks says: id, time and signature.
        Standard = "standard",
        /// As GitHub does: a signature, and an id of each delivery.
        Github = "github",
    }
}
