-- Alerts, channels, notices and mute windows.

create table alert (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    kind text not null,
    subject_kind text not null,
    subject_id text not null,
    subject_name text not null,
    host_id uuid,
    severity text not null check (severity in ('info', 'warning', 'critical')),
    status text not null check (status in ('pending', 'open', 'acked', 'resolved')),
    text text not null,
    since_at timestamptz not null,
    raised_at timestamptz,
    -- When the alert was first notified, and when last reminded.
    told_at timestamptz,
    reminded_at timestamptz,
    clear_since_at timestamptz,
    flaps integer not null,
    acked_at timestamptz,
    acked_by text,
    note text,
    snoozed_until timestamptz,
    resolved_at timestamptz,
    resolved_reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create unique index alert_org_id_kind_subject_id_uq on alert (org_id, kind, subject_id) where status <> 'resolved';
create index alert_org_ix on alert (org_id, id);
create index alert_flap_ix on alert (org_id, kind, subject_id, raised_at) where raised_at is not null;

create table alert_rule (
    org_id uuid not null references org (id) on delete cascade,
    kind text not null,
    body jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, kind)
);

-- Mute windows: times in which alerts are raised without notifications.
create table quiet_window (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    label text not null,
    body jsonb not null,
    ends_at timestamptz,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index quiet_window_org_ix on quiet_window (org_id, id);

create table channel (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    name text not null,
    kind text not null,
    -- The settings without secrets, and all settings encrypted.
    shown jsonb not null,
    sealed bytea not null,
    -- Which alerts are sent, when, how often, and with which template.
    body jsonb not null,
    is_enabled boolean not null,
    last_ok_at timestamptz,
    last_error text,
    last_error_at timestamptz,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create unique index channel_org_id_name_uq on channel (org_id, name);

-- Notifications, inserted in the transaction of their alerts. Alerts of one kind share a notice until it is sent.
create table notice (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    channel_id uuid not null references channel (id) on delete cascade,
    kind text not null,
    state text not null,
    severity text not null,
    -- The first alerts; `count` is the number of all.
    items jsonb not null,
    count integer not null,
    status text not null check (status in ('due', 'sent', 'failed', 'dropped')),
    due_at timestamptz not null,
    tries integer not null,
    last_error text,
    sent_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index notice_due_ix on notice (due_at) where status = 'due';
create index notice_org_ix on notice (org_id, id);

-- Outages of hosts, for their timelines.
create table host_gap (
    host_id uuid not null references host (id) on delete cascade,
    from_at timestamptz not null,
    kind text not null check (kind in ('offline', 'asleep', 'suspended', 'hub_away')),
    until_at timestamptz,
    note text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (host_id, from_at, kind)
);

-- Checks of programs that send pings.
create table ping (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    label text not null,
    secret_hash bytea not null,
    body jsonb not null,
    started_at timestamptz,
    -- Times of the last success ping and of the last ping.
    succeeded_at timestamptz,
    said_at timestamptz,
    said text,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create unique index ping_secret_hash_uq on ping (secret_hash);
create index ping_org_ix on ping (org_id, id);

create table ping_said (
    id uuid primary key,
    ping_id uuid not null references ping (id) on delete cascade,
    at timestamptz not null,
    word text not null,
    rid text,
    exit_code integer,
    address text not null,
    body text not null
);
create index ping_said_ix on ping_said (ping_id, id);

-- Hooks: addresses at which other systems send events, each with its own signing secret.
create table hook (
    id uuid primary key,
    org_id uuid not null references org (id) on delete cascade,
    name text not null,
    scheme text not null check (scheme in ('standard', 'github')),
    event_name text not null,
    sealed bytea not null,
    is_enabled boolean not null,
    last_ok_at timestamptz,
    last_error text,
    last_error_at timestamptz,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create unique index hook_org_id_name_uq on hook (org_id, name);

-- Ids of accepted messages, so that none is accepted twice.
create table hook_seen (
    hook_id uuid not null references hook (id) on delete cascade,
    message_id text not null,
    at timestamptz not null,
    primary key (hook_id, message_id)
);
create index hook_seen_at_ix on hook_seen (at);
