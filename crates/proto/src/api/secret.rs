//! Secrets of an org: written, listed by name, never shown.

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A secret, without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Secret {
    /// The name of the variable that runs get it as.
    pub name: String,
    /// Who set the value it has.
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
    /// By name.
    pub items: Vec<Secret>,
}

/// Sets a secret.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Value")]
pub struct SecretRequest {
    /// Its value: 1 to 32,768 bytes. Nothing gives it out again but a run whose definition names it.
    #[schema(write_only)]
    pub value: String,
}

/// By hand: a message about what does not fit would repeat it.
impl TryFrom<Value> for SecretRequest {
    type Error = &'static str;
    fn try_from(said: Value) -> Result<Self, Self::Error> {
        match said {
            Value::Object(mut fields) if fields.len() == 1 => match fields.remove("value") {
                Some(Value::String(value)) => Ok(Self { value }),
                _ => Err(NOT_A_SECRET),
            },
            _ => Err(NOT_A_SECRET),
        }
    }
}

const NOT_A_SECRET: &str = "give the value as a text, as in {\"value\": \"…\"}";

impl std::fmt::Debug for SecretRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretRequest(•••)")
    }
}
