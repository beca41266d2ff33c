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
drop index refusal_minute_ix;
create index failed_attempt_minute_ix on failed_attempt (minute_at);

alter table quiet_window rename to mute_window;
drop index quiet_window_org_ix;
create index mute_window_org_ix on mute_window (org_id, id);

alter table ping_said rename to ping_report;
drop index ping_said_ix;
create index ping_report_ix on ping_report (ping_id, id);

alter table host rename column home to primary_hub;
alter table host rename column has_desk to has_standalone;

-- The runner's own hub, as the source of a run and of its results.
update journal set source = 'standalone' where source = 'desk';
update outbox set source = 'standalone' where source = 'desk';
update done set source = 'standalone' where source = 'desk';

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
