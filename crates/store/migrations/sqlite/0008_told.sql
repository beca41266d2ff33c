-- The position of this hub's log that each host has confirmed: lower marks can be deleted.
create table sync_told (
    host_id blob primary key references host (id) on delete cascade,
    hseq integer not null,
    created_at integer not null,
    updated_at integer not null
) strict, without rowid;
