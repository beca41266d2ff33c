//! Things in files: TOML, YAML or JSON, one or many in each, alone or in folders.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::fail::{Failure, Result};

/// Files and folders
#[derive(Args)]
pub(crate) struct FilesArgs {
    /// A file in TOML, YAML or JSON, or a folder of them
    #[arg(short = 'f', long = "file", required = true, value_name = "PATH")]
    files: Vec<PathBuf>,
}

/// What files and folders hold, with the file each is from. `kind` is the table that lists several in one file.
pub(crate) fn read(args: &FilesArgs, kind: &str) -> Result<Vec<(PathBuf, Value)>> {
    let mut found = Vec::new();
    for path in &args.files {
        let unreadable =
            |error: &std::io::Error| Failure::usage(format!("cannot read {}", path.display())).because(error);
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|error| unreadable(&error))?;
            let mut files: Vec<PathBuf> =
                entries.flatten().map(|entry| entry.path()).filter(|path| is_readable(path)).collect();
            files.sort();
            for file in files {
                found.extend(read_file(&file, kind)?);
            }
        } else {
            found.extend(read_file(path, kind)?);
        }
    }
    if found.is_empty() {
        let hint = "write *.toml, *.yaml or *.json";
        return Err(Failure::usage(format!("there is no {kind} in these files")).hint(hint));
    }
    Ok(found)
}

fn is_readable(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|e| ["toml", "yaml", "yml", "json"].contains(&e))
}

/// One thing, or a list of them: as it is or under its kind.
fn read_file(path: &Path, kind: &str) -> Result<Vec<(PathBuf, Value)>> {
    let wrong = |error: &dyn std::fmt::Display| Failure::usage(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let value: Value = match extension {
        "json" => serde_json::from_str(&text).map_err(|error| wrong(&error))?,
        "yaml" | "yml" => serde_yaml_ng::from_str(&text).map_err(|error| wrong(&error))?,
        _ => toml::from_str(&text).map_err(|error| wrong(&error))?,
    };
    let all = domain::definition::listed(value, kind).map_err(|error| wrong(&error.detail))?;
    Ok(all.into_iter().map(|one| (path.to_owned(), one)).collect())
}
