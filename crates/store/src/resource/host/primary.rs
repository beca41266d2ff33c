//! What is known of the promotions of hubs, for each org.

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
    HOME_GET = same("select org_id, number, is_ours from home where org_id = $1");
    HOME_PUT = same("
        insert into home (org_id, number, is_ours, created_at, updated_at) values ($1, $2, $3, $4, $4)
        on conflict (org_id) do update
        set number = excluded.number, is_ours = excluded.is_ours, updated_at = excluded.updated_at");
    HOME_OURS = same("select org_id, number, is_ours from home where is_ours = $1 order by org_id limit $2");
}

impl Tx<'_> {
    /// What is known of an org's promotions. Whoever decides by it locks the org before.
    pub async fn home_get(&mut self, org: OrgId) -> Result<HubPromotions> {
        Ok(one!(self, HOME_GET => Row, org)?.as_ref().map(HubPromotions::from).unwrap_or_default())
    }

    /// Writes what is known of an org's promotions.
    pub async fn home_put(&mut self, org: OrgId, known: HubPromotions, now: Timestamp) -> Result<()> {
        let number = i64::try_from(known.number).unwrap_or(i64::MAX);
        execute!(self, HOME_PUT, org, number, known.is_ours, now)?;
        Ok(())
    }

    /// The orgs for whose hosts this hub was promoted, with the numbers: for the loop that tells runners.
    pub async fn home_ours(&mut self, limit: u32) -> Result<Vec<(OrgId, u64)>> {
        let rows = all!(self, HOME_OURS => Row, true, i64::from(limit))?;
        Ok(rows.iter().map(|row| (row.org_id, HubPromotions::from(row).number)).collect())
    }
}
