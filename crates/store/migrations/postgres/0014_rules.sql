-- A version that changes with every setting that decides whether a host may start a job (limits, pauses, slots, shares,
-- active definitions). A hub that has cached these settings compares this one row instead of reading them again.
create table rules (
    id integer primary key check (id = 1),
    version bigint not null
);
insert into rules (id, version) values (1, 1);

-- Increments once per transaction and as its last step, so that the row lock is held only for the commit.
create function rules_changed() returns trigger language plpgsql as $$
begin
    update rules set version = version + 1 where id = 1 and xmin <> pg_current_xact_id()::xid;
    return null;
end $$;

-- Updates of a limit's counters are left out: they change all the time, and only the existence of a limit matters.
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
