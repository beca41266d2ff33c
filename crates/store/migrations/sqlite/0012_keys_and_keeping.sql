-- Requests under a caller's own key. What was asked and what was answered lie encrypted.
create table request_key (
    -- The org the request is about, or zeros.
    org_id blob not null,
    caller text not null,
    key text not null,
    sealed_request blob not null,
    -- Empty while the request is under way, and for good if nobody knows how it ended.
    status integer,
    content_type text,
    -- Empty also if the answer was too long to be kept.
    sealed_answer blob,
    expires_at integer not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (org_id, caller, key)
) strict;
create index request_key_expires_ix on request_key (expires_at);

-- How long an org keeps its jobs, by how they ended; none = as the hub does.
alter table org add column keep_succeeded_ms integer;
alter table org add column keep_failed_ms integer;
alter table org add column keep_dead_letter_ms integer;
alter table org add column keep_canceled_ms integer;
