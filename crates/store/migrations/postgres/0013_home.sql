-- Promotions of hubs per organization: the highest known number, and whether this hub was promoted with it.
create table home (
    org_id uuid primary key references org (id) on delete cascade,
    number bigint not null,
    is_ours boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
