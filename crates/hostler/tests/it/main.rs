//! Integration tests of the `hostler` binary: processes, files and sockets, on both databases.

mod alerts;
mod backup;
mod bad_input;
mod cli;
mod compositions;
mod departure;
mod host_schedules;
mod hub;
mod hub_and_runner;
mod isolation;
mod link;
mod man_in_the_middle;
mod many_runners;
mod outages;
mod pooler;
mod promotion;
mod request_log;
mod restic;
mod secrets;
mod servers;
mod several_hubs;
mod sleep;
mod terminal;
mod triggers;
mod trust;
mod worker_example;
