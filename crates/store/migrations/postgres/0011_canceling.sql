-- Runs to cancel are queried all the time and there are mostly none: this index avoids a scan of all leases.
create index lease_cancel_ix on lease (job_id) where cancel_at is not null;
