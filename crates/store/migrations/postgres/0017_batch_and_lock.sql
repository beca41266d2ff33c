-- Hubs no longer cache the settings that this version counted: each claim reads them under the lock of its holder.
drop trigger config_version_quota on quota;
drop trigger config_version_pause on pause;
drop trigger config_version_host_share on host_share;
drop trigger config_version_host on host;
drop trigger config_version_definition on definition;
drop function config_version_changed();
drop table config_version;
