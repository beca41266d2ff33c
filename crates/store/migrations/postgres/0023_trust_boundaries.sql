-- Data of hosts that the hub has rejected: one row per host and reason.
create table host_rejection (
    host_id uuid not null references host (id) on delete cascade,
    reason text not null,
    org_id uuid not null,
    count bigint not null,
    -- The last case, for people.
    detail text not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    -- When a person resolved the alert about it.
    cleared_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (host_id, reason)
);
create index host_rejection_last_ix on host_rejection (last_at);

-- Positions of hosts that other hosts have reported. They were accepted from any host of any org.
delete from sync_witness;

-- Output that a host has sent, per day.
create table host_log_day (
    host_id uuid not null references host (id) on delete cascade,
    day_at timestamptz not null,
    bytes bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (host_id, day_at)
);
create index host_log_day_ix on host_log_day (day_at);

-- The hub's signature of the epoch of its log, which the host presents again.
alter table sync_received add column ticket bytea;

-- On a runner: rows that a hub has rejected.
create table sync_refused (
    hub_id uuid not null,
    tbl text not null,
    id text not null,
    error text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (hub_id, tbl, id)
);
