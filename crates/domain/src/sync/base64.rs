//! Serde functions for binary columns: Base64 text in JSON.

use std::borrow::Cow;

use data_encoding::BASE64;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64.encode(bytes))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    BASE64.decode(text.as_bytes()).map_err(serde::de::Error::custom)
}
