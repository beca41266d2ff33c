-- Jobs: definitions, the queue, runs, logs and events; also the runner's journal and outbox.
--
-- The hot path updates no row twice: `job` holds the request, `ready` and `lease` are narrow rows that exist only while
-- a job is claimable or running, `run` and `outcome` are appended when something ends. No foreign keys here: they would
-- lock the organization's row in every insert.

create table definition (
    id uuid primary key,
    key text not null constraint definition_key_uq unique,
    version integer not null,
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table definition_version (
    definition_id uuid not null references definition (id) on delete cascade,
    version integer not null,
    body jsonb not null,
    created_by text not null,
    created_at timestamptz not null,
    primary key (definition_id, version)
);

-- An ordered queue: the jobs of one organization, target, definition and limit key ('' = none).
create table lane (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    target_kind text not null check (target_kind in ('host', 'queue', 'selector')),
    target text not null,
    -- Set if the target is a host.
    host_id uuid,
    definition_id uuid not null references definition (id) on delete cascade,
    limit_key text not null,
    -- Last use. An empty lane that was not used for long is deleted.
    touched_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint lane_target_uq unique (org_id, target_kind, target, definition_id, limit_key)
);
create index lane_host_ix on lane (host_id) where host_id is not null;

-- The lanes that each host serves. Rewritten when labels, queues, shares or lanes change.
create table host_lane (
    host_id uuid not null references host (id) on delete cascade,
    lane_id uuid not null references lane (id) on delete cascade,
    primary key (host_id, lane_id)
);
create index host_lane_lane_ix on host_lane (lane_id);

-- Hosts that are shared with other organizations.
create table host_share (
    host_id uuid not null references host (id) on delete cascade,
    org_id uuid not null references org (id) on delete cascade,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (host_id, org_id)
);
create index host_share_org_ix on host_share (org_id);

-- Use of a shared host by each organization in worker-milliseconds, relative to the other organizations there.
create table host_usage (
    host_id uuid not null references host (id) on delete cascade,
    org_id uuid not null references org (id) on delete cascade,
    used_ms double precision not null,
    cost_ms double precision not null,
    is_waiting boolean not null,
    primary key (host_id, org_id)
);

-- Holders of leases: runners and workers. Apart from sessions, so that heartbeats and claims do not block each other.
create table holder (
    id uuid primary key,
    epoch bigint not null,
    running integer not null,
    recent text not null,
    -- Results of the last runs, one mark each.
    ends text not null
);

create table job (
    id uuid primary key,
    org_id uuid not null,
    definition_id uuid not null,
    definition_version integer not null,
    lane_id uuid not null,
    source text not null check (source in ('manual', 'event', 'schedule', 'system')),
    source_ref text,
    priority integer not null,
    payload jsonb not null,
    -- Secret values of the payload, encrypted.
    sealed bytea,
    dedupe_key text,
    correlation_id text,
    scheduled_for timestamptz not null,
    expires_at timestamptz,
    max_attempts integer not null,
    timeout_ms bigint not null,
    on_lost text not null check (on_lost in ('retry', 'hold')),
    created_by text not null,
    queued_at timestamptz not null
);
create index job_org_ix on job (org_id, id);

create table ready (
    lane_id uuid not null,
    priority integer not null,
    due_at timestamptz not null,
    job_id uuid not null,
    fence integer not null,
    primary key (lane_id, priority, due_at, job_id)
);
create unique index ready_job_uq on ready (job_id);

create table waiting (
    job_id uuid primary key,
    lane_id uuid not null,
    priority integer not null,
    due_at timestamptz not null,
    fence integer not null,
    reason text not null check (reason in ('later', 'retry_backoff'))
);
create index waiting_lane_ix on waiting (lane_id, due_at);
create index waiting_due_ix on waiting (due_at);

create table lease (
    job_id uuid primary key,
    run_id uuid not null,
    holder_id uuid not null,
    epoch bigint not null,
    fence integer not null,
    org_id uuid not null,
    lane_id uuid not null,
    definition_id uuid not null,
    priority integer not null,
    started_at timestamptz not null,
    pid integer,
    -- Set while the holder is disconnected and only the holder can report the outcome of the run.
    held_at timestamptz,
    cancel_at timestamptz,
    cancel_reason text,
    -- The ids of the limits that this run counts towards.
    counted text
);

create table run (
    job_id uuid not null,
    no integer not null,
    id uuid not null,
    org_id uuid not null,
    holder_id uuid not null,
    status text not null check (status in ('succeeded', 'failed', 'timeout', 'canceled', 'lost', 'crashed', 'not_started')),
    started_at timestamptz not null,
    finished_at timestamptz not null,
    pid integer,
    exit_code integer,
    signal integer,
    error_text text,
    stdout_tail text,
    stderr_tail text,
    output jsonb,
    primary key (job_id, no)
);
create index run_holder_ix on run (holder_id, finished_at);

create table outcome (
    job_id uuid not null,
    fence integer not null,
    org_id uuid not null,
    status text not null check (status in ('succeeded', 'failed', 'dead_letter', 'canceled')),
    reason text,
    finished_at timestamptz not null,
    primary key (job_id, fence)
);
create index outcome_status_ix on outcome (org_id, status, job_id);

-- Redrives: outcomes of a job up to this fence no longer count.
create table redrive (
    job_id uuid not null,
    fence integer not null,
    payload jsonb,
    sealed bytea,
    created_by text not null,
    created_at timestamptz not null,
    primary key (job_id, fence)
);

-- Jobs with an expiry time; the row is deleted when the job ends or expires.
create table expiry (
    expires_at timestamptz not null,
    job_id uuid not null,
    primary key (expires_at, job_id)
);

-- Reports with a fence or a session that is no longer current: kept as evidence, never applied.
create table stale_report (
    id uuid primary key,
    org_id uuid not null,
    job_id uuid not null,
    fence integer not null,
    holder_id uuid not null,
    epoch bigint not null,
    body jsonb not null,
    at timestamptz not null
);
create index stale_report_job_ix on stale_report (job_id);
create index stale_report_at_ix on stale_report (at);

-- The job that holds a dedupe key: while it is queued or running, and at least until the window ends.
create table dedupe (
    org_id uuid not null,
    key text not null,
    job_id uuid not null,
    until_at timestamptz not null,
    primary key (org_id, key)
);
create index dedupe_until_ix on dedupe (until_at);

-- Responses already sent, by the caller's idempotency key.
create table idempotency (
    org_id uuid not null,
    key text not null,
    request_hash bytea not null,
    answer jsonb not null,
    expires_at timestamptz not null,
    primary key (org_id, key)
);
create index idempotency_expires_ix on idempotency (expires_at);

-- A configured limit and its current use. Without a limit there is no row, and so no lock.
create table quota (
    id uuid primary key,
    -- The organization, or zeros for a limit over all organizations.
    org_id uuid not null,
    kind text not null check (kind in ('org', 'definition', 'definition_on_host', 'key')),
    subject text not null,
    host_id uuid not null,
    max_running integer,
    jobs_per_minute integer,
    running integer not null,
    recent text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint quota_subject_uq unique (org_id, kind, subject, host_id)
);

create table pause (
    org_id uuid not null references org (id) on delete cascade,
    kind text not null check (kind in ('org', 'definition', 'queue', 'key')),
    subject text not null,
    note text not null,
    until_at timestamptz,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, kind, subject)
);

-- Changes of the counts by status, to be summed; a loop folds them into fewer rows.
create table tally (
    id uuid primary key,
    org_id uuid not null,
    queued bigint not null,
    running bigint not null,
    succeeded bigint not null,
    failed bigint not null,
    dead_letter bigint not null,
    canceled bigint not null,
    retried bigint not null,
    created bigint not null
);
create index tally_org_ix on tally (org_id);

-- Events. Numbered after the commit, by one transaction at a time, so that a reader that has read number n has read all
-- lower numbers.
create table event (
    id uuid primary key,
    org_id uuid not null,
    seq bigint,
    name text not null,
    at timestamptz not null,
    -- JSON as text: the database never queries it, and parsing it for every row would cost more than writing it.
    items text not null
);
create unique index event_seq_uq on event (seq) where seq is not null;
create index event_org_ix on event (org_id, seq) where seq is not null;
create index event_new_ix on event (id) where seq is null;

create table event_head (
    id integer primary key check (id = 1),
    seq bigint not null
);

-- Output of runs, in chunks as received.
create table log_chunk (
    run_id uuid not null,
    first_line bigint not null,
    lines integer not null,
    bytes integer not null,
    body bytea not null,
    at timestamptz not null,
    primary key (run_id, first_line)
);

create table secret (
    org_id uuid not null references org (id) on delete cascade,
    name text not null,
    sealed bytea not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, name)
);

-- Removed organizations whose jobs are not yet deleted.
create table org_purge (
    org_id uuid primary key,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- Bulk actions on the jobs that match a filter, processed by a loop from the newest job to the oldest.
create table batch (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    action text not null check (action in ('cancel', 'retry', 'move')),
    filter text not null,
    options jsonb not null,
    status text not null check (status in ('running', 'done', 'stopped')),
    -- Jobs with this id or a greater one are processed.
    before_id uuid not null,
    looked_at bigint not null,
    matched bigint not null,
    done bigint not null,
    failed bigint not null,
    -- The first failures, each with its reason.
    failures jsonb not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    finished_at timestamptz
);
create index batch_org_ix on batch (org_id, id);
create index batch_running_ix on batch (updated_at) where status = 'running';

-- Programs that claim jobs over HTTP.
create table worker (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    token_id uuid not null,
    worker_id text not null,
    hostname text not null,
    version text not null,
    queues jsonb not null,
    metadata jsonb not null,
    last_seen_at timestamptz not null,
    -- Request id and time of the last claim: a repeated request gets the same jobs again.
    last_request text,
    last_request_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint worker_worker_id_uq unique (org_id, token_id, worker_id)
);
create index worker_seen_ix on worker (last_seen_at);

-- The queues that each host serves, as sent by its runner in its hello.
create table host_queue (
    host_id uuid not null references host (id) on delete cascade,
    queue text not null,
    primary key (host_id, queue)
);

-- On a runner: accepted runs that the hub has not yet released.
create table journal (
    run_id uuid primary key,
    job_id uuid not null,
    fence integer not null,
    state text not null check (state in ('accepted', 'starting', 'ended')),
    boot_id text not null,
    grant_body jsonb not null,
    accepted_at timestamptz not null
);

-- On a runner: results to send to the hub, deleted only by acknowledged number.
create table outbox (
    seq bigint primary key,
    run_id uuid not null,
    body jsonb not null,
    at timestamptz not null
);

-- The last number of the outbox: a number is never reused, even after all are acknowledged and the clock is set back.
create table outbox_head (
    id integer primary key check (id = 1),
    seq bigint not null
);

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

alter table ready set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table lease set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table waiting set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table tally set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
