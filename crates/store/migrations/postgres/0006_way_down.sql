-- Replication from a hub to its hosts: the schedules that fire there, and their definitions (ADR 12).

-- Whether its runner can fire schedules in standalone mode, as sent in its last hello.
alter table host add column has_desk boolean not null default false;
-- On a host: the hub that owns this definition; null = created here.
alter table definition add column hub_id uuid;
-- The host that decided this fire; null = decided here.
alter table fire add column origin uuid;
-- The host decided all nominal times up to this one before it gave the trigger back.
alter table trigger_host add column settled_at timestamptz;

-- The hub's log: the rows each host must have, by the number of their last change. A changed row moves to a new number.
create table sync_log (
    only_host uuid not null,
    tbl text not null,
    id uuid not null,
    hseq bigint not null,
    is_deleted boolean not null,
    -- The hub has decided all nominal times up to this one.
    from_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (only_host, tbl, id)
);
create unique index sync_log_hseq_uq on sync_log (hseq);
create index sync_log_host_ix on sync_log (only_host, hseq);
create index sync_log_id_ix on sync_log (id);

-- On the host: the log entry that was last applied for each row of a hub.
create table sync_held (
    hub_id uuid not null,
    tbl text not null,
    id uuid not null,
    epoch bigint not null,
    hseq bigint not null,
    -- Whether the hub is resending all rows and has not resent this one yet.
    is_doubted boolean not null,
    primary key (hub_id, tbl, id)
);

-- Schedules for hosts that had no next time, because hosts could not fire schedules before, become due again.
update trigger set next_fire_at = settled_at
where next_fire_at is null and deleted_at is null and origin is null and trigger_type = 'schedule';
