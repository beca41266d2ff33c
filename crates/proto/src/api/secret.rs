//! Secrets of an org: they can be set and listed by name, but not read.

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A secret, without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Secret {
    /// The name of the environment variable that contains it.
    pub name: String,
    /// The user who last set the value.
    pub created_by: String,
    /// When it was first set.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last set.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// The secrets of an org.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Secrets {
    /// Sorted by name.
    pub items: Vec<Secret>,
}

/// A secret to set.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Value")]
pub struct SecretRequest {
    /// The value, 1 to 32,768 bytes. It is passed only to runs whose definition names the secret.
    #[schema(write_only)]
    pub value: String,
}

/// Parsed by hand, because serde's error message would contain the value.
impl TryFrom<Value> for SecretRequest {
    type Error = &'static str;
    fn try_from(value: Value) -> Result<Self, Self::Error> {
        match value {
            Value::Object(mut fields) if fields.len() == 1 => match fields.remove("value") {
                Some(Value::String(value)) => Ok(Self { value }),
                _ => Err(NOT_A_SECRET),
            },
            _ => Err(NOT_A_SECRET),
        }
    }
}

const NOT_A_SECRET: &str = "the value must be a string, as in {\"value\": \"…\"}";

impl std::fmt::Debug for SecretRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretRequest(•••)")
    }
}
