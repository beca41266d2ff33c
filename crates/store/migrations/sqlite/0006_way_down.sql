-- Replication from a hub to its hosts: the schedules that fire there, and their definitions (ADR 12).

-- Whether its runner can fire schedules in standalone mode, as sent in its last hello.
alter table host add column has_desk integer not null default 0;
-- On a host: the hub that owns this definition; null = created here.
alter table definition add column hub_id blob;
-- The host that decided this fire; null = decided here.
alter table fire add column origin blob;
-- The host decided all nominal times up to this one before it gave the trigger back.
alter table trigger_host add column settled_at integer;

-- The hub's log: the rows each host must have, by the number of their last change. A changed row moves to a new number.
create table sync_log (
    only_host blob not null,
    tbl text not null,
    id blob not null,
    hseq integer not null,
    is_deleted integer not null,
    -- The hub has decided all nominal times up to this one.
    from_at integer not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (only_host, tbl, id)
) strict, without rowid;
create unique index sync_log_hseq_uq on sync_log (hseq);
create index sync_log_host_ix on sync_log (only_host, hseq);
create index sync_log_id_ix on sync_log (id);

-- On the host: the log entry that was last applied for each row of a hub.
create table sync_held (
    hub_id blob not null,
    tbl text not null,
    id blob not null,
    epoch integer not null,
    hseq integer not null,
    -- Whether the hub is resending all rows and has not resent this one yet.
    is_doubted integer not null,
    primary key (hub_id, tbl, id)
) strict, without rowid;

-- Schedules for hosts that had no next time, because hosts could not fire schedules before, become due again.
update trigger set next_fire_at = settled_at
where next_fire_at is null and deleted_at is null and origin is null and trigger_type = 'schedule';
