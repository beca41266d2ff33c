-- A number that changes with everything that decides whether a host may begin with a job, beside what waits and what runs:
-- limits, pauses, places, shares, switches. Who has looked at all of it need look at one row to know that it still is so.
create table rules (
    id integer primary key check (id = 1),
    version bigint not null
);
insert into rules (id, version) values (1, 1);

-- Once in a transaction, and as its last deed: nobody waits for this row longer than a commit takes.
create function rules_changed() returns trigger language plpgsql as $$
begin
    update rules set version = version + 1 where id = 1 and xmin <> pg_current_xact_id()::xid;
    return null;
end $$;

-- What limits count changes all the time; that there are any is what matters.
create constraint trigger rules_quota after insert or delete on quota
    deferrable initially deferred for each row execute function rules_changed();
create constraint trigger rules_pause after insert or update or delete on pause
    deferrable initially deferred for each row execute function rules_changed();
create constraint trigger rules_host_share after insert or update or delete on host_share
    deferrable initially deferred for each row execute function rules_changed();
create constraint trigger rules_host after update of max_running, jobs_per_minute, is_paused, pause_until on host
    deferrable initially deferred for each row
    when ((old.max_running, old.jobs_per_minute, old.is_paused, old.pause_until)
        is distinct from (new.max_running, new.jobs_per_minute, new.is_paused, new.pause_until))
    execute function rules_changed();
create constraint trigger rules_definition after update of is_active, key on definition
    deferrable initially deferred for each row
    when ((old.is_active, old.key) is distinct from (new.is_active, new.key))
    execute function rules_changed();
