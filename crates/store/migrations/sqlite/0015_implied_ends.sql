-- A succeeded run implies that its job succeeded: such a job has no row in `outcome`.
create index run_succeeded_ix on run (org_id, job_id) where status = 'succeeded';

-- The current state of each job, with its last ended run. Of the run and the outcome, the one with the higher fence
-- counts; at equal fences, `outcome` counts. Neither counts after a later redrive.
drop view job_now;
create view job_now as
select j.id, j.org_id, j.definition_id, j.definition_version, j.source, j.source_ref, j.priority as asked_priority,
    coalesce(d.payload, j.payload) as payload, j.dedupe_key, j.correlation_id, j.scheduled_for, j.expires_at,
    j.max_attempts, j.timeout_ms, j.on_lost, j.created_by, j.queued_at,
    coalesce(l.lane_id, w.lane_id, q.lane_id, j.lane_id) as lane_id,
    coalesce(l.priority, w.priority, q.priority, j.priority) as priority,
    case
        when m.job_id is not null then m.status
        when l.job_id is not null and l.held_at is null then 'running'
        when l.job_id is not null then 'queued'
        when r.status = 'succeeded' and r.no > coalesce(o.fence, 0) and r.no > coalesce(d.fence, 0) then 'succeeded'
        when o.fence > coalesce(d.fence, -1) then o.status
        else 'queued'
    end as status,
    case
        when m.job_id is not null then m.reason
        when l.held_at is not null then 'held'
        when l.job_id is null then w.reason
    end as parked_reason,
    coalesce(w.due_at, l.held_at, m.until_at) as parked_until,
    case
        when m.job_id is not null or l.job_id is not null then null
        when r.status = 'succeeded' and r.no > coalesce(o.fence, 0) then null
        when o.fence > coalesce(d.fence, -1) then o.reason
    end as end_reason,
    case
        when m.job_id is not null or l.job_id is not null then null
        when r.status = 'succeeded' and r.no > coalesce(o.fence, 0) and r.no > coalesce(d.fence, 0) then r.finished_at
        when o.fence > coalesce(d.fence, -1) then o.finished_at
    end as finished_at,
    coalesce(l.run_id, m.run_id) as run_id,
    case when m.run_id is not null then m.host_id else l.holder_id end as holder_id,
    case when m.run_id is not null then 0 else l.epoch end as epoch,
    coalesce(l.started_at, m.started_at) as lease_started_at, coalesce(l.pid, m.pid) as pid, l.cancel_at,
    coalesce(m.fence, l.fence, w.fence, q.fence, case when r.status = 'succeeded' and r.no > coalesce(o.fence, 0) then r.no end,
        o.fence, 0) as fence,
    coalesce(d.fence, 0) as redriven_at_fence,
    j.origin, r.no as last_no, r.status as last_status, r.holder_id as last_holder_id, r.started_at as last_started_at,
    r.finished_at as last_finished_at, r.exit_code as last_exit_code, r.error_text as last_error_text, r.id as last_id
from job j
left join lease l on l.job_id = j.id
left join waiting w on w.job_id = j.id
left join ready q on q.job_id = j.id
left join mirror_job m on m.job_id = j.id
left join outcome o on o.job_id = j.id and o.fence = (select max(x.fence) from outcome x where x.job_id = j.id)
left join run r on r.job_id = j.id and r.no = (select max(x.no) from run x where x.job_id = j.id)
left join redrive d on d.job_id = j.id and d.fence = (select max(x.fence) from redrive x where x.job_id = j.id);
