-- The position of this hub's log that each host has confirmed: lower marks can be deleted.
create table sync_told (
    host_id uuid primary key references host (id) on delete cascade,
    hseq bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
