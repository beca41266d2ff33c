//! Export and import of all rows, in a form that both databases read and write: for backups and for moving between
//! databases.
//!
//! A row is an array of its columns: ids and bytes in hexadecimal, times in microseconds, booleans as 1 and 0, JSON as
//! it is. Values that the two databases format differently are equal in this form, so that checksums can be compared.

use std::{collections::HashMap, sync::LazyLock};

use futures_util::TryStreamExt as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};
use tokio::sync::mpsc;

use crate::{Error, Kind, Result, Store, store::Backend};

/// Largest number of rows per batch.
const BATCH: usize = 500;
/// A batch is also complete at this number of bytes.
const BATCH_BYTES: usize = 4 * 1024 * 1024;

/// The columns and key of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub table: String,
    pub columns: Vec<(String, Form)>,
    /// The primary key, in order.
    pub key: Vec<String>,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Id,
    Bytes,
    Time,
    Flag,
    Whole,
    Real,
    Text,
    Json,
}

/// The number and checksum of the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Sum {
    pub rows: u64,
    /// The hashes of all rows, combined with xor, so that their order does not matter.
    pub hash: u64,
}

impl Sum {
    /// Adds a row to the checksum.
    pub fn add(&mut self, row: &Value) {
        let hash: [u8; 32] = Sha256::digest(row.to_string().as_bytes()).into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        self.rows += 1;
        self.hash ^= u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    }
}

/// A batch of rows of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct RowBatch {
    /// Index in the list of shapes.
    pub table: usize,
    pub rows: Vec<Value>,
}

impl Form {
    /// The form of a PostgreSQL type name.
    fn of(kind: &str) -> Self {
        match kind.trim_end_matches([',', ';']) {
            "uuid" => Self::Id,
            "bytea" => Self::Bytes,
            "timestamptz" | "timestamp" => Self::Time,
            "boolean" => Self::Flag,
            "bigint" | "integer" => Self::Whole,
            "double" => Self::Real,
            "jsonb" => Self::Json,
            _ => Self::Text,
        }
    }

    /// SQL expression that reads a column.
    fn read(self, column: &str, kind: Kind) -> String {
        match (self, kind) {
            (Self::Id | Self::Bytes, Kind::Sqlite) => format!("lower(hex(\"{column}\"))"),
            (Self::Id, Kind::Postgres) => format!("replace(\"{column}\"::text, '-', '')"),
            (Self::Bytes, Kind::Postgres) => format!("encode(\"{column}\", 'hex')"),
            (Self::Time, Kind::Postgres) => {
                format!(
                    "(extract(epoch from date_trunc('second', \"{column}\"))::bigint * 1000000 + extract(microseconds from \"{column}\")::bigint % 1000000)"
                )
            }
            (Self::Flag, Kind::Postgres) => format!("\"{column}\"::int"),
            (Self::Json, Kind::Postgres) => format!("\"{column}\"::text"),
            _ => format!("\"{column}\""),
        }
    }

    /// SQL expression that writes the value at an index of the array.
    fn write(self, place: usize, kind: Kind) -> String {
        let value = match kind {
            Kind::Sqlite => format!("value ->> {place}"),
            Kind::Postgres => format!("(v ->> {place})"),
        };
        match (self, kind) {
            (Self::Id | Self::Bytes, Kind::Sqlite) => format!("unhex({value})"),
            (_, Kind::Sqlite) => value,
            (Self::Id, Kind::Postgres) => format!("{value}::uuid"),
            (Self::Bytes, Kind::Postgres) => format!("decode({value}, 'hex')"),
            (Self::Time, Kind::Postgres) => {
                format!("timestamptz 'epoch' + {value}::bigint * interval '1 microsecond'")
            }
            (Self::Flag, Kind::Postgres) => format!("{value}::int::boolean"),
            (Self::Whole, Kind::Postgres) => format!("{value}::bigint"),
            (Self::Real, Kind::Postgres) => format!("{value}::double precision"),
            (Self::Json, Kind::Postgres) => format!("{value}::jsonb"),
            (Self::Text, Kind::Postgres) => value,
        }
    }
}

/// Normalizes a row: JSON columns are parsed, so that their formatting does not matter.
fn plain(shape: &Shape, text: &str) -> Result<Value> {
    let corrupt = |error: serde_json::Error| Error::Corrupt(sqlx::Error::Decode(error.into()));
    let mut row: Value = serde_json::from_str(text).map_err(corrupt)?;
    if let Value::Array(values) = &mut row {
        for (value, (_, form)) in values.iter_mut().zip(&shape.columns) {
            match (form, &*value) {
                (Form::Json, Value::String(text)) => *value = serde_json::from_str(text).map_err(corrupt)?,
                (Form::Real, Value::Number(number)) => *value = number.as_f64().map_or(Value::Null, Value::from),
                _ => {}
            }
        }
    }
    Ok(row)
}

/// The row as an insert takes it: JSON columns as text.
fn packed(shape: &Shape, row: &Value) -> Value {
    let Value::Array(values) = row else { return Value::Null };
    let pack = |(value, (_, form)): (&Value, &(String, Form))| match form {
        Form::Json if !value.is_null() => Value::String(value.to_string()),
        _ => value.clone(),
    };
    Value::Array(values.iter().zip(&shape.columns).map(pack).collect())
}

impl Shape {
    fn select(&self, kind: Kind, offset: u64) -> String {
        // `hex(null)` is an empty text on SQLite.
        let read = |(name, form): &(String, Form)| match (form, kind) {
            (Form::Id | Form::Bytes, Kind::Sqlite) => {
                format!("case when \"{name}\" is null then null else {} end", form.read(name, kind))
            }
            _ => form.read(name, kind),
        };
        let columns: Vec<String> = self.columns.iter().map(read).collect();
        let order: Vec<String> = self.key.iter().map(|name| format!("\"{name}\"")).collect();
        let array = match kind {
            Kind::Sqlite => format!("json_array({})", columns.join(", ")),
            Kind::Postgres => format!("json_build_array({})::text", columns.join(", ")),
        };
        let limit = if kind == Kind::Sqlite { "limit -1 " } else { "" };
        format!("select {array} from \"{}\" order by {} {limit}offset {offset}", self.table, order.join(", "))
    }

    fn insert(&self, kind: Kind) -> String {
        let names: Vec<String> = self.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let values: Vec<String> =
            self.columns.iter().enumerate().map(|(place, (_, form))| form.write(place, kind)).collect();
        let from = match kind {
            Kind::Sqlite => "json_each($1)",
            Kind::Postgres => "jsonb_array_elements($1) v",
        };
        format!("insert into \"{}\" ({}) select {} from {from}", self.table, names.join(", "), values.join(", "))
    }
}

/// Collects rows into batches.
#[derive(Default)]
struct Filling {
    rows: Vec<Value>,
    bytes: usize,
}

impl Filling {
    /// Adds a row, and returns the batch when it is full.
    fn add(&mut self, shape: &Shape, text: &str) -> Result<Option<Vec<Value>>> {
        self.bytes += text.len();
        self.rows.push(plain(shape, text)?);
        let is_full = self.rows.len() >= BATCH || self.bytes >= BATCH_BYTES;
        Ok(is_full.then(|| std::mem::take(self).rows))
    }
}

/// A table, and a table that it refers to.
type Reference = (String, String);
/// A table, a column of its primary key, and the column's position in the key.
type KeyColumn = (String, String, i64);

/// Foreign keys: rows must be inserted after the rows they refer to.
const REFERENCES_SQLITE: &str = "
    select t.name, f.\"table\" from sqlite_master t join pragma_foreign_key_list(t.name) f where t.type = 'table'";
const REFERENCES_POSTGRES: &str = "
    select c.conrelid::regclass::text, c.confrelid::regclass::text from pg_constraint c
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace";
const KEYS_SQLITE: &str = "
    select t.name, c.name, c.pk from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and c.pk > 0";
const KEYS_POSTGRES: &str = "
    select c.conrelid::regclass::text, a.attname::text, k.place from pg_constraint c
    cross join lateral unnest(c.conkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
    where c.contype = 'p' and c.connamespace = current_schema()::regnamespace";

impl Store {
    /// Returns all tables, each after the tables it refers to.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn shapes(&self) -> Result<Vec<Shape>> {
        let columns = self.columns().await?;
        let (references, keys): (Vec<Reference>, Vec<KeyColumn>) = match &self.backend {
            Backend::Sqlite(sqlite) => (
                sqlite.ask(|reader| reader.all(REFERENCES_SQLITE, &[])).await?,
                sqlite.ask(|reader| reader.all(KEYS_SQLITE, &[])).await?,
            ),
            Backend::Postgres(postgres) => (
                sqlx::query_as(REFERENCES_POSTGRES).fetch_all(postgres.pool()).await?,
                sqlx::query_as(KEYS_POSTGRES).fetch_all(postgres.pool()).await?,
            ),
        };
        let bare = |name: &str| name.trim_matches('"').to_owned();
        let mut tables: Vec<String> = columns.iter().map(|column| column.table.clone()).collect();
        tables.dedup();
        let mut ordered: Vec<String> = Vec::new();
        while ordered.len() < tables.len() {
            let before = ordered.len();
            for table in &tables {
                let is_free = references
                    .iter()
                    .filter(|(of, to)| bare(of) == *table && bare(to) != *table)
                    .all(|(_, to)| ordered.contains(&bare(to)));
                if is_free && !ordered.contains(table) {
                    ordered.push(table.clone());
                }
            }
            if ordered.len() == before {
                return Err(Error::Dangling);
            }
        }
        let shape = |table: String| {
            let of = columns.iter().filter(|column| column.table == table);
            let columns = of.map(|column| (column.name.clone(), form_of(&table, &column.name))).collect();
            let mut key: Vec<(i64, String)> =
                keys.iter().filter(|(of, ..)| bare(of) == table).map(|(_, name, at)| (*at, name.clone())).collect();
            key.sort();
            Shape { columns, key: key.into_iter().map(|(_, name)| name).collect(), table }
        };
        Ok(ordered.into_iter().map(shape).collect())
    }

    /// Sends all rows of these tables from one snapshot, table by table, each in the order of its key. `skip` is the
    /// number of rows to leave out at the start of each table.
    ///
    /// # Errors
    /// Errors of the database; [`Error::Closed`] if the receiver was dropped.
    pub async fn dump(&self, shapes: &[Shape], skip: &[u64], sender: &mpsc::Sender<RowBatch>) -> Result<()> {
        let offset = |number: usize| skip.get(number).copied().unwrap_or(0);
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let selects: Vec<(Shape, String)> = shapes
                    .iter()
                    .enumerate()
                    .map(|(number, shape)| (shape.clone(), shape.select(Kind::Sqlite, offset(number))))
                    .collect();
                let sender = sender.clone();
                let dumped = sqlite.ask(move |reader| {
                    reader.execute("begin", &[])?;
                    let sent = selects.iter().enumerate().try_for_each(|(table, (shape, select))| {
                        let send = |rows| sender.blocking_send(RowBatch { table, rows }).map_err(|_| Error::Closed);
                        let mut filling = Filling::default();
                        reader
                            .each(select, &[], |(text,): (String,)| filling.add(shape, &text)?.map_or(Ok(()), send))?;
                        // Sent even if empty: the receiver learns that the table was read.
                        send(filling.rows)
                    });
                    let _ = reader.execute("rollback", &[]);
                    sent
                });
                dumped.await?;
            }
            Backend::Postgres(postgres) => {
                let mut connection = postgres.pool().acquire().await?;
                let mut tx = connection.begin().await?;
                let connection: &mut PgConnection = &mut tx;
                connection.execute("set transaction isolation level repeatable read read only").await?;
                connection.execute("set local statement_timeout = 0").await?;
                connection.execute("set local idle_in_transaction_session_timeout = 0").await?;
                for (table, shape) in shapes.iter().enumerate() {
                    let select = AssertSqlSafe(shape.select(Kind::Postgres, offset(table)));
                    let mut rows = sqlx::query::<sqlx::Postgres>(select).fetch(&mut *connection);
                    let mut filling = Filling::default();
                    while let Some(row) = rows.try_next().await? {
                        if let Some(rows) = filling.add(shape, row.try_get(0)?)? {
                            sender.send(RowBatch { table, rows }).await.map_err(|_| Error::Closed)?;
                        }
                    }
                    sender.send(RowBatch { table, rows: filling.rows }).await.map_err(|_| Error::Closed)?;
                }
            }
        }
        Ok(())
    }

    /// Inserts rows, all or none.
    ///
    /// # Errors
    /// A row exists already, or a row it refers to does not.
    pub async fn load(&self, shape: &Shape, rows: &[Value]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let list = Value::Array(rows.iter().map(|row| packed(shape, row)).collect());
        let text = shape.insert(self.kind());
        match &self.backend {
            Backend::Sqlite(_) => {
                self.write(move |tx| {
                    Box::pin(async move {
                        let crate::tx::Conn::Sqlite(conn) = &mut tx.conn else { return Err(Error::Dangling) };
                        conn.execute(&text, &[&list.to_string()]).map(drop)
                    })
                })
                .await
            }
            Backend::Postgres(postgres) => {
                let mut connection = postgres.pool().acquire().await?;
                sqlx::query(AssertSqlSafe(text))
                    .bind(sqlx::types::Json(list))
                    .persistent(false)
                    .execute(&mut *connection)
                    .await?;
                Ok(())
            }
        }
    }

    /// Returns the number of rows of a table.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn count(&self, shape: &Shape) -> Result<u64> {
        let text = format!("select count(*) from \"{}\"", shape.table);
        let count: i64 = match &self.backend {
            Backend::Sqlite(sqlite) => {
                let found: Vec<(i64,)> = sqlite.ask(move |reader| reader.all(&text, &[])).await?;
                found.first().map_or(0, |(count,)| *count)
            }
            Backend::Postgres(postgres) => sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(postgres.pool()).await?,
        };
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Deletes all rows of these tables in reverse order, for a database that was just created.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn empty(&self, shapes: &[Shape]) -> Result<()> {
        let texts: Vec<String> = shapes.iter().rev().map(|shape| format!("delete from \"{}\"", shape.table)).collect();
        self.write(move |tx| {
            Box::pin(async move {
                for text in texts {
                    match &mut tx.conn {
                        crate::tx::Conn::Sqlite(conn) => conn.batch(&text)?,
                        crate::tx::Conn::Postgres(conn) => {
                            conn.execute(AssertSqlSafe(text)).await?;
                        }
                    }
                }
                Ok(())
            })
        })
        .await
    }
}

/// The type of each column, parsed from the PostgreSQL migrations: SQLite has no column types for times, ids, JSON and
/// booleans.
static FORMS: LazyLock<HashMap<(String, String), Form>> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    for text in crate::schema::migrate::postgres_texts() {
        let mut table: Option<String> = None;
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match (words.as_slice(), &table) {
                (["create", "table", name, "(", ..], _) => table = Some(name.trim_matches('"').to_owned()),
                (["alter", "table", name, "add", "column", column, kind, ..], _) => {
                    forms.insert((name.trim_matches('"').to_owned(), (*column).to_owned()), Form::of(kind));
                }
                (["alter", "table", from, "rename", "to", to], _) => {
                    rename_table(&mut forms, from, to.trim_end_matches(';'))
                }
                (["alter", "table", of, "rename", "column", from, "to", to], _) => {
                    if let Some(form) = forms.remove(&((*of).to_owned(), (*from).to_owned())) {
                        forms.insert(((*of).to_owned(), to.trim_end_matches(';').to_owned()), form);
                    }
                }
                ([");", ..], _) => table = None,
                ([column, kind, ..], Some(of)) => {
                    forms.insert((of.clone(), column.trim_matches('"').to_owned()), Form::of(kind));
                }
                _ => {}
            }
        }
    }
    forms
});

fn rename_table(forms: &mut HashMap<(String, String), Form>, from: &str, to: &str) {
    let columns: Vec<_> = forms.keys().filter(|(table, _)| table == from).cloned().collect();
    for key in columns {
        if let Some(form) = forms.remove(&key) {
            forms.insert((to.to_owned(), key.1), form);
        }
    }
}

fn form_of(table: &str, column: &str) -> Form {
    FORMS.get(&(table.to_owned(), column.to_owned())).copied().unwrap_or(Form::Text)
}
