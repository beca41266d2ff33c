//! Webhook endpoints that receive events from other systems.

crate::string_enum! {
    /// How the sender signs its messages.
    pub enum HookScheme {
        /// Standard Webhooks: id, timestamp and signature.
        Standard = "standard",
        /// GitHub: a signature, and an id for each delivery.
        Github = "github",
    }
}
