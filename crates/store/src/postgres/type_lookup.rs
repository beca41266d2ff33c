//! Type lookup: types that the driver reads from the server's catalogue, on connections behind a pooler.
//!
//! The driver knows the OIDs of the usual types. When it prepares a statement with another type, it reads that type from
//! `pg_type`, once per connection: a simple query between preparing and executing. PostgreSQL drops the unnamed
//! statement when it receives a simple query, so the execution fails with "unnamed prepared statement does not exist".
//! Without a pooler statements have names, which PostgreSQL keeps; behind a pooler they have none. [`load`] therefore
//! reads these types when a connection is new.

use sqlx::{
    Encode, Executor as _, PgConnection, Postgres, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgTypeInfo},
};

use crate::Result;

/// A null of the type `tid[]`. The type is given by its name, so the driver reads it and its element type before it
/// prepares the statement.
struct NoRowPositions;

impl Type<Postgres> for NoRowPositions {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::array_of("tid")
    }
}

impl Encode<'_, Postgres> for NoRowPositions {
    fn encode_by_ref(&self, _: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        Ok(IsNull::Yes)
    }
}

/// Makes the driver read the types that statements of this crate use and that it does not know.
pub(super) async fn load(connection: &mut PgConnection) -> Result<()> {
    // In a transaction: the two messages of the statement must reach the same server connection.
    connection.execute("begin").await?;
    sqlx::query("select $1").persistent(false).bind(NoRowPositions).execute(&mut *connection).await?;
    connection.execute("commit").await?;
    Ok(())
}
