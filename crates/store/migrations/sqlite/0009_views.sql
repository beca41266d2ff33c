-- Saved views of a page: its filter, order and columns, as the query string of its address.
create table saved_view (
    id blob primary key,
    org_id blob not null references org (id) on delete cascade,
    user_id blob not null references "user" (id) on delete cascade,
    page text not null check (page in ('jobs', 'hosts', 'servers', 'triggers', 'alerts', 'events')),
    name text not null,
    query text not null,
    visibility text not null check (visibility in ('private', 'org')),
    created_at integer not null,
    updated_at integer not null
) strict, without rowid;
create index saved_view_org_ix on saved_view (org_id, page, name);
create index saved_view_user_ix on saved_view (user_id);

-- Measurements by one hub: a row per hour of a host, server or organization, with a line per minute.
create table sample (
    subject_id blob not null,
    hour_at integer not null,
    hub_id blob not null,
    lines text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (subject_id, hour_at, hub_id)
) strict, without rowid;
create index sample_hour_ix on sample (hour_at);
