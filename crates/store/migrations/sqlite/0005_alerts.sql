-- Alerts, channels, notices and mute windows.

create table alert (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    kind text not null,
    subject_kind text not null,
    subject_id text not null,
    subject_name text not null,
    host_id blob,
    severity text not null check (severity in ('info', 'warning', 'critical')),
    status text not null check (status in ('pending', 'open', 'acked', 'resolved')),
    text text not null,
    since_at integer not null,
    raised_at integer,
    -- When the alert was first notified, and when last reminded.
    told_at integer,
    reminded_at integer,
    clear_since_at integer,
    flaps integer not null,
    acked_at integer,
    acked_by text,
    note text,
    snoozed_until integer,
    resolved_at integer,
    resolved_reason text,
    created_at integer not null,
    updated_at integer not null
) strict;
create unique index alert_org_id_kind_subject_id_uq on alert (org_id, kind, subject_id) where status <> 'resolved';
create index alert_org_ix on alert (org_id, id);
create index alert_flap_ix on alert (org_id, kind, subject_id, raised_at) where raised_at is not null;

create table alert_rule (
    org_id blob not null references org (id) on delete cascade,
    kind text not null,
    body text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (org_id, kind)
) strict;

-- Mute windows: times in which alerts are raised without notifications.
create table quiet_window (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    label text not null,
    body text not null,
    ends_at integer,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null
) strict;
create index quiet_window_org_ix on quiet_window (org_id, id);

create table channel (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    name text not null,
    kind text not null,
    -- The settings without secrets, and all settings encrypted.
    shown text not null,
    sealed blob not null,
    -- Which alerts are sent, when, how often, and with which template.
    body text not null,
    is_enabled integer not null,
    last_ok_at integer,
    last_error text,
    last_error_at integer,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null
) strict;
create unique index channel_org_id_name_uq on channel (org_id, name);

-- Notifications, inserted in the transaction of their alerts. Alerts of one kind share a notice until it is sent.
create table notice (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    channel_id blob not null references channel (id) on delete cascade,
    kind text not null,
    state text not null,
    severity text not null,
    -- The first alerts; `count` is the number of all.
    items text not null,
    count integer not null,
    status text not null check (status in ('due', 'sent', 'failed', 'dropped')),
    due_at integer not null,
    tries integer not null,
    last_error text,
    sent_at integer,
    created_at integer not null,
    updated_at integer not null
) strict;
create index notice_due_ix on notice (due_at) where status = 'due';
create index notice_org_ix on notice (org_id, id);

-- Outages of hosts, for their timelines.
create table host_gap (
    host_id blob not null references host (id) on delete cascade,
    from_at integer not null,
    kind text not null check (kind in ('offline', 'asleep', 'suspended', 'hub_away')),
    until_at integer,
    note text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (host_id, from_at, kind)
) strict;

-- Checks of programs that send pings.
create table ping (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    label text not null,
    secret_hash blob not null,
    body text not null,
    started_at integer,
    -- Times of the last success ping and of the last ping.
    succeeded_at integer,
    said_at integer,
    said text,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null
) strict;
create unique index ping_secret_hash_uq on ping (secret_hash);
create index ping_org_ix on ping (org_id, id);

create table ping_said (
    id blob primary key,
    ping_id blob not null references ping (id) on delete cascade,
    at integer not null,
    word text not null,
    rid text,
    exit_code integer,
    address text not null,
    body text not null
) strict;
create index ping_said_ix on ping_said (ping_id, id);

-- Hooks: addresses at which other systems send events, each with its own signing secret.
create table hook (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    name text not null,
    scheme text not null check (scheme in ('standard', 'github')),
    event_name text not null,
    sealed blob not null,
    is_enabled integer not null,
    last_ok_at integer,
    last_error text,
    last_error_at integer,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null
) strict;
create unique index hook_org_id_name_uq on hook (org_id, name);

-- Ids of accepted messages, so that none is accepted twice.
create table hook_seen (
    hook_id blob not null references hook (id) on delete cascade,
    message_id text not null,
    at integer not null,
    primary key (hook_id, message_id)
) strict;
create index hook_seen_at_ix on hook_seen (at);
