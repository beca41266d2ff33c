//! What is wrong, and telling people of it.
//!
//! [`facts`] gathers what is wrong now, [`plan`] compares it with the alerts that are known and says what changes,
//! [`look`] writes that together with what is to be told ([`tell`]), and [`outcomes`] reads how jobs ended.

pub(crate) mod facts;
pub(crate) mod look;
pub(crate) mod outcomes;
pub(crate) mod plan;
pub(crate) mod tell;
