-- Jobs: definitions, the queue, runs, logs and events; also the runner's journal and outbox.
--
-- The hot path updates no row twice: `job` holds the request, `ready` and `lease` are narrow rows that exist only while
-- a job is claimable or running, `run` and `outcome` are appended when something ends. No foreign keys here: they would
-- lock the organization's row in every insert.

create table definition (
    id blob primary key,
    key text not null constraint definition_key_uq unique,
    version integer not null,
    is_active integer not null,
    created_at integer not null,
    updated_at integer not null
) strict;

create table definition_version (
    definition_id blob not null references definition (id) on delete cascade,
    version integer not null,
    body text not null,
    created_by text not null,
    created_at integer not null,
    primary key (definition_id, version)
) strict;

-- An ordered queue: the jobs of one organization, target, definition and limit key ('' = none).
create table lane (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    target_kind text not null check (target_kind in ('host', 'queue', 'selector')),
    target text not null,
    -- Set if the target is a host.
    host_id blob,
    definition_id blob not null references definition (id) on delete cascade,
    limit_key text not null,
    -- Last use. An empty lane that was not used for long is deleted.
    touched_at integer not null,
    created_at integer not null,
    updated_at integer not null,
    constraint lane_target_uq unique (org_id, target_kind, target, definition_id, limit_key)
) strict;
create index lane_host_ix on lane (host_id) where host_id is not null;

-- The lanes that each host serves. Rewritten when labels, queues, shares or lanes change.
create table host_lane (
    host_id blob not null references host (id) on delete cascade,
    lane_id blob not null references lane (id) on delete cascade,
    primary key (host_id, lane_id)
) strict, without rowid;
create index host_lane_lane_ix on host_lane (lane_id);

-- Hosts that are shared with other organizations.
create table host_share (
    host_id blob not null references host (id) on delete cascade,
    org_id blob not null references org (id) on delete cascade,
    created_at integer not null,
    updated_at integer not null,
    primary key (host_id, org_id)
) strict;
create index host_share_org_ix on host_share (org_id);

-- Use of a shared host by each organization in worker-milliseconds, relative to the other organizations there.
create table host_usage (
    host_id blob not null references host (id) on delete cascade,
    org_id blob not null references org (id) on delete cascade,
    used_ms real not null,
    cost_ms real not null,
    is_waiting integer not null,
    primary key (host_id, org_id)
) strict;

-- Holders of leases: runners and workers. Apart from sessions, so that heartbeats and claims do not block each other.
create table holder (
    id blob primary key,
    epoch integer not null,
    running integer not null,
    recent text not null,
    -- Results of the last runs, one mark each.
    ends text not null
) strict, without rowid;

create table job (
    id blob primary key,
    org_id blob not null,
    definition_id blob not null,
    definition_version integer not null,
    lane_id blob not null,
    source text not null check (source in ('manual', 'event', 'schedule', 'system')),
    source_ref text,
    priority integer not null,
    payload text not null,
    -- Secret values of the payload, encrypted.
    sealed blob,
    dedupe_key text,
    correlation_id text,
    scheduled_for integer not null,
    expires_at integer,
    max_attempts integer not null,
    timeout_ms integer not null,
    on_lost text not null check (on_lost in ('retry', 'hold')),
    created_by text not null,
    queued_at integer not null
) strict, without rowid;
create index job_org_ix on job (org_id, id);

create table ready (
    lane_id blob not null,
    priority integer not null,
    due_at integer not null,
    job_id blob not null,
    fence integer not null,
    primary key (lane_id, priority, due_at, job_id)
) strict, without rowid;
create unique index ready_job_uq on ready (job_id);

create table waiting (
    job_id blob primary key,
    lane_id blob not null,
    priority integer not null,
    due_at integer not null,
    fence integer not null,
    reason text not null check (reason in ('later', 'retry_backoff'))
) strict, without rowid;
create index waiting_lane_ix on waiting (lane_id, due_at);
create index waiting_due_ix on waiting (due_at);

create table lease (
    job_id blob primary key,
    run_id blob not null,
    holder_id blob not null,
    epoch integer not null,
    fence integer not null,
    org_id blob not null,
    lane_id blob not null,
    definition_id blob not null,
    priority integer not null,
    started_at integer not null,
    pid integer,
    -- Set while the holder is disconnected and only the holder can report the outcome of the run.
    held_at integer,
    cancel_at integer,
    cancel_reason text,
    -- The ids of the limits that this run counts towards.
    counted text
) strict, without rowid;

create table run (
    job_id blob not null,
    no integer not null,
    id blob not null,
    org_id blob not null,
    holder_id blob not null,
    status text not null check (status in ('succeeded', 'failed', 'timeout', 'canceled', 'lost', 'crashed', 'not_started')),
    started_at integer not null,
    finished_at integer not null,
    pid integer,
    exit_code integer,
    signal integer,
    error_text text,
    stdout_tail text,
    stderr_tail text,
    output text,
    primary key (job_id, no)
) strict;
create index run_holder_ix on run (holder_id, finished_at);

create table outcome (
    job_id blob not null,
    fence integer not null,
    org_id blob not null,
    status text not null check (status in ('succeeded', 'failed', 'dead_letter', 'canceled')),
    reason text,
    finished_at integer not null,
    primary key (job_id, fence)
) strict, without rowid;
create index outcome_status_ix on outcome (org_id, status, job_id);

-- Redrives: outcomes of a job up to this fence no longer count.
create table redrive (
    job_id blob not null,
    fence integer not null,
    payload text,
    sealed blob,
    created_by text not null,
    created_at integer not null,
    primary key (job_id, fence)
) strict, without rowid;

-- Jobs with an expiry time; the row is deleted when the job ends or expires.
create table expiry (
    expires_at integer not null,
    job_id blob not null,
    primary key (expires_at, job_id)
) strict, without rowid;

-- Reports with a fence or a session that is no longer current: kept as evidence, never applied.
create table stale_report (
    id blob primary key,
    org_id blob not null,
    job_id blob not null,
    fence integer not null,
    holder_id blob not null,
    epoch integer not null,
    body text not null,
    at integer not null
) strict;
create index stale_report_job_ix on stale_report (job_id);
create index stale_report_at_ix on stale_report (at);

-- The job that holds a dedupe key: while it is queued or running, and at least until the window ends.
create table dedupe (
    org_id blob not null,
    key text not null,
    job_id blob not null,
    until_at integer not null,
    primary key (org_id, key)
) strict, without rowid;
create index dedupe_until_ix on dedupe (until_at);

-- Responses already sent, by the caller's idempotency key.
create table idempotency (
    org_id blob not null,
    key text not null,
    request_hash blob not null,
    answer text not null,
    expires_at integer not null,
    primary key (org_id, key)
) strict;
create index idempotency_expires_ix on idempotency (expires_at);

-- A configured limit and its current use. Without a limit there is no row, and so no lock.
create table quota (
    id blob primary key,
    -- The organization, or zeros for a limit over all organizations.
    org_id blob not null,
    kind text not null check (kind in ('org', 'definition', 'definition_on_host', 'key')),
    subject text not null,
    host_id blob not null,
    max_running integer,
    jobs_per_minute integer,
    running integer not null,
    recent text not null,
    created_at integer not null,
    updated_at integer not null,
    constraint quota_subject_uq unique (org_id, kind, subject, host_id)
) strict;

create table pause (
    org_id blob not null references org (id) on delete cascade,
    kind text not null check (kind in ('org', 'definition', 'queue', 'key')),
    subject text not null,
    note text not null,
    until_at integer,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (org_id, kind, subject)
) strict;

-- Changes of the counts by status, to be summed; a loop folds them into fewer rows.
create table tally (
    id blob primary key,
    org_id blob not null,
    queued integer not null,
    running integer not null,
    succeeded integer not null,
    failed integer not null,
    dead_letter integer not null,
    canceled integer not null,
    retried integer not null,
    created integer not null
) strict, without rowid;
create index tally_org_ix on tally (org_id);

-- Events. Numbered after the commit, by one transaction at a time, so that a reader that has read number n has read all
-- lower numbers.
create table event (
    id blob primary key,
    org_id blob not null,
    seq integer,
    name text not null,
    at integer not null,
    items text not null
) strict;
create unique index event_seq_uq on event (seq) where seq is not null;
create index event_org_ix on event (org_id, seq) where seq is not null;
create index event_new_ix on event (id) where seq is null;

create table event_head (
    id integer primary key check (id = 1),
    seq integer not null
) strict;

-- Output of runs, in chunks as received.
create table log_chunk (
    run_id blob not null,
    first_line integer not null,
    lines integer not null,
    bytes integer not null,
    body blob not null,
    at integer not null,
    primary key (run_id, first_line)
) strict;

create table secret (
    org_id blob not null references org (id) on delete cascade,
    name text not null,
    sealed blob not null,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (org_id, name)
) strict;

-- Removed organizations whose jobs are not yet deleted.
create table org_purge (
    org_id blob primary key,
    created_at integer not null,
    updated_at integer not null
) strict;

-- Bulk actions on the jobs that match a filter, processed by a loop from the newest job to the oldest.
create table batch (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    action text not null check (action in ('cancel', 'retry', 'move')),
    filter text not null,
    options text not null,
    status text not null check (status in ('running', 'done', 'stopped')),
    -- Jobs with this id or a greater one are processed.
    before_id blob not null,
    looked_at integer not null,
    matched integer not null,
    done integer not null,
    failed integer not null,
    -- The first failures, each with its reason.
    failures text not null,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    finished_at integer
) strict;
create index batch_org_ix on batch (org_id, id);
create index batch_running_ix on batch (updated_at) where status = 'running';

-- Programs that claim jobs over HTTP.
create table worker (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    token_id blob not null,
    worker_id text not null,
    hostname text not null,
    version text not null,
    queues text not null,
    metadata text not null,
    last_seen_at integer not null,
    -- Request id and time of the last claim: a repeated request gets the same jobs again.
    last_request text,
    last_request_at integer,
    created_at integer not null,
    updated_at integer not null,
    constraint worker_worker_id_uq unique (org_id, token_id, worker_id)
) strict;
create index worker_seen_ix on worker (last_seen_at);

-- The queues that each host serves, as sent by its runner in its hello.
create table host_queue (
    host_id blob not null references host (id) on delete cascade,
    queue text not null,
    primary key (host_id, queue)
) strict;

-- On a runner: accepted runs that the hub has not yet released.
create table journal (
    run_id blob primary key,
    job_id blob not null,
    fence integer not null,
    state text not null check (state in ('accepted', 'starting', 'ended')),
    boot_id text not null,
    grant_body text not null,
    accepted_at integer not null
) strict;

-- On a runner: results to send to the hub, deleted only by acknowledged number.
create table outbox (
    seq integer primary key,
    run_id blob not null,
    body text not null,
    at integer not null
) strict;

-- The last number of the outbox: a number is never reused, even after all are acknowledged and the clock is set back.
create table outbox_head (
    id integer primary key check (id = 1),
    seq integer not null
) strict;

-- The current state of each job. One view serves all reads.
create view job_now as
select j.id, j.org_id, j.definition_id, j.definition_version, j.source, j.source_ref, j.priority as asked_priority,
    coalesce(d.payload, j.payload) as payload, j.dedupe_key, j.correlation_id, j.scheduled_for, j.expires_at,
    j.max_attempts, j.timeout_ms, j.on_lost, j.created_by, j.queued_at,
    coalesce(l.lane_id, w.lane_id, q.lane_id, j.lane_id) as lane_id,
    coalesce(l.priority, w.priority, q.priority, j.priority) as priority,
    case
        when l.job_id is not null and l.held_at is null then 'running'
        when l.job_id is null and o.fence is not null and (d.fence is null or d.fence < o.fence) then o.status
        else 'queued'
    end as status,
    case
        when l.held_at is not null then 'held'
        when l.job_id is null then w.reason
    end as parked_reason,
    coalesce(w.due_at, l.held_at) as parked_until,
    case when l.job_id is null and (d.fence is null or d.fence < o.fence) then o.reason end as end_reason,
    case when l.job_id is null and (d.fence is null or d.fence < o.fence) then o.finished_at end as finished_at,
    l.run_id, l.holder_id, l.epoch, l.started_at as lease_started_at, l.pid, l.cancel_at,
    coalesce(l.fence, w.fence, q.fence, o.fence, 0) as fence,
    coalesce(d.fence, 0) as redriven_at_fence
from job j
left join lease l on l.job_id = j.id
left join waiting w on w.job_id = j.id
left join ready q on q.job_id = j.id
left join outcome o on o.job_id = j.id and o.fence = (select max(x.fence) from outcome x where x.job_id = j.id)
left join redrive d on d.job_id = j.id and d.fence = (select max(x.fence) from redrive x where x.job_id = j.id);

