-- Promotions of hubs per organization: the highest known number, and whether this hub was promoted with it.
create table home (
    org_id blob primary key references org (id) on delete cascade,
    number integer not null,
    is_ours integer not null,
    created_at integer not null,
    updated_at integer not null
) strict, without rowid;
