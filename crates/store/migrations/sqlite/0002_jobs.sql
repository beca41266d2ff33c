-- Jobs: definitions, the queue, runs, logs, events, and what a runner keeps of its own.
--
-- The hot path writes no row twice: `job` is what was asked, `ready` and `lease` are thin rows that exist only while
-- a job is claimable or running, `run` and `outcome` are appended when something ends. No foreign keys there: they
-- would lock the org's row in every insert.

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

-- A queue in order: the jobs of one org, target, definition and free limit key ('' = none).
create table lane (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    target_kind text not null check (target_kind in ('host', 'queue', 'selector')),
    target text not null,
    -- The host, where that is the target.
    host_id blob,
    definition_id blob not null references definition (id) on delete cascade,
    limit_key text not null,
    -- Last asked for; a lane nobody has used for long and that is empty is removed.
    touched_at integer not null,
    created_at integer not null,
    updated_at integer not null,
    constraint lane_target_uq unique (org_id, target_kind, target, definition_id, limit_key)
) strict;
create index lane_host_ix on lane (host_id) where host_id is not null;

-- Which lanes a host serves. Rewritten when labels, queues, shares or lanes change.
create table host_lane (
    host_id blob not null references host (id) on delete cascade,
    lane_id blob not null references lane (id) on delete cascade,
    primary key (host_id, lane_id)
) strict, without rowid;
create index host_lane_lane_ix on host_lane (lane_id);

-- A host in the pool of other orgs.
create table host_share (
    host_id blob not null references host (id) on delete cascade,
    org_id blob not null references org (id) on delete cascade,
    created_at integer not null,
    updated_at integer not null,
    primary key (host_id, org_id)
) strict;
create index host_share_org_ix on host_share (org_id);

-- What each org has used of a shared host, in worker-milliseconds, as far as it counts against the others there.
create table host_usage (
    host_id blob not null references host (id) on delete cascade,
    org_id blob not null references org (id) on delete cascade,
    used_ms real not null,
    cost_ms real not null,
    is_waiting integer not null,
    primary key (host_id, org_id)
) strict;

-- Whoever can hold leases. Apart from its session, so that heartbeats and claims do not wait for each other.
create table holder (
    id blob primary key,
    epoch integer not null,
    running integer not null,
    recent text not null,
    -- How its last runs ended, a mark each.
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
    -- Values of the payload that are shown to nobody, encrypted.
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
    -- Set while the holder is away and only it can say what became of the run.
    held_at integer,
    cancel_at integer,
    cancel_reason text,
    -- The limits this run counts against, by id.
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

-- A finished job put back: outcomes up to this fence are history.
create table redrive (
    job_id blob not null,
    fence integer not null,
    payload text,
    sealed blob,
    created_by text not null,
    created_at integer not null,
    primary key (job_id, fence)
) strict, without rowid;

-- Jobs that are not worth beginning after a time; removed with the job's end or its expiry.
create table expiry (
    expires_at integer not null,
    job_id blob not null,
    primary key (expires_at, job_id)
) strict, without rowid;

-- Reports that named a fence or a session no longer in force: evidence, never applied.
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

-- Who holds a dedupe key: its job while that is not over, and anyway until the window ends.
create table dedupe (
    org_id blob not null,
    key text not null,
    job_id blob not null,
    until_at integer not null,
    primary key (org_id, key)
) strict, without rowid;
create index dedupe_until_ix on dedupe (until_at);

-- Answers already given, by the caller's own key.
create table idempotency (
    org_id blob not null,
    key text not null,
    request_hash blob not null,
    answer text not null,
    expires_at integer not null,
    primary key (org_id, key)
) strict;
create index idempotency_expires_ix on idempotency (expires_at);

-- A configured limit and how much of it is used. No limit, no row, no lock.
create table quota (
    id blob primary key,
    -- The org, or zeros for what is limited over all orgs.
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

-- Counts by status as changes to be added up; a loop folds them.
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

-- What happened, for whoever listens. Numbered after the commit by one loop at a time: a reader that has seen
-- number n has seen all before it.
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

-- Lines of a run's output, in chunks as they arrived.
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

-- Orgs that were removed and whose jobs have yet to be forgotten.
create table org_purge (
    org_id blob primary key,
    created_at integer not null,
    updated_at integer not null
) strict;

-- A bulk action on the jobs that fit a filter, worked off by a loop from the newest to the oldest.
create table batch (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    action text not null check (action in ('cancel', 'retry', 'move')),
    filter text not null,
    options text not null,
    status text not null check (status in ('running', 'done', 'stopped')),
    -- Jobs from this one on have been looked at.
    before_id blob not null,
    looked_at integer not null,
    matched integer not null,
    done integer not null,
    failed integer not null,
    -- The first that failed, each with its reason.
    failures text not null,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    finished_at integer
) strict;
create index batch_org_ix on batch (org_id, id);
create index batch_running_ix on batch (updated_at) where status = 'running';

-- A program in another language that claims jobs over plain HTTP.
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
    -- The last claim and when it was: the same request gets the same again.
    last_request text,
    last_request_at integer,
    created_at integer not null,
    updated_at integer not null,
    constraint worker_worker_id_uq unique (org_id, token_id, worker_id)
) strict;
create index worker_seen_ix on worker (last_seen_at);

-- Which queues a host serves, as its runner says in its hello.
create table host_queue (
    host_id blob not null references host (id) on delete cascade,
    queue text not null,
    primary key (host_id, queue)
) strict;

-- A runner's own: what it accepted and has not yet been told to forget.
create table journal (
    run_id blob primary key,
    job_id blob not null,
    fence integer not null,
    state text not null check (state in ('accepted', 'starting', 'ended')),
    boot_id text not null,
    grant_body text not null,
    accepted_at integer not null
) strict;

-- A runner's own: results on their way to the hub, deleted only by acknowledged number.
create table outbox (
    seq integer primary key,
    run_id blob not null,
    body text not null,
    at integer not null
) strict;

-- The last number of the outbox: a number never comes back, also when all is acknowledged and the clock steps back.
create table outbox_head (
    id integer primary key check (id = 1),
    seq integer not null
) strict;

-- Where a job stands now. One view serves all reads.
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

