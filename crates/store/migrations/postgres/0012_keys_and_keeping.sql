-- Requests with an idempotency key. Request and response are encrypted.
create table request_key (
    -- The organization that the request is about, or zeros.
    org_id uuid not null,
    caller text not null,
    key text not null,
    sealed_request bytea not null,
    -- Null while the request runs, and forever if its outcome is unknown.
    status integer,
    content_type text,
    -- Null also if the response was too long to keep.
    sealed_answer bytea,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, caller, key)
);
create index request_key_expires_ix on request_key (expires_at);

-- How long an organization keeps finished jobs, by status; null = the hub's setting.
alter table org add column keep_succeeded_ms bigint;
alter table org add column keep_failed_ms bigint;
alter table org add column keep_dead_letter_ms bigint;
alter table org add column keep_canceled_ms bigint;
