//! Encoding of each value type in both databases; no other module knows it.
//!
//! | in Rust | PostgreSQL | SQLite |
//! |---|---|---|
//! | `Id<K>` | `uuid` | 16-byte `blob` |
//! | `Timestamp` | `timestamptz` | `integer`, microseconds since 1970 |
//! | `Span` | `bigint`, milliseconds | `integer`, milliseconds |
//! | JSON | `jsonb` | `text` |
//! | words (states, roles) | `text` with a check | `text` with a check |
//! | hashes, keys | `bytea` | `blob` |

use domain::{
    Id, Labels, Role, Span, Timestamp,
    actor::ActorKind,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source, WaitReason},
    lane::{QueueNames, TargetKind},
    quota::{QuotaKind, Recent},
    role::Scope,
    secret::SecretHash,
    throttle::Guess,
};
use rusqlite::{
    ToSql,
    types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef as SqliteValue},
};
use sqlx::{
    Database, Decode, Encode, Postgres, Type, TypeInfo as _, ValueRef as _,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgTypeInfo, types::Oid},
};

/// A value as it is written to or read from a database.
#[derive(Debug, Clone)]
pub(crate) struct Db<T>(pub(crate) T);

/// A JSON value: `jsonb` on PostgreSQL, text on SQLite.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Json<T>(pub(crate) T);

pub(crate) mod pg {
    use super::{BoxDynError, Decode, Encode, IsNull, Oid, PgTypeInfo, Postgres, Type};

    /// 16 bytes, encoded as `uuid`.
    #[derive(Clone, Copy)]
    pub(crate) struct Uuid(pub(crate) [u8; 16]);
    /// Microseconds since 1970. Encoded as `timestamptz`, which counts from 2000.
    #[derive(Clone, Copy)]
    pub(crate) struct Instant(pub(crate) i64);

    /// Physical position of a row (`ctid`): its page and its index in the page.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Tid(pub(crate) [u8; 6]);

    const TID: Oid = Oid(27);
    const TIDS: Oid = Oid(1010);
    const UUID: Oid = Oid(2950);
    const UUIDS: Oid = Oid(2951);
    const TIMESTAMPTZ: Oid = Oid(1184);
    const TIMESTAMPTZS: Oid = Oid(1185);
    const MICROS_1970_TO_2000: i64 = 946_684_800_000_000;

    macro_rules! typed {
        ($t:ty, $oid:expr, $array:expr) => {
            impl sqlx::postgres::PgHasArrayType for $t {
                fn array_type_info() -> PgTypeInfo {
                    PgTypeInfo::with_oid($array)
                }
            }
            impl Type<Postgres> for $t {
                fn type_info() -> PgTypeInfo {
                    PgTypeInfo::with_oid($oid)
                }
                fn compatible(other: &PgTypeInfo) -> bool {
                    other.oid() == Some($oid)
                }
            }
        };
    }
    typed!(Uuid, UUID, UUIDS);
    typed!(Instant, TIMESTAMPTZ, TIMESTAMPTZS);
    typed!(Tid, TID, TIDS);

    /// A JSON value that is read however deep it is.
    #[derive(Clone)]
    pub(crate) struct AnyJson(pub(crate) serde_json::Value);

    impl Type<Postgres> for AnyJson {
        fn type_info() -> PgTypeInfo {
            <sqlx::types::Json<serde_json::Value> as Type<Postgres>>::type_info()
        }
        fn compatible(other: &PgTypeInfo) -> bool {
            <sqlx::types::Json<serde_json::Value> as Type<Postgres>>::compatible(other)
        }
    }
    impl Encode<'_, Postgres> for AnyJson {
        fn encode_by_ref(&self, buffer: &mut sqlx::postgres::PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
            sqlx::types::Json(&self.0).encode_by_ref(buffer)
        }
    }
    impl<'r> Decode<'r, Postgres> for AnyJson {
        fn decode(value: sqlx::postgres::PgValueRef<'r>) -> Result<Self, BoxDynError> {
            let raw = <&'r serde_json::value::RawValue as Decode<'r, Postgres>>::decode(value)?;
            Ok(Self(super::read_json(raw.get())))
        }
    }

    /// Encodes a type as its own bytes.
    macro_rules! bytes {
        ($($t:ty),+) => { $(
            impl Encode<'_, Postgres> for $t {
                fn encode_by_ref(&self, buffer: &mut sqlx::postgres::PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
                    buffer.extend_from_slice(&self.0);
                    Ok(IsNull::No)
                }
            }
            impl Decode<'_, Postgres> for $t {
                fn decode(value: sqlx::postgres::PgValueRef<'_>) -> Result<Self, BoxDynError> {
                    Ok(Self(value.as_bytes()?.try_into()?))
                }
            }
        )+ };
    }
    bytes!(Uuid, Tid);

    impl Encode<'_, Postgres> for Instant {
        fn encode_by_ref(&self, buffer: &mut sqlx::postgres::PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
            buffer.extend_from_slice(&(self.0 - MICROS_1970_TO_2000).to_be_bytes());
            Ok(IsNull::No)
        }
    }
    impl Decode<'_, Postgres> for Instant {
        fn decode(value: sqlx::postgres::PgValueRef<'_>) -> Result<Self, BoxDynError> {
            Ok(Self(i64::from_be_bytes(value.as_bytes()?.try_into()?) + MICROS_1970_TO_2000))
        }
    }
}

/// Implements `Db<$t>` and `Db<Option<$t>>` for both databases. Both are written out, because a generic impl over
/// `Option` makes the trait solver recurse without end.
macro_rules! native {
    ([$($k:ident)?] $t:ty, pg $pg:ty, |$v:ident| $to_pg:expr, $to_lite:expr, |$p:ident| $of_pg:expr, |$l:ident| $of_lite:expr) => {
        native!(@ [$($k)?] Postgres, $t, $pg, |$v| $to_pg, |$p| $of_pg);
        impl$(<$k>)? ToSql for Db<$t> {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let $v = &self.0;
                Ok(ToSqlOutput::from($to_lite))
            }
        }
        impl$(<$k>)? ToSql for Db<Option<$t>> {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let Some($v) = &self.0 else { return Ok(ToSqlOutput::from(rusqlite::types::Null)) };
                Ok(ToSqlOutput::from($to_lite))
            }
        }
        impl$(<$k>)? FromSql for Db<$t> {
            fn column_result($l: SqliteValue<'_>) -> FromSqlResult<Self> {
                let read = || Ok::<$t, BoxDynError>($of_lite);
                read().map(Db).map_err(FromSqlError::Other)
            }
        }
        impl$(<$k>)? FromSql for Db<Option<$t>> {
            fn column_result(value: SqliteValue<'_>) -> FromSqlResult<Self> {
                match value {
                    SqliteValue::Null => Ok(Db(None)),
                    value => Db::<$t>::column_result(value).map(|found| Db(Some(found.0))),
                }
            }
        }
    };
    (@ [$($k:ident)?] $db:ty, $t:ty, $native:ty, |$v:ident| $encode:expr, |$n:ident| $decode:expr) => {
        impl$(<$k>)? Type<$db> for Db<$t> {
            fn type_info() -> <$db as Database>::TypeInfo {
                <$native as Type<$db>>::type_info()
            }
            fn compatible(other: &<$db as Database>::TypeInfo) -> bool {
                other.is_null() || <$native as Type<$db>>::compatible(other)
            }
        }
        impl<'q, $($k)?> Encode<'q, $db> for Db<$t> {
            fn encode_by_ref(&self, buffer: &mut <$db as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                let $v = &self.0;
                let native: $native = $encode;
                <$native as Encode<'q, $db>>::encode(native, buffer)
            }
        }
        impl<'r, $($k)?> Decode<'r, $db> for Db<$t> {
            fn decode(value: <$db as Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
                let $n = <$native as Decode<'r, $db>>::decode(value)?;
                Ok(Db($decode))
            }
        }
        impl$(<$k>)? Type<$db> for Db<Option<$t>> {
            fn type_info() -> <$db as Database>::TypeInfo {
                <$native as Type<$db>>::type_info()
            }
            fn compatible(other: &<$db as Database>::TypeInfo) -> bool {
                other.is_null() || <$native as Type<$db>>::compatible(other)
            }
        }
        impl<'q, $($k)?> Encode<'q, $db> for Db<Option<$t>> {
            fn encode_by_ref(&self, buffer: &mut <$db as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                let Some($v) = &self.0 else { return Ok(IsNull::Yes) };
                let native: $native = $encode;
                <$native as Encode<'q, $db>>::encode(native, buffer)
            }
        }
        impl<'r, $($k)?> Decode<'r, $db> for Db<Option<$t>> {
            fn decode(value: <$db as Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
                if value.is_null() {
                    return Ok(Db(None));
                }
                let $n = <$native as Decode<'r, $db>>::decode(value)?;
                Ok(Db(Some($decode)))
            }
        }
    };
}

native!([K] Id<K>, pg pg::Uuid, |v| pg::Uuid(v.to_bytes()), v.to_bytes().to_vec(),
    |p| Id::from_bytes(p.0), |l| Id::from_bytes(l.as_blob()?.try_into()?));
native!([] Timestamp, pg pg::Instant, |v| pg::Instant(v.as_micros()), v.as_micros(),
    |p| Timestamp::from_micros(p.0), |l| Timestamp::from_micros(l.as_i64()?));
// SQLite rows have no `ctid`: on SQLite this value is always null.
native!([] pg::Tid, pg pg::Tid, |v| *v, v.0.to_vec(), |p| p, |l| pg::Tid(l.as_blob()?.try_into()?));
native!([] Span, pg i64, |v| v.as_millis(), v.as_millis(), |p| Span::from_millis(p), |l| Span::from_millis(l.as_i64()?));
native!([] String, pg String, |v| v.clone(), v.as_str(), |p| p, |l| l.as_str()?.to_owned());
native!([] bool, pg bool, |v| *v, i64::from(*v), |p| p, |l| l.as_i64()? != 0);
native!([] i32, pg i32, |v| *v, i64::from(*v), |p| p, |l| i32::try_from(l.as_i64()?)?);
native!([] i64, pg i64, |v| *v, *v, |p| p, |l| l.as_i64()?);
native!([] Vec<u8>, pg Vec<u8>, |v| v.clone(), v.as_slice(), |p| p, |l| l.as_blob()?.to_vec());
native!([] SecretHash, pg Vec<u8>, |v| v.0.to_vec(), &v.0[..],
    |p| SecretHash(p.as_slice().try_into()?), |l| SecretHash(l.as_blob()?.try_into()?));
native!([] [u8; 32], pg Vec<u8>, |v| v.to_vec(), &v[..], |p| p.as_slice().try_into()?, |l| l.as_blob()?.try_into()?);
native!([] Json<serde_json::Value>, pg pg::AnyJson,
    |v| pg::AnyJson(v.0.clone()), v.0.to_string(), |p| Json(p.0), |l| Json(read_json(l.as_str()?)));
native!([] Labels, pg sqlx::types::Json<Labels>,
    |v| sqlx::types::Json(v.clone()), serde_json::to_string(v).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?,
    |p| p.0, |l| serde_json::from_str(l.as_str()?)?);
native!([] QueueNames, pg sqlx::types::Json<QueueNames>,
    |v| sqlx::types::Json(v.clone()), serde_json::to_string(v).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?,
    |p| p.0, |l| serde_json::from_str(l.as_str()?)?);

macro_rules! native_enums {
    ($($t:ty),+ $(,)?) => { $(
        native!([] $t, pg String, |v| v.as_str().to_owned(), v.as_str(), |p| p.parse()?, |l| l.as_str()?.parse()?);
    )+ };
}
native!([] f64, pg f64, |v| *v, *v, |p| p, |l| f64::column_result(l)?);
native_enums!(Role, Scope, ActorKind, Guess, crate::device::DeviceState);
native_enums!(
    crate::journal::JournalState,
    JobStatus,
    RunStatus,
    Source,
    WaitReason,
    OnLost,
    EndReason,
    QuotaKind,
    TargetKind,
    domain::batch::BatchAction,
    domain::batch::BatchStatus,
    domain::sync::SyncPriority,
    domain::alert::AlertKind,
    domain::alert::AlertStatus,
    domain::alert::BlockerKind,
    domain::alert::Severity,
    domain::alert::SubjectKind,
    domain::channel::ChannelKind,
    domain::hook::HookScheme,
    domain::ping::PingWord,
    domain::rejection::RejectReason,
    domain::timeline::OutageKind,
    crate::notice::NoticeStatus,
    crate::notice::NotificationState,
    domain::server::OrderKind,
    domain::server::ServerState,
    domain::trigger::FireStatus,
    domain::trigger::TriggerType,
    domain::view::ViewPage,
    domain::view::Visibility,
    domain::sync::frame::SyncError
);
native!([] Recent, pg String, |v| v.to_string(), v.to_string(), |p| p.parse()?, |l| l.as_str()?.parse()?);

/// Levels of a JSON value that are read; deeper parts become [`TOO_DEEP`]. Values are checked before they are stored; rows
/// from before that check must not make the list that contains them unreadable.
const LEVELS_READ: usize = 64;
/// The text in place of a part of a value that is nested too deeply.
const TOO_DEEP: &str = "(nested too deeply to be shown)";
/// The text in place of a value that is not JSON.
const UNREADABLE: &str = "(unreadable)";

/// Parses a stored JSON value, whatever it contains.
fn read_json(text: &str) -> serde_json::Value {
    if let Ok(value) = serde_json::from_str(text) {
        return value;
    }
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.disable_recursion_limit();
    match serde::Deserialize::deserialize(&mut parser) {
        Ok(value) => pruned(value, LEVELS_READ),
        Err(error) => {
            tracing::error!(error = %error, "a stored JSON value cannot be read");
            UNREADABLE.into()
        }
    }
}

fn pruned(value: serde_json::Value, left: usize) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Array(_) | Value::Object(_) if left == 0 => TOO_DEEP.into(),
        Value::Array(items) => items.into_iter().map(|item| pruned(item, left - 1)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, pruned(value, left - 1))).collect(),
        other => other,
    }
}

/// An id in hexadecimal, as in JSON that SQLite statements take.
pub(crate) fn hex<K>(id: Id<K>) -> String {
    hex_bytes(&id.to_bytes())
}

/// Bytes in hexadecimal.
pub(crate) fn hex_bytes(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Ids as SQLite statements take them: a JSON array of hexadecimal texts.
pub(crate) fn id_texts<K>(all: &[Id<K>]) -> String {
    serde_json::Value::from_iter(all.iter().map(|id| hex(*id))).to_string()
}
