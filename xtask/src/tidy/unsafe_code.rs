//! Unsafe code: only in the places that ARCHITECTURE.md names.

use std::{collections::BTreeSet, fs};

use regex::Regex;

use super::sources;
use crate::root;

/// The places in which unsafe code is allowed: folders and files below `crates`.
const PLACES: [&str; 2] = ["shim/src/process/", "hostler/src/memory.rs"];

#[test]
fn unsafe_code_is_only_where_architecture_says() {
    let found = Regex::new(r"\bunsafe\s*(\{|fn\b|impl\b|extern\b)").expect("a valid pattern");
    let mut places = BTreeSet::new();
    let mut calls_of_memory = 0;
    for source in sources().iter().filter(|source| !source.path.starts_with("xtask/")) {
        let lines = source.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let count: usize = lines.map(|line| found.find_iter(line).count()).sum();
        if count == 0 {
            continue;
        }
        let path = source.path.trim_start_matches("crates/");
        let place = PLACES.into_iter().find(|place| path.starts_with(place));
        places.insert(place.unwrap_or_else(|| panic!("{} has unsafe code", source.path)));
        if path == PLACES[1] {
            calls_of_memory += count;
        }
    }
    assert_eq!(places.len(), PLACES.len(), "a place without unsafe code: {places:?}");
    assert_eq!(calls_of_memory, 3);
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("exists");
    let row = "| `unsafe` outside of `shim/process` and `hostler/src/memory.rs` (three calls that return memory) |";
    assert!(text.contains(row), "ARCHITECTURE.md must name the places: {row}");
}
