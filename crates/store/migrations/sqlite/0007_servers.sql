-- Servers: long-running processes, each on one host (ADR 13).

-- Whether its runner can run servers of this hub, as sent in its last hello.
alter table host add column has_servers integer not null default 0;

create table server (
    id blob primary key,
    -- No foreign key: a host runs servers of its hub's organizations, whose rows it does not have.
    org_id blob not null,
    host_id blob not null,
    name text not null,
    -- Incremented by every change of the settings.
    version integer not null,
    body text not null,
    -- The state, as reported by its host.
    life text not null,
    state text not null check (state in ('stopped', 'starting', 'running', 'stopping', 'waiting', 'crash_loop', 'failed')),
    state_reason text not null,
    state_at integer not null,
    run_id blob,
    run_no integer not null,
    pid integer,
    started_at integer,
    -- Boot id of the machine when the process started.
    boot_id text not null,
    -- The host it moves to once its current host has released it, and whether to start it there.
    next_host blob,
    starts_there integer not null,
    -- On a hub: the host that owns this copy. On a host: the hub that owns the server.
    origin blob,
    hub_id blob,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    deleted_at integer
) strict;
create unique index server_org_id_name_uq on server (org_id, name)
    where deleted_at is null and origin is null and hub_id is null;
create index server_org_ix on server (org_id, id);
create index server_host_ix on server (host_id, id);
create index server_moving_ix on server (id) where next_host is not null;

-- Runs of servers; a run without an end is in progress.
create table server_run (
    server_id blob not null,
    no integer not null,
    id blob not null,
    org_id blob not null,
    host_id blob not null,
    status text not null check (status in ('running', 'succeeded', 'failed', 'timeout', 'canceled', 'lost', 'crashed', 'not_started')),
    started_at integer not null,
    ready_at integer,
    finished_at integer,
    pid integer,
    exit_code integer,
    signal integer,
    is_oom integer not null,
    error_text text,
    -- On the host: the position up to which the output was read.
    log_position text,
    created_at integer not null,
    updated_at integer not null,
    primary key (server_id, no)
) strict;
create index server_run_id_ix on server_run (id);

-- Orders to servers; they expire soon.
create table server_order (
    id blob primary key,
    org_id blob not null,
    server_id blob not null,
    host_id blob not null,
    kind text not null check (kind in ('kill', 'input')),
    body text not null,
    created_by text not null,
    created_at integer not null,
    expires_at integer not null,
    answered_at integer,
    -- Null = executed.
    error text
) strict;
create index server_order_open_ix on server_order (host_id) where answered_at is null;
create index server_order_expires_ix on server_order (expires_at);
