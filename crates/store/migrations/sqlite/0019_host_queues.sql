-- Queues that a host may serve. Its runner offers queues (host_queue); the host serves those in both lists.
alter table host add column queues text not null default '["default"]';
alter table join_token add column queues text not null default '["default"]';
-- Hosts keep the queues that their runners have registered.
update host
set queues = (select json_group_array(q.queue) from host_queue q where q.host_id = host.id)
where exists (select 1 from host_queue q where q.host_id = host.id);

-- Ids of removed hosts. An id can be used again only by the same machine (its key) in the same organization.
create table removed_host (
    host_id blob primary key,
    org_id blob not null,
    -- Null for hosts that were removed before this table existed.
    public_key blob,
    -- Set if its key was revoked before the removal.
    revoked_at integer,
    created_at integer not null,
    updated_at integer not null
) strict;
insert into removed_host (host_id, org_id, created_at, updated_at)
select c.origin, c.org_id, max(c.updated_at), max(c.updated_at) from sync_cursor c
where not exists (select 1 from host h where h.id = c.origin)
group by c.origin;
