//! Jobs, their runs and logs.

use axum::{
    Json,
    body::Body as HttpBody,
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use bytes::BytesMut;
use futures_util::StreamExt as _;
use http_body_util::BodyExt as _;
use proto::{
    Code,
    api::job::{
        BulkMade, CancelRequest, JobDetail, JobMade, JobPage, JobQuery, JobRequest, JobSummary, LogPage, LogQuery,
        MoveRequest, RetryRequest, Runs, Why,
    },
};
use serde::Deserialize;

use crate::http::{
    extract::{Body, Ctx, Path, Query, read_body},
    idempotency::key_in,
};
use crate::{
    Error, Result,
    app::jobs::{Maker, bulk_of},
};

/// Maximum size of an array of jobs, in bytes.
const BULK_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Maximum length of an NDJSON line, in bytes.
const LINE_BYTES_MAX: usize = 1024 * 1024;
/// NDJSON lines per batch.
const LINES_AT_ONCE: usize = 1_000;

#[derive(Deserialize)]
pub(crate) struct JobPath {
    job: String,
}

fn maker(cx: &Ctx, headers: &HeaderMap) -> Result<Maker> {
    let maker = Maker::new(cx.by.clone(), cx.org()?);
    Ok(Maker { idempotency_key: key_in(headers)?, ..maker })
}

/// List the organization's jobs that match a filter, newest first.
#[utoipa::path(get, path = "/api/v1/jobs", tag = "jobs", params(JobQuery), responses((status = 200, body = JobPage)))]
pub(crate) async fn job_list(cx: Ctx, Query(query): Query<JobQuery>) -> Result<Json<JobPage>> {
    Ok(Json(cx.hub.job_list(cx.org()?, &query).await?))
}

/// Create a job. An array or NDJSON creates several and returns one result per row. With an `Idempotency-Key`, a
/// repeated request creates no second job.
#[utoipa::path(post, path = "/api/v1/jobs", tag = "jobs", request_body = JobRequest, responses((status = 201, body = JobMade, description = "Created"), (status = 200, body = BulkMade, description = "Results of several jobs, or one job that already existed")))]
pub(crate) async fn job_create(cx: Ctx, request: Request) -> Result<Response> {
    let maker = maker(&cx, request.headers())?;
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.contains("ndjson") || kind.contains("jsonl") {
        return Ok(stream(&cx, maker, request.into_body()));
    }
    let bytes = read_body(request, BULK_BYTES_MAX).await?;
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Ok(Json(bulk(&cx, &maker, &bytes).await?).into_response());
    }
    if bytes.len() > crate::http::extract::BODY_MAX {
        return Err(Error::new(Code::BodyTooLarge, "the body is larger than 1024 KiB")
            .hint("a payload can have at most 256 KiB"));
    }
    let row: JobRequest = crate::http::extract::read_json(&bytes)?;
    let made = cx.hub.job_create(&maker, row).await?;
    let status = if made.deduplicated { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(made)).into_response())
}

/// Creates the jobs of an array. An invalid row must not reject the others, so if the array does not parse as a whole,
/// each row is parsed on its own.
async fn bulk(cx: &Ctx, maker: &Maker, bytes: &[u8]) -> Result<BulkMade> {
    if let Ok(rows) = crate::http::extract::read_json::<Vec<JobRequest>>(bytes) {
        return cx.hub.job_create_bulk(maker, &rows).await;
    }
    let rows: Vec<serde_json::Value> = serde_json::from_slice(bytes)
        .map_err(|error| Error::new(Code::MalformedRequest, format!("the body is not JSON: {error}")))?;
    let rows: Vec<Result<JobRequest>> =
        rows.iter().map(|row| crate::http::extract::read_json(row.to_string().as_bytes())).collect();
    Ok(bulk_of(cx.hub.job_create_rows(maker, rows).await?))
}

/// Creates jobs from NDJSON and answers in NDJSON: each batch is answered when it is written.
fn stream(cx: &Ctx, maker: Maker, body: HttpBody) -> Response {
    let batches = futures_util::stream::unfold(Some(Lines::new(body)), async |lines| {
        let mut lines = lines?;
        match lines.next(LINES_AT_ONCE).await {
            Ok(rows) if rows.is_empty() => None,
            Ok(rows) => Some((Ok(rows), Some(lines))),
            Err(error) => Some((Err(error), None)),
        }
    });
    let answers = cx.hub.job_create_stream(maker, batches).map(|made| {
        let mut text = String::new();
        for made in made {
            text.push_str(&serde_json::to_string(&made)?);
            text.push('\n');
        }
        Ok::<_, serde_json::Error>(text)
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], HttpBody::from_stream(answers)).into_response()
}

/// Reads a body line by line, so that only one batch is in memory.
struct Lines {
    body: HttpBody,
    rest: BytesMut,
    is_over: bool,
}

impl Lines {
    fn new(body: HttpBody) -> Self {
        Self { body, rest: BytesMut::new(), is_over: false }
    }

    /// The next `most` lines, or fewer at the end of the body.
    async fn next(&mut self, most: usize) -> Result<Vec<Result<JobRequest>>> {
        let mut rows = Vec::new();
        loop {
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line = self.rest.split_to(end + 1);
                if !line.iter().all(u8::is_ascii_whitespace) {
                    rows.push(crate::http::extract::read_json(&line));
                }
                if rows.len() == most {
                    return Ok(rows);
                }
            }
            if self.rest.len() > LINE_BYTES_MAX {
                return Err(Error::new(Code::BodyTooLarge, "a line is larger than 1024 KiB"));
            }
            if self.is_over {
                let line = std::mem::take(&mut self.rest);
                if !line.iter().all(u8::is_ascii_whitespace) {
                    rows.push(crate::http::extract::read_json(&line));
                }
                return Ok(rows);
            }
            match self.body.frame().await {
                Some(Ok(frame)) => self.rest.extend_from_slice(frame.data_ref().map_or(&[], |data| data)),
                Some(Err(_)) => {
                    return Err(Error::new(Code::MalformedRequest, "the connection failed while the body was read"));
                }
                None => self.is_over = true,
            }
        }
    }
}

/// Count jobs by status, with the age of the oldest queued job.
#[utoipa::path(get, path = "/api/v1/jobs/summary", tag = "jobs", responses((status = 200, body = JobSummary)))]
pub(crate) async fn job_summary(cx: Ctx) -> Result<Json<JobSummary>> {
    Ok(Json(cx.hub.job_summary(cx.org()?).await?))
}

/// Get a job by id or unique prefix of its id.
#[utoipa::path(get, path = "/api/v1/jobs/{job}", tag = "jobs", params(("job" = String, Path, description = "Id or unique prefix of it")), responses((status = 200, body = JobDetail)))]
pub(crate) async fn job_get(cx: Ctx, Path(at): Path<JobPath>) -> Result<Json<JobDetail>> {
    Ok(Json(cx.hub.job_get(cx.org()?, &at.job).await?))
}

/// Explain why a job is waiting, or how it ended.
#[utoipa::path(get, path = "/api/v1/jobs/{job}/why", tag = "jobs", params(("job" = String, Path, description = "Id or unique prefix of it")), responses((status = 200, body = Why)))]
pub(crate) async fn job_why(cx: Ctx, Path(at): Path<JobPath>) -> Result<Json<Why>> {
    Ok(Json(cx.hub.job_get(cx.org()?, &at.job).await?.why))
}

/// List the runs of a job in order.
#[utoipa::path(get, path = "/api/v1/jobs/{job}/attempts", tag = "jobs", params(("job" = String, Path, description = "Id or unique prefix of it")), responses((status = 200, body = Runs)))]
pub(crate) async fn job_attempts(cx: Ctx, Path(at): Path<JobPath>) -> Result<Json<Runs>> {
    Ok(Json(cx.hub.job_runs(cx.org()?, &at.job).await?))
}

/// Get the log lines of a run.
#[utoipa::path(get, path = "/api/v1/jobs/{job}/logs", tag = "jobs", params(("job" = String, Path, description = "Id or unique prefix of it"), LogQuery), responses((status = 200, body = LogPage)))]
pub(crate) async fn job_logs(cx: Ctx, Path(at): Path<JobPath>, Query(query): Query<LogQuery>) -> Result<Json<LogPage>> {
    Ok(Json(cx.hub.job_log(cx.org()?, &at.job, &query).await?))
}

/// Cancel a job. A queued job never starts; a running job is stopped.
#[utoipa::path(post, path = "/api/v1/jobs/{job}/cancel", tag = "jobs", params(("job" = String, Path, description = "Id or unique prefix of it")), request_body = CancelRequest, responses((status = 200, body = JobDetail)))]
pub(crate) async fn job_cancel(
    cx: Ctx,
    Path(at): Path<JobPath>,
    Body(request): Body<CancelRequest>,
) -> Result<Json<JobDetail>> {
    Ok(Json(cx.hub.job_cancel(&cx.by, cx.org()?, &at.job, request).await?))
}

/// Put a finished job back into its queue, with its history.
#[utoipa::path(post, path = "/api/v1/jobs/{job}/retry", tag = "jobs", params(("job" = String, Path, description = "Id or unique prefix of it")), request_body = RetryRequest, responses((status = 200, body = JobDetail)))]
pub(crate) async fn job_retry(
    cx: Ctx,
    Path(at): Path<JobPath>,
    Body(request): Body<RetryRequest>,
) -> Result<Json<JobDetail>> {
    Ok(Json(cx.hub.job_retry(&cx.by, cx.org()?, &at.job, request).await?))
}

/// Move a queued job to another target, or change its priority.
#[utoipa::path(post, path = "/api/v1/jobs/{job}/move", tag = "jobs", params(("job" = String, Path, description = "Id or unique prefix of it")), request_body = MoveRequest, responses((status = 200, body = JobDetail)))]
pub(crate) async fn job_move(
    cx: Ctx,
    Path(at): Path<JobPath>,
    Body(request): Body<MoveRequest>,
) -> Result<Json<JobDetail>> {
    Ok(Json(cx.hub.job_move(&cx.by, cx.org()?, &at.job, request).await?))
}
