-- How far each host has confirmed this hub's log: marks below are needed by nobody.
create table sync_told (
    host_id blob primary key references host (id) on delete cascade,
    hseq integer not null,
    created_at integer not null,
    updated_at integer not null
) strict, without rowid;
