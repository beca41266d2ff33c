//! Runs with real processes and the real shim.
#![cfg(target_os = "linux")]

mod adoption;
mod ends;
mod fixture;
mod killed;
mod output;
mod stops;
