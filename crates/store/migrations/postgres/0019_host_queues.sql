-- Queues that a host may serve. Its runner offers queues (host_queue); the host serves those in both lists.
alter table host add column queues jsonb not null default '["default"]';
alter table join_token add column queues jsonb not null default '["default"]';
-- Hosts keep the queues that their runners have registered.
update host
set queues = (select jsonb_agg(q.queue order by q.queue) from host_queue q where q.host_id = host.id)
where exists (select 1 from host_queue q where q.host_id = host.id);

-- Ids of removed hosts. An id can be used again only by the same machine (its key) in the same organization.
create table removed_host (
    host_id uuid primary key,
    org_id uuid not null,
    -- Null for hosts that were removed before this table existed.
    public_key bytea,
    -- Set if its key was revoked before the removal.
    revoked_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
insert into removed_host (host_id, org_id, created_at, updated_at)
select distinct on (c.origin) c.origin, c.org_id, c.updated_at, c.updated_at from sync_cursor c
where not exists (select 1 from host h where h.id = c.origin)
order by c.origin, c.updated_at desc;
