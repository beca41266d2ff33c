-- Servers: long-running processes, each on one host (ADR 13).

-- Whether its runner can run servers of this hub, as sent in its last hello.
alter table host add column has_servers boolean not null default false;

create table server (
    id uuid primary key,
    -- No foreign key: a host runs servers of its hub's organizations, whose rows it does not have.
    org_id uuid not null,
    host_id uuid not null,
    name text not null,
    -- Incremented by every change of the settings.
    version integer not null,
    body jsonb not null,
    -- The state, as reported by its host.
    life jsonb not null,
    state text not null check (state in ('stopped', 'starting', 'running', 'stopping', 'waiting', 'crash_loop', 'failed')),
    state_reason text not null,
    state_at timestamptz not null,
    run_id uuid,
    run_no integer not null,
    pid integer,
    started_at timestamptz,
    -- Boot id of the machine when the process started.
    boot_id text not null,
    -- The host it moves to once its current host has released it, and whether to start it there.
    next_host uuid,
    starts_there boolean not null,
    -- On a hub: the host that owns this copy. On a host: the hub that owns the server.
    origin uuid,
    hub_id uuid,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
);
create unique index server_org_id_name_uq on server (org_id, name)
    where deleted_at is null and origin is null and hub_id is null;
create index server_org_ix on server (org_id, id);
create index server_host_ix on server (host_id, id);
create index server_moving_ix on server (id) where next_host is not null;

-- Runs of servers; a run without an end is in progress.
create table server_run (
    server_id uuid not null,
    no integer not null,
    id uuid not null,
    org_id uuid not null,
    host_id uuid not null,
    status text not null check (status in ('running', 'succeeded', 'failed', 'timeout', 'canceled', 'lost', 'crashed', 'not_started')),
    started_at timestamptz not null,
    ready_at timestamptz,
    finished_at timestamptz,
    pid integer,
    exit_code integer,
    signal integer,
    is_oom boolean not null,
    error_text text,
    -- On the host: the position up to which the output was read.
    log_position jsonb,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (server_id, no)
);
create index server_run_id_ix on server_run (id);

-- Orders to servers; they expire soon.
create table server_order (
    id uuid primary key,
    org_id uuid not null,
    server_id uuid not null,
    host_id uuid not null,
    kind text not null check (kind in ('kill', 'input')),
    body text not null,
    created_by text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    answered_at timestamptz,
    -- Null = executed.
    error text
);
create index server_order_open_ix on server_order (host_id) where answered_at is null;
create index server_order_expires_ix on server_order (expires_at);
