-- Triggers and what became of each of their times.

create table trigger (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    version integer not null,
    label text not null,
    -- As its owner wants it.
    body jsonb not null,
    trigger_type text not null check (trigger_type in ('event', 'schedule')),
    event_name text,
    -- Everything up to here is decided.
    settled_at timestamptz not null,
    -- The next time that is to be decided here; null = none, or it is decided elsewhere.
    next_fire_at timestamptz,
    -- Since when it has been on: times before do not count against it.
    enabled_at timestamptz not null,
    -- The host whose own it is; null = of this database.
    origin uuid,
    -- The hub it came from, on a host; null = made here.
    hub_id uuid,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
);
create index trigger_due_ix on trigger (next_fire_at) where next_fire_at is not null;
create index trigger_event_ix on trigger (org_id, event_name) where event_name is not null and deleted_at is null;
create index trigger_org_ix on trigger (org_id, id);

-- A trigger on one of its hosts. The ordinal is the host's number within the trigger and part of the key of its fires.
create table trigger_host (
    trigger_id uuid not null references trigger (id) on delete cascade,
    host_id uuid not null,
    org_id uuid not null,
    ordinal integer not null,
    succeeded_at timestamptz,
    -- The session of the host for which it is decided whether to catch up.
    judged_epoch bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (trigger_id, host_id)
);
create unique index trigger_host_trigger_id_ordinal_uq on trigger_host (trigger_id, ordinal);
create index trigger_host_host_ix on trigger_host (host_id);

-- One row for each nominal time and host: written with its job, so that there is never a second.
create table fire (
    trigger_id uuid not null,
    nominal_at timestamptz not null,
    ordinal integer not null,
    org_id uuid not null,
    host_id uuid,
    status text not null check (status in ('fired', 'caught_up', 'missed', 'asleep', 'skipped', 'failed')),
    reason text not null,
    job_id uuid,
    -- How many times the row stands for: old ones share one.
    stands_for integer not null,
    at timestamptz not null,
    -- How its job ended, kept beyond the job.
    ended_status text,
    ended_at timestamptz,
    primary key (trigger_id, nominal_at, ordinal)
);
create index fire_open_ix on fire (trigger_id) where job_id is not null and ended_at is null;
create index fire_host_ix on fire (host_id, nominal_at) where host_id is not null;
create index fire_job_ix on fire (job_id) where job_id is not null;
create index fire_at_ix on fire (at);

-- Events that were matched with triggers when they came; the others are matched by a loop.
alter table event add column is_matched boolean not null default false;

-- How far loops have come that read events in order.
create table reader (
    name text primary key,
    seq bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
