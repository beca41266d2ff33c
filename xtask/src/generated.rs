//! Generated files that are checked in.

/// Each generated file with its content.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    vec![
        ("docs/openapi.json", hub::http::openapi::text()),
        ("docs/errors/README.md", error_index()),
        ("docs/states.md", crate::states::page()),
    ]
}

/// The index of all error codes.
fn error_index() -> String {
    let mut text = String::from(
        "# Errors\n\nEvery error has a stable code and a page. `hostler help CODE` prints it; the hub serves it at `/docs/errors/CODE`.\n\n| Code | HTTP | Exit | What happened |\n|---|---|---|---|\n",
    );
    for code in proto::Code::ALL {
        text.push_str(&format!("| [{code}]({code}.md) | {} | {} | {} |\n", code.status(), code.exit(), code.title()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_current() {
        for (path, expected) in files() {
            let found = std::fs::read_to_string(crate::root().join(path)).unwrap_or_default();
            assert!(found == expected, "{path} is not current; run: make gen");
        }
    }
}
