-- Inserts a million jobs of one week, most of them succeeded, into a SQLite database with one job and a thousand hosts.
-- Used by the test of lists at scale and by `make bench-ui`.
insert into job with recursive c (n) as (select 1 union all select n + 1 from c where n < 1000000)
select unhex(printf('%012x', (o.at / 1000) - (1000000 - n) * 604) || hex(randomblob(10))), o.org_id, o.definition_id, 1,
    o.lane_id, case n % 4 when 0 then 'schedule' when 1 then 'event' else 'manual' end, null, 100, '{}', null, null, null,
    o.at - (1000000 - n) * 604000, null, 3, 60000, 'retry', case n % 3 when 0 then 'ana' else 'bo' end,
    o.at - (1000000 - n) * 604000, null
from c cross join (select org_id, definition_id, lane_id, queued_at as at from job limit 1) o;
insert into run (job_id, no, id, org_id, holder_id, status, started_at, finished_at)
select j.id, 1, j.id, j.org_id, h.id, case when j.n % 100 = 0 then 'failed' when j.n % 500 = 7 then 'canceled' else 'succeeded' end,
    j.queued_at, j.queued_at + 2000000
from (select id, org_id, queued_at, row_number() over (order by id) as n from job) j
join (select id, row_number() over (order by id) - 1 as n from host) h on h.n = j.n % 1000 where j.n <= 990000;
insert into outcome (job_id, fence, org_id, status, reason, finished_at)
select job_id, 1, org_id, case when status = 'failed' and no_ % 10 = 0 then 'dead_letter' else status end, null, finished_at
from (select job_id, org_id, status, finished_at, row_number() over (order by job_id) as no_ from run where status <> 'succeeded');
insert into ready (lane_id, priority, due_at, job_id, fence)
select lane_id, priority, queued_at, id, 0 from job j where not exists (select 1 from run o where o.job_id = j.id)
    and not exists (select 1 from ready r where r.job_id = j.id);
insert into event with recursive c (n) as (select 1 union all select n + 1 from c where n < 100000)
select randomblob(16), (select org_id from job limit 1), 1000000 + n, 'job.created', (select max(queued_at) from job), '[]', 0 from c;
insert into tally (id, org_id, queued, running, succeeded, failed, dead_letter, canceled, retried, created)
select randomblob(16), org_id, 10000, 0, 980000, 9000, 1000, 0, 0, 1000000 from job limit 1;
-- The next event gets a number above these: listeners wait for greater numbers.
insert into event_head (id, seq) select 1, max(seq) from event where true on conflict (id) do update set seq = excluded.seq;
