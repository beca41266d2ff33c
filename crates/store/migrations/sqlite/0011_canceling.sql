-- What is to be canceled is asked for all the time and is mostly nothing: found without looking at all that runs.
create index lease_cancel_ix on lease (job_id) where cancel_at is not null;
