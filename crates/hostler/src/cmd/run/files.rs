//! Reading definitions and triggers from TOML, YAML and JSON files, with one or several in each file.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::fail::{Failure, Result};

/// Options of commands that read files
#[derive(Args)]
pub(crate) struct FilesArgs {
    /// TOML, YAML or JSON file, or a folder of such files; repeat for several
    #[arg(short = 'f', long = "file", required = true, value_name = "PATH")]
    files: Vec<PathBuf>,
}

/// Reads all items from the files and folders, each with its file. `kind` is the key of a list of items in one file.
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
        let hint = "files must end with .toml, .yaml, .yml or .json";
        return Err(Failure::usage(format!("no {kind} found in these files")).hint(hint));
    }
    Ok(found)
}

fn is_readable(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|e| ["toml", "yaml", "yml", "json"].contains(&e))
}

/// Reads one item or a list of items, at the top level or under the key of its kind.
fn read_file(path: &Path, kind: &str) -> Result<Vec<(PathBuf, Value)>> {
    let invalid = |error: &dyn std::fmt::Display| Failure::usage(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| invalid(&error))?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let value: Value = match extension {
        "json" => serde_json::from_str(&text).map_err(|error| invalid(&error))?,
        "yaml" | "yml" => serde_yaml_ng::from_str(&text).map_err(|error| invalid(&error))?,
        _ => toml::from_str(&text).map_err(|error| invalid(&error))?,
    };
    let items = domain::definition::listed(value, kind).map_err(|error| invalid(&error.detail))?;
    Ok(items.into_iter().map(|item| (path.to_owned(), item)).collect())
}
