//! Runs with real processes and the shim binary.
#![cfg(target_os = "linux")]

mod adoption;
mod catalogue;
mod ends;
mod fixture;
mod killed;
mod output;
mod progress;
mod secrets;
mod standalone;
mod stops;
