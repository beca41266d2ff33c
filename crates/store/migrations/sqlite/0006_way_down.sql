-- What a hub tells its hosts: the schedules that fire there, and what they run (ADR 12).

-- Whether its runner can fire schedules by itself, as it said when it last linked.
alter table host add column has_desk integer not null default 0;
-- The hub it came from, on a host; null = made here.
alter table definition add column hub_id blob;
-- The host that decided it; null = decided here.
alter table fire add column origin blob;
-- Up to here the host has decided by itself, before it gave the trigger back.
alter table trigger_host add column settled_at integer;

-- The hub's log: what each host is to have, by the number of its last change. A row that changes moves forward.
create table sync_log (
    only_host blob not null,
    tbl text not null,
    id blob not null,
    hseq integer not null,
    is_deleted integer not null,
    -- The hub has decided everything up to here.
    from_at integer not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (only_host, tbl, id)
) strict, without rowid;
create unique index sync_log_hseq_uq on sync_log (hseq);
create index sync_log_host_ix on sync_log (only_host, hseq);
create index sync_log_id_ix on sync_log (id);

-- The host's side: which entry of a hub's log it has last taken of each row.
create table sync_held (
    hub_id blob not null,
    tbl text not null,
    id blob not null,
    epoch integer not null,
    hseq integer not null,
    -- Whether the hub is telling everything anew and has not come to it yet.
    is_doubted integer not null,
    primary key (hub_id, tbl, id)
) strict, without rowid;

-- Schedules that were meant for hosts before there was a way to them are looked at once more.
update trigger set next_fire_at = settled_at
where next_fire_at is null and deleted_at is null and origin is null and trigger_type = 'schedule';
