-- How far each host has confirmed this hub's log: marks below are needed by nobody.
create table sync_told (
    host_id uuid primary key references host (id) on delete cascade,
    hseq bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
