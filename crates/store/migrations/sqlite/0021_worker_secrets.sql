-- The only queues, and the keys of the only definitions, that a token of scope `worker` may claim from. A token without a
-- row cannot claim.
create table worker_token (
    token_id blob primary key references token (id) on delete cascade,
    queues text not null,
    -- Null for all definitions.
    definitions text,
    created_at integer not null,
    updated_at integer not null
) strict;

-- Encrypted values that a worker received for a run over HTTP, to mask them in its reports. Deleted when the run ends.
create table worker_secret (
    job_id blob not null,
    fence integer not null,
    org_id blob not null references org (id) on delete cascade,
    sealed blob not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (job_id, fence)
) strict;
create index worker_secret_created_ix on worker_secret (created_at);

-- Minute of the last audit row about secrets that a worker received.
alter table worker add column secrets_audited_at integer;
