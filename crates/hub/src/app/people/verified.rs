//! The mark of users whose e-mail address no super admin has confirmed.

use domain::Timestamp;

/// The address as the audit log and lists of creators show it: with a mark if it is not confirmed. Any admin of an org
/// can invite any address and use the link, so an unconfirmed address says nothing about the person.
pub(crate) fn audit_name(email: &str, verified_at: Option<Timestamp>) -> String {
    if verified_at.is_some() { email.to_owned() } else { format!("{email} (unverified)") }
}
