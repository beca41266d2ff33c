-- Requests under a caller's own key. What was asked and what was answered lie encrypted.
create table request_key (
    -- The org the request is about, or zeros.
    org_id uuid not null,
    caller text not null,
    key text not null,
    sealed_request bytea not null,
    -- Empty while the request is under way, and for good if nobody knows how it ended.
    status integer,
    content_type text,
    -- Empty also if the answer was too long to be kept.
    sealed_answer bytea,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, caller, key)
);
create index request_key_expires_ix on request_key (expires_at);

-- How long an org keeps its jobs, by how they ended; none = as the hub does.
alter table org add column keep_succeeded_ms bigint;
alter table org add column keep_failed_ms bigint;
alter table org add column keep_dead_letter_ms bigint;
alter table org add column keep_canceled_ms bigint;
