//! Time series for charts: host metrics, server usage, counts of jobs.

use domain::{
    OrgId, Span,
    series::{self, Range, Shape, SubjectId},
};
use proto::api::series::{Series, SeriesQuery, SeriesSet};
use store::Tx;

use crate::app::hosts;
use crate::{Error, Hub, Result};

/// Rows read for one answer: eight days of hourly rows from a few hubs.
const ROWS_MAX: u32 = 2_000;
/// Default time range.
const USUAL: Span = Span::from_secs(3_600);

impl Hub {
    /// Returns the metrics of a host over time.
    ///
    /// # Errors
    /// Fails if the host does not exist or the range is invalid.
    pub async fn host_metrics(&self, org: OrgId, host: &str, query: &SeriesQuery) -> Result<SeriesSet> {
        let (range, host) = (self.range(query)?, host.to_owned());
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                let host = hosts::find(tx, org, &host).await?.host.id;
                shown(tx, SubjectId::of(host), series::HOST, range).await
            })
        });
        read.await
    }

    /// Returns the resource usage of a server over time.
    ///
    /// # Errors
    /// Fails if the server does not exist or the range is invalid.
    pub async fn server_metrics(&self, org: OrgId, server: &str, query: &SeriesQuery) -> Result<SeriesSet> {
        let range = self.range(query)?;
        let server = self.server_named(org, server).await?.id;
        let read = self
            .store
            .read(move |tx| Box::pin(async move { shown(tx, SubjectId::of(server), series::SERVER, range).await }));
        read.await
    }

    /// Returns the job counts of an organization over time.
    ///
    /// # Errors
    /// Fails if the range is invalid.
    pub async fn job_series(&self, org: OrgId, query: &SeriesQuery) -> Result<SeriesSet> {
        let range = self.range(query)?;
        let read = self
            .store
            .read(move |tx| Box::pin(async move { shown(tx, SubjectId::of(org), series::JOBS, range).await }));
        read.await
    }

    fn range(&self, query: &SeriesQuery) -> Result<Range> {
        let before = query.before.unwrap_or_else(|| self.now());
        let after = query.after.unwrap_or_else(|| before - USUAL);
        let range = Range::new(after, before).filter(|_| before.since(after) <= series::KEPT);
        range.ok_or_else(|| Error::invalid("`after` must be at most eight days before `before`"))
    }
}

async fn shown(tx: &mut Tx<'_>, subject: SubjectId, shape: Shape, range: Range) -> Result<SeriesSet> {
    let rows = tx.sample_list(subject, series::hour(range.after), range.before, ROWS_MAX).await?;
    let minutes = rows.iter().flat_map(|row| series::minutes(row.hour_at, &row.lines));
    let one = |one: series::Series| Series { name: one.name.to_owned(), unit: one.unit, values: one.values };
    let series = series::series(shape, range, minutes).into_iter().map(one).collect();
    let Range { after, before, step } = range;
    Ok(SeriesSet { after, before, step_s: step, series })
}
