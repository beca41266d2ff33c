-- Triggers, and the outcome of each of their nominal times.

create table trigger (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    version integer not null,
    label text not null,
    -- The settings, as JSON.
    body text not null,
    trigger_type text not null check (trigger_type in ('event', 'schedule')),
    event_name text,
    -- All nominal times up to this one are decided.
    settled_at integer not null,
    -- The next nominal time to decide on this database; null = none, or another machine decides it.
    next_fire_at integer,
    -- When it was last enabled: earlier times do not count as missed.
    enabled_at integer not null,
    -- The host that owns this copy; null = owned by this database.
    origin blob,
    -- On a host: the hub that owns this trigger; null = created here.
    hub_id blob,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    deleted_at integer
) strict;
create index trigger_due_ix on trigger (next_fire_at) where next_fire_at is not null;
create index trigger_event_ix on trigger (org_id, event_name) where event_name is not null and deleted_at is null;
create index trigger_org_ix on trigger (org_id, id);

-- State of triggers per host. The ordinal is the host's number within the trigger, and part of the key of fires.
create table trigger_host (
    trigger_id blob not null references trigger (id) on delete cascade,
    host_id blob not null,
    org_id blob not null,
    ordinal integer not null,
    succeeded_at integer,
    -- The session of the host for which catch-up was decided.
    judged_epoch integer not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (trigger_id, host_id)
) strict;
create unique index trigger_host_trigger_id_ordinal_uq on trigger_host (trigger_id, ordinal);
create index trigger_host_host_ix on trigger_host (host_id);

-- One row per nominal time and host. It is inserted with its job in one transaction, so no time gets a second job.
create table fire (
    trigger_id blob not null,
    nominal_at integer not null,
    ordinal integer not null,
    org_id blob not null,
    host_id blob,
    status text not null check (status in ('fired', 'caught_up', 'missed', 'asleep', 'skipped', 'failed')),
    reason text not null,
    job_id blob,
    -- Number of nominal times that the row covers: old ones share a row.
    stands_for integer not null,
    at integer not null,
    -- How its job ended. Kept after the job is deleted.
    ended_status text,
    ended_at integer,
    primary key (trigger_id, nominal_at, ordinal)
) strict;
create index fire_open_ix on fire (trigger_id) where job_id is not null and ended_at is null;
create index fire_host_ix on fire (host_id, nominal_at) where host_id is not null;
create index fire_job_ix on fire (job_id) where job_id is not null;
create index fire_at_ix on fire (at);

-- Events that were matched with triggers when inserted; a loop matches the others.
alter table event add column is_matched integer not null default 0;

-- Positions of loops that read events in order.
create table reader (
    name text primary key,
    seq integer not null,
    created_at integer not null,
    updated_at integer not null
) strict;
