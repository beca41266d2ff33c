-- Rows that are replicated between runners and hubs (ADR 10).

-- The host that owns this copy; null = owned by this hub.
alter table job add column origin uuid;
-- Address of the host's primary hub, if that is another hub; this hub is then a mirror.
alter table host add column home text;
alter table definition add column origin uuid;

-- State of queued and running jobs of hosts in standalone mode.
create table mirror_job (
    job_id uuid primary key,
    host_id uuid not null,
    status text not null check (status in ('queued', 'running')),
    fence integer not null,
    reason text,
    until_at timestamptz,
    run_id uuid,
    started_at timestamptz,
    pid integer
);

-- Output of hosts' own runs. The host is part of the key, so that no host can overwrite the output of another.
create table mirror_log (
    run_id uuid not null,
    origin uuid not null,
    first_line bigint not null,
    lines integer not null,
    bytes integer not null,
    body bytea not null,
    at timestamptz not null,
    primary key (run_id, origin, first_line)
);

drop view job_now;
create view job_now as
select j.id, j.org_id, j.definition_id, j.definition_version, j.source, j.source_ref, j.priority as asked_priority,
    coalesce(d.payload, j.payload) as payload, j.dedupe_key, j.correlation_id, j.scheduled_for, j.expires_at,
    j.max_attempts, j.timeout_ms, j.on_lost, j.created_by, j.queued_at,
    coalesce(l.lane_id, w.lane_id, q.lane_id, j.lane_id) as lane_id,
    coalesce(l.priority, w.priority, q.priority, j.priority) as priority,
    case
        when m.job_id is not null then m.status
        when l.job_id is not null and l.held_at is null then 'running'
        when l.job_id is null and o.fence is not null and (d.fence is null or d.fence < o.fence) then o.status
        else 'queued'
    end as status,
    case
        when m.job_id is not null then m.reason
        when l.held_at is not null then 'held'
        when l.job_id is null then w.reason
    end as parked_reason,
    coalesce(w.due_at, l.held_at, m.until_at) as parked_until,
    case when m.job_id is null and l.job_id is null and (d.fence is null or d.fence < o.fence) then o.reason end as end_reason,
    case when m.job_id is null and l.job_id is null and (d.fence is null or d.fence < o.fence) then o.finished_at end as finished_at,
    coalesce(l.run_id, m.run_id) as run_id,
    case when m.run_id is not null then m.host_id else l.holder_id end as holder_id,
    case when m.run_id is not null then 0 else l.epoch end as epoch,
    coalesce(l.started_at, m.started_at) as lease_started_at, coalesce(l.pid, m.pid) as pid, l.cancel_at,
    coalesce(m.fence, l.fence, w.fence, q.fence, o.fence, 0) as fence,
    coalesce(d.fence, 0) as redriven_at_fence,
    j.origin
from job j
left join lease l on l.job_id = j.id
left join waiting w on w.job_id = j.id
left join ready q on q.job_id = j.id
left join mirror_job m on m.job_id = j.id
left join outcome o on o.job_id = j.id and o.fence = (select max(x.fence) from outcome x where x.job_id = j.id)
left join redrive d on d.job_id = j.id and d.fence = (select max(x.fence) from redrive x where x.job_id = j.id);

-- The hub that the run is for. Rows from before several hubs were supported belong to the first one.
alter table journal add column source text not null default '';
alter table outbox add column source text not null default '';
create index outbox_source_ix on outbox (source, seq);

-- Results that a hub has confirmed. A hub that was restored from a backup may request them again, or grant the same run
-- again: a finished run is not started a second time.
create table done (
    source text not null,
    job_id uuid not null,
    fence integer not null,
    body jsonb not null,
    at timestamptz not null,
    primary key (source, job_id, fence)
);
create index done_at_ix on done (source, at);

-- On the runner: its own rows, by the sequence number of their last change.
create table sync_origin (
    id integer primary key check (id = 1),
    epoch bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table sync_lane (
    lane text primary key check (lane in ('control', 'bulk')),
    head bigint not null,
    floor bigint not null
);

create table sync_own (
    tbl text not null,
    id text not null,
    lane text not null,
    seq bigint not null,
    is_deleted boolean not null,
    primary key (tbl, id)
);
create unique index sync_own_seq_uq on sync_own (lane, seq);

create table sync_mark (
    lane text not null,
    seq bigint not null,
    mark bigint not null,
    primary key (lane, seq)
);

-- The position of these rows that each hub has confirmed.
create table sync_confirmed (
    hub_id uuid not null,
    lane text not null,
    epoch bigint not null,
    seq bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (hub_id, lane)
);

-- The position up to which each hub's log was received.
create table sync_received (
    hub_id uuid primary key,
    number bigint not null,
    epoch_id bigint not null,
    hseq bigint not null,
    mark bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- On the hub: the epoch of its log.
create table sync_hub (
    id integer primary key check (id = 1),
    number bigint not null,
    epoch_id bigint not null,
    hseq bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table sync_hub_mark (
    hseq bigint primary key,
    mark bigint not null
);

-- On the hub: the position up to which each host's rows are stored.
create table sync_cursor (
    origin uuid not null,
    lane text not null,
    org_id uuid not null,
    epoch bigint not null,
    seq bigint not null,
    mark bigint not null,
    head_epoch bigint not null,
    head_seq bigint not null,
    head_mark bigint not null,
    resetting_over bigint,
    error text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (origin, lane)
);

-- Positions of a host that other hosts have reported.
create table sync_heard (
    origin uuid not null,
    lane text not null,
    epoch bigint not null,
    seq bigint not null,
    mark bigint not null,
    primary key (origin, lane, epoch, seq, mark)
);

-- The version of each stored row.
create table sync_row (
    origin uuid not null,
    tbl text not null,
    id text not null,
    epoch bigint not null,
    seq bigint not null,
    mark bigint not null,
    is_deleted boolean not null,
    -- Whether its host is resending all rows and has not resent this one yet.
    is_doubted boolean not null,
    -- Its number in this hub's log, and its content, if it is replicated to other hosts.
    hseq bigint,
    body jsonb,
    -- Columns sent by a newer version of the program.
    extra jsonb,
    primary key (origin, tbl, id)
);
create unique index sync_row_hseq_uq on sync_row (hseq) where hseq is not null;
create index sync_row_doubted_ix on sync_row (origin, tbl) where is_doubted;

-- Rows that could not be applied.
create table sync_parked (
    origin uuid not null,
    tbl text not null,
    id text not null,
    org_id uuid not null,
    epoch bigint not null,
    seq bigint not null,
    mark bigint not null,
    is_deleted boolean not null,
    error text not null,
    body jsonb not null,
    at timestamptz not null,
    primary key (origin, tbl, id)
);
create index sync_parked_org_ix on sync_parked (org_id, at);
