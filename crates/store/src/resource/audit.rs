//! The audit log. A line is inserted without a link by the transaction of the change it records; later a batch gives
//! lines their numbers and links in a hash chain per organization. Linking at once would serialize all changes of an
//! organization.

use std::collections::HashSet;

use domain::{
    AuditId, OrgId, Timestamp,
    actor::ActorKind,
    audit::{AuditRow, CHAIN_START, ChainLink, Sealed, seal},
};

use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times},
    value::{hex, hex_bytes, id_texts, pg::Uuid},
};

/// A line of the log, with its number in the chain once it is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    pub row: AuditRow,
    pub number: Option<i64>,
}

/// Filter for listing lines.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Name of the actor.
    pub actor: Option<String>,
    /// An action, or a prefix of actions followed by `*`.
    pub action: Option<String>,
    /// Earliest time.
    pub since: Option<Timestamp>,
}

#[derive(Clone)]
struct Row {
    id: AuditId,
    org_id: Option<OrgId>,
    at: Timestamp,
    actor_kind: ActorKind,
    actor_id: Option<String>,
    actor_name: String,
    address: Option<String>,
    action: String,
    subject_kind: String,
    subject_id: Option<String>,
    subject_name: Option<String>,
    diff: String,
    request_id: Option<String>,
    number: Option<i64>,
    link: Option<Vec<u8>>,
}

struct ChainHead {
    number: i64,
    link: [u8; 32],
}

struct Still {
    id: AuditId,
}

struct Chain {
    chain_id: OrgId,
    number: i64,
}

rows! {
    Row { id, org_id, at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id, subject_name, diff, request_id, number, link }
    ChainHead { number, link }
    Still { id }
    Chain { chain_id, number }
}

impl From<Row> for AuditLine {
    fn from(row: Row) -> Self {
        let number = row.number;
        let row = AuditRow {
            id: row.id,
            org: row.org_id,
            at: row.at,
            actor_kind: row.actor_kind,
            actor_id: row.actor_id,
            actor_name: row.actor_name,
            address: row.address,
            action: row.action,
            subject_kind: row.subject_kind,
            subject_id: row.subject_id,
            subject_name: row.subject_name,
            diff: row.diff,
            request_id: row.request_id,
        };
        Self { row, number }
    }
}

macro_rules! select_audit {
    ($rest:literal) => {
        concat!(
            "
        select id, org_id, at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id, subject_name,
            diff, request_id, number, link
        from audit
        ",
            $rest
        )
    };
}

statements! {
    AUDIT_INSERT_ALL = pair(
        "insert into audit (id, org_id, at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id,
            subject_name, diff, request_id)
        select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
            value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12
        from json_each($1)",
        "insert into audit (id, org_id, at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id,
            subject_name, diff, request_id)
        select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[],
            $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])"
    );
    AUDIT_INSERT = same("
        insert into audit
            (id, org_id, at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id, subject_name,
             diff, request_id, number, link)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, null, null)");
    AUDIT_LIST = same(select_audit!("
        where org_id is not distinct from $1 and id < $2
            and coalesce(actor_name = $3, true)
            and coalesce(action = $4, true)
            and coalesce(action like $5, true)
            and coalesce(at >= $6, true)
        order by id desc
        limit $7"));
    AUDIT_UNSEALED = same(select_audit!("where number is null order by id limit $1"));
    AUDIT_CHAIN_PAGE = same(select_audit!("where org_id is not distinct from $1 and number > $2 order by number limit $3"));
    AUDIT_STILL_UNSEALED = pair(
        "select id from audit where id in (select unhex(value) from json_each($1)) and number is null",
        "select id from audit where id = any ($1::uuid[]) and number is null"
    );
    AUDIT_SEAL = pair(
        "update audit set number = x.number, link = x.link
        from (select unhex(value ->> 0) as id, value ->> 1 as number, unhex(value ->> 2) as link from json_each($1)) x
        where audit.id = x.id",
        "update audit set number = x.number, link = x.link
        from unnest($1::uuid[], $2::bigint[], $3::bytea[]) x (id, number, link) where audit.id = x.id"
    );
    AUDIT_COUNT_UNSEALED = same("select count(*) from audit where org_id is not distinct from $1 and number is null");
    HEAD_OFFER = same("
        insert into audit_head (chain_id, number, link, created_at, updated_at)
        values ($1, 0, $2, $3, $3)
        on conflict (chain_id) do nothing");
    HEAD_LOCK = pair(
        "select number, link from audit_head where chain_id = $1",
        "select number, link from audit_head where chain_id = $1 for update"
    );
    HEAD_GET = same("select number, link from audit_head where chain_id = $1");
    HEAD_SET = same("update audit_head set number = $2, link = $3, updated_at = $4 where chain_id = $1");
    CHAINS = same("select chain_id, number from audit_head where chain_id > $1 order by chain_id limit $2");
}

/// Chain id of lines that belong to no organization.
const INSTALLATION: [u8; 16] = [0; 16];

fn chain_of(org: Option<OrgId>) -> OrgId {
    org.unwrap_or(OrgId::from_bytes(INSTALLATION))
}

impl Tx<'_> {
    /// Inserts a line, in the transaction of the change it records.
    pub async fn audit_insert(&mut self, row: &AuditRow) -> Result<()> {
        let r = row;
        execute!(
            self,
            AUDIT_INSERT,
            r.id,
            r.org,
            r.at,
            r.actor_kind,
            r.actor_id.clone(),
            r.actor_name.clone(),
            r.address.clone(),
            r.action.clone(),
            r.subject_kind.clone(),
            r.subject_id.clone(),
            r.subject_name.clone(),
            r.diff.clone(),
            r.request_id.clone()
        )?;
        Ok(())
    }

    /// Inserts lines of several requests.
    pub async fn audit_insert_all(&mut self, rows: &[AuditRow]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let row = |r: &AuditRow| {
            json!([
                hex(r.id),
                r.org.map(hex),
                r.at.as_micros(),
                r.actor_kind,
                r.actor_id,
                r.actor_name,
                r.address,
                r.action,
                r.subject_kind,
                r.subject_id,
                r.subject_name,
                r.diff,
                r.request_id,
            ])
        };
        let r = rows;
        defer!(
            self,
            AUDIT_INSERT_ALL,
            of Some(r.len()),
            sqlite(Value::Array(r.iter().map(row).collect()).to_string()),
            postgres(
                ids(r, |r| r.id),
                column(r, |r| r.org.map(|id| Uuid(id.to_bytes()))),
                times(r, |r| r.at),
                column(r, |r| r.actor_kind.as_str()),
                column(r, |r| r.actor_id.as_deref()),
                column(r, |r| r.actor_name.as_str()),
                column(r, |r| r.address.as_deref()),
                column(r, |r| r.action.as_str()),
                column(r, |r| r.subject_kind.as_str()),
                column(r, |r| r.subject_id.as_deref()),
                column(r, |r| r.subject_name.as_deref()),
                column(r, |r| r.diff.as_str()),
                column(r, |r| r.request_id.as_deref()),
            ),
        )?;
        Ok(())
    }

    /// Returns lines of an organization (or of the installation), newest first, before the given one.
    pub async fn audit_list(
        &mut self,
        org: Option<OrgId>,
        filter: AuditFilter,
        before: AuditId,
        limit: u32,
    ) -> Result<Vec<AuditLine>> {
        let (action, prefix) = match filter.action {
            Some(text) if text.ends_with('*') => {
                (None, Some(format!("{}%", text.trim_end_matches('*').replace('%', ""))))
            }
            action => (action, None),
        };
        let rows =
            all!(self, AUDIT_LIST => Row, org, before, filter.actor, action, prefix, filter.since, i64::from(limit))?;
        Ok(rows.into_iter().map(AuditLine::from).collect())
    }

    /// Seals at most `limit` lines, oldest first, each in the chain of its organization. Returns how many.
    pub async fn audit_seal(&mut self, limit: u32, now: Timestamp) -> Result<usize> {
        let mut lines = all!(self, AUDIT_UNSEALED => Row, i64::from(limit))?;
        // Lock order: chain heads by ascending chain id, so that two hubs that seal at the same time cannot deadlock.
        lines.sort_by_key(|row| (chain_of(row.org_id), row.id));
        let mut sealed = 0;
        for chain in lines.chunk_by(|a, b| a.org_id == b.org_id) {
            sealed += self.seal_chain(chain, now).await?;
        }
        Ok(sealed)
    }

    async fn seal_chain(&mut self, rows: &[Row], now: Timestamp) -> Result<usize> {
        let chain = chain_of(rows.first().and_then(|row| row.org_id));
        execute!(self, HEAD_OFFER, chain, CHAIN_START, now)?;
        let Some(ChainHead { mut number, mut link }) = one!(self, HEAD_LOCK => ChainHead, chain)? else { return Ok(0) };
        // Another hub may have sealed some of these lines while this one waited for the lock of the chain's head.
        let asked: Vec<AuditId> = rows.iter().map(|row| row.id).collect();
        let open: HashSet<AuditId> = split!(
            self,
            AUDIT_STILL_UNSEALED => Still,
            sqlite(id_texts(&asked)),
            postgres(ids(&asked, |id| *id)),
        )?
        .into_iter()
        .map(|still| still.id)
        .collect();
        let mut sealed: Vec<(AuditId, i64, ChainLink)> = Vec::with_capacity(open.len());
        for row in rows.iter().filter(|row| open.contains(&row.id)) {
            number += 1;
            link = seal(&link, number, &AuditLine::from(row.clone()).row);
            sealed.push((row.id, number, link));
        }
        if sealed.is_empty() {
            return Ok(0);
        }
        let line = |(id, number, link): &(AuditId, i64, ChainLink)| json!([hex(*id), number, hex_bytes(link)]);
        split_execute!(
            self,
            AUDIT_SEAL,
            sqlite(Value::Array(sealed.iter().map(line).collect()).to_string()),
            postgres(
                ids(&sealed, |line| line.0),
                column(&sealed, |line| line.1),
                column(&sealed, |line| line.2.as_slice()),
            ),
        )?;
        execute!(self, HEAD_SET, chain, number, link, now)?;
        Ok(sealed.len())
    }

    /// Returns sealed lines of a chain, in order, after a number.
    pub async fn audit_chain_page(&mut self, org: Option<OrgId>, after: i64, limit: u32) -> Result<Vec<Sealed>> {
        let rows = all!(self, AUDIT_CHAIN_PAGE => Row, org, after, i64::from(limit))?;
        let sealed = rows.into_iter().filter_map(|row| {
            let number = row.number?;
            // A link of the wrong length was tampered with. Zeros match no line, so verification reports it.
            let link = row.link.as_deref().and_then(|bytes| bytes.try_into().ok()).unwrap_or(CHAIN_START);
            Some(Sealed { number, link, row: AuditLine::from(row).row })
        });
        Ok(sealed.collect())
    }

    /// Returns the number of sealed and of unsealed lines of a chain.
    pub async fn audit_counts(&mut self, org: Option<OrgId>) -> Result<(i64, i64)> {
        let head = one!(self, HEAD_GET => ChainHead, chain_of(org))?.map_or(0, |head| head.number);
        let waiting = value!(self, AUDIT_COUNT_UNSEALED => i64, org)?.unwrap_or(0);
        Ok((head, waiting))
    }

    /// Returns all chains. `None`, the chain of the installation, comes first.
    pub async fn audit_chains(&mut self) -> Result<Vec<Option<OrgId>>> {
        let mut chains = vec![None];
        let mut after = OrgId::from_bytes(INSTALLATION);
        loop {
            let page = all!(self, CHAINS => Chain, after, 1_000_i64)?;
            let Some(last) = page.last() else { return Ok(chains) };
            after = last.chain_id;
            chains.extend(page.iter().filter(|chain| chain.number > 0).map(|chain| Some(chain.chain_id)));
        }
    }
}
