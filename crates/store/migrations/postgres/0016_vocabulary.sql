-- Names that the documentation uses: primary hub, replicated rows, outage, mute window, failed attempt, heartbeat.
alter table mirror_job rename to replicated_job;
alter table mirror_log rename to replicated_log;
alter table sync_told rename to sync_acked;
alter table sync_held rename to sync_host_copy;
alter table sync_heard rename to sync_witness;
alter table home rename to primary_hub;
alter table host_gap rename to host_outage;
alter table hub_watch rename to hub_heartbeat;

alter table refusal rename to failed_attempt;
alter index refusal_minute_ix rename to failed_attempt_minute_ix;

alter table quiet_window rename to mute_window;
alter index quiet_window_org_ix rename to mute_window_org_ix;

alter table ping_said rename to ping_report;
alter index ping_said_ix rename to ping_report_ix;

alter table host rename column home to primary_hub;
alter table host rename column has_desk to has_standalone;

-- The runner's own hub, as the source of a run and of its results.
update journal set source = 'standalone' where source = 'desk';
update outbox set source = 'standalone' where source = 'desk';
update done set source = 'standalone' where source = 'desk';

-- The version of all scheduling settings. A function's body names its table as text, so both are replaced.
alter table rules rename to config_version;
alter function rules_changed() rename to config_version_changed;
create or replace function config_version_changed() returns trigger language plpgsql as $$
begin
    update config_version set version = version + 1 where id = 1 and xmin <> pg_current_xact_id()::xid;
    return null;
end $$;
alter trigger rules_quota on quota rename to config_version_quota;
alter trigger rules_pause on pause rename to config_version_pause;
alter trigger rules_host_share on host_share rename to config_version_host_share;
alter trigger rules_host on host rename to config_version_host;
alter trigger rules_definition on definition rename to config_version_definition;

alter table alert rename column told_at to notified_at;
alter table batch rename column looked_at to examined;
alter table ping rename column said_at to reported_at;
alter table ping rename column said to last_word;

-- Replication: `lane` is a word of the queue; rows have a sync priority.
alter table sync_lane rename to sync_priority;
alter table sync_priority rename column lane to priority;
alter table sync_own rename column lane to priority;
alter table sync_mark rename column lane to priority;
alter table sync_confirmed rename column lane to priority;
alter table sync_cursor rename column lane to priority;
alter table sync_witness rename column lane to priority;

-- The replicated table of outages.
update sync_own set tbl = 'outage' where tbl = 'gap';
update sync_row set tbl = 'outage' where tbl = 'gap';
update sync_parked set tbl = 'outage' where tbl = 'gap';
