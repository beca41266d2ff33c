//! Promotions of hubs to primary hub, per organization.

use domain::{OrgId, Timestamp, primary::HubPromotions};

use crate::{Result, Tx};

struct Row {
    org_id: OrgId,
    number: i64,
    is_ours: bool,
}

rows! { Row { org_id, number, is_ours } }

impl From<&Row> for HubPromotions {
    fn from(row: &Row) -> Self {
        Self { number: u64::try_from(row.number).unwrap_or(0), is_ours: row.is_ours }
    }
}

statements! {
    PRIMARY_GET = same("select org_id, number, is_ours from primary_hub where org_id = $1");
    PRIMARY_PUT = same("
        insert into primary_hub (org_id, number, is_ours, created_at, updated_at) values ($1, $2, $3, $4, $4)
        on conflict (org_id) do update
        set number = excluded.number, is_ours = excluded.is_ours, updated_at = excluded.updated_at");
    PRIMARY_OURS = same("select org_id, number, is_ours from primary_hub where is_ours = $1 order by org_id limit $2");
}

impl Tx<'_> {
    /// Returns the promotions of an organization. A caller that decides by them must lock the organization first.
    pub async fn primary_get(&mut self, org: OrgId) -> Result<HubPromotions> {
        Ok(one!(self, PRIMARY_GET => Row, org)?.as_ref().map(HubPromotions::from).unwrap_or_default())
    }

    /// Stores the promotions of an organization.
    pub async fn primary_put(&mut self, org: OrgId, known: HubPromotions, now: Timestamp) -> Result<()> {
        let number = i64::try_from(known.number).unwrap_or(i64::MAX);
        execute!(self, PRIMARY_PUT, org, number, known.is_ours, now)?;
        Ok(())
    }

    /// Returns the organizations for whose hosts this hub was promoted, with the promotion numbers.
    pub async fn primary_ours(&mut self, limit: u32) -> Result<Vec<(OrgId, u64)>> {
        let rows = all!(self, PRIMARY_OURS => Row, true, i64::from(limit))?;
        Ok(rows.iter().map(|row| (row.org_id, HubPromotions::from(row).number)).collect())
    }
}
