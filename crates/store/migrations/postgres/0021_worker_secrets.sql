-- The only queues, and the keys of the only definitions, that a token of scope `worker` may claim from. A token without a
-- row cannot claim.
create table worker_token (
    token_id uuid primary key references token (id) on delete cascade,
    queues jsonb not null,
    -- Null for all definitions.
    definitions jsonb,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- Encrypted values that a worker received for a run over HTTP, to mask them in its reports. Deleted when the run ends.
create table worker_secret (
    job_id uuid not null,
    fence integer not null,
    org_id uuid not null references org (id) on delete cascade,
    sealed bytea not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (job_id, fence)
);
create index worker_secret_created_ix on worker_secret (created_at);

-- Minute of the last audit row about secrets that a worker received.
alter table worker add column secrets_audited_at timestamptz;
