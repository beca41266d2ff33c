-- Foundation: hub identity, organizations, users, hosts, audit log.
-- Tables are singular. Unique constraints are named <table>_<columns>_uq, because code matches on these names.

-- The hub's key pair: one row, shared by all hubs on this database, so that runners can pin its public key.
create table hub_identity (
    id integer primary key check (id = 1),
    private_key bytea not null,
    public_key bytea not null,
    certificate text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- One row: since when at least one hub has been running without a break.
create table hub_watch (
    id integer primary key check (id = 1),
    since_at timestamptz not null,
    seen_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table org (
    id uuid primary key,
    slug text not null constraint org_slug_uq unique,
    name text not null,
    timezone text not null,
    offline_after_ms bigint not null,
    alert_after_ms bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table "user" (
    id uuid primary key,
    email text not null constraint user_email_uq unique,
    name text not null,
    password_hash text,
    is_super boolean not null,
    is_disabled boolean not null,
    authz_version bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table member (
    org_id uuid not null references org (id) on delete cascade,
    user_id uuid not null references "user" (id) on delete cascade,
    role text not null check (role in ('viewer', 'operator', 'admin')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, user_id)
);
create index member_user_ix on member (user_id);

create table invitation (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    email text not null,
    role text not null check (role in ('viewer', 'operator', 'admin')),
    secret_hash bytea not null constraint invitation_secret_hash_uq unique,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index invitation_org_ix on invitation (org_id, id);

create table token (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    user_id uuid not null references "user" (id) on delete cascade,
    -- The token that created this one: this one expires no later, and is revoked with it.
    parent_id uuid,
    name text not null,
    hint text not null,
    secret_hash bytea not null constraint token_secret_hash_uq unique,
    role text not null check (role in ('viewer', 'operator', 'admin', 'super_admin')),
    scope text not null check (scope in ('api', 'read', 'worker')),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index token_org_ix on token (org_id, id);
create index token_user_ix on token (user_id);
create index token_parent_ix on token (parent_id);

create table browser_session (
    id uuid primary key,
    user_id uuid not null references "user" (id) on delete cascade,
    secret_hash bytea not null constraint browser_session_secret_hash_uq unique,
    address text not null,
    expires_at timestamptz not null,
    last_seen_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index browser_session_user_ix on browser_session (user_id);
create index browser_session_expires_ix on browser_session (expires_at);

create table login_link (
    id uuid primary key,
    user_id uuid not null references "user" (id) on delete cascade,
    secret_hash bytea not null constraint login_link_secret_hash_uq unique,
    expires_at timestamptz not null,
    used_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index login_link_expires_ix on login_link (expires_at);

create table device_login (
    id uuid primary key,
    secret_hash bytea not null constraint device_login_secret_hash_uq unique,
    user_code text not null constraint device_login_user_code_uq unique,
    client text not null,
    address text not null,
    state text not null check (state in ('pending', 'approved', 'refused', 'done')),
    user_id uuid references "user" (id) on delete cascade,
    org_id uuid references org (id) on delete cascade,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index device_login_expires_ix on device_login (expires_at);

create table join_token (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    hint text not null,
    secret_hash bytea not null constraint join_token_secret_hash_uq unique,
    labels jsonb not null,
    always_on boolean,
    uses integer not null,
    used integer not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index join_token_org_ix on join_token (org_id, id);

create table host (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    name text not null,
    is_named_by_person boolean not null,
    labels jsonb not null,
    always_on boolean not null,
    machine jsonb not null,
    max_running integer,
    jobs_per_minute integer,
    offline_after_ms bigint,
    alert_after_ms bigint,
    is_paused boolean not null,
    pause_note text not null,
    pause_until timestamptz,
    is_degraded boolean not null,
    degrade_note text not null,
    degrade_until timestamptz,
    key_version integer not null,
    key_version_wanted integer,
    revoked_at timestamptz,
    join_token_id uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint host_org_id_name_uq unique (org_id, name)
);

create table host_key (
    host_id uuid not null references host (id) on delete cascade,
    version integer not null,
    public_key bytea not null constraint host_key_public_key_uq unique,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (host_id, version)
);

-- One row per host: its current or last session. A table of its own, because every heartbeat updates it.
create table host_session (
    host_id uuid primary key references host (id) on delete cascade,
    epoch bigint not null,
    hub_id uuid not null,
    token_hash bytea not null constraint host_session_token_hash_uq unique,
    incarnation text not null,
    boot_id text not null,
    runner_version text not null,
    address text not null,
    connected_at timestamptz not null,
    heartbeat_at timestamptz not null,
    closed_at timestamptz,
    goodbye text,
    duplicate_at timestamptz,
    clock_skew_ms bigint,
    metrics jsonb,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table audit (
    id uuid primary key,
    org_id uuid,
    at timestamptz not null,
    actor_kind text not null,
    actor_id text,
    actor_name text not null,
    address text,
    action text not null,
    subject_kind text not null,
    subject_id text,
    subject_name text,
    diff text not null,
    request_id text,
    number bigint,
    link bytea
);
create index audit_org_ix on audit (org_id, id);
create unique index audit_chain_uq on audit (org_id, number) where number is not null;
create index audit_unsealed_ix on audit (id) where number is null;

-- The head of each organization's chain; `chain_id` is the organization, or zeros for the installation.
create table audit_head (
    chain_id uuid primary key,
    number bigint not null,
    link bytea not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- Failed attempts, counted per key and minute instead of stored one by one.
create table refusal (
    guess text not null,
    key text not null,
    minute_at timestamptz not null,
    count integer not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (guess, key, minute_at)
);
create index refusal_minute_ix on refusal (minute_at);
