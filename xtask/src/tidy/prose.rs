//! Sentences in comments, documents and texts that lack their noun: "what was put off", "whoever asks", "is told".
//!
//! The patterns are those that this project's comments used ten times as often as the comments of tokio, axum, hyper,
//! rustls, sqlx, rusqlite, reqwest and jiff do. A line that is right as it stands is listed in `prose-allowed.txt`.

use std::{collections::BTreeSet, process::Command};

use regex::Regex;

use crate::root;

struct Patterns {
    comment: Regex,
    text: Regex,
    vague_start: Regex,
    what: Regex,
    rest: Regex,
    asked: Regex,
}

impl Patterns {
    fn new() -> Self {
        let pattern = |text: &str| Regex::new(text).expect("a valid pattern");
        Self {
            comment: pattern(r"^\s*(?://|/\*|\*|--|#)|//[/!]? "),
            text: pattern(r#"["`][^"`]*[a-z]{2,} [a-z]{2,}[^"`]*["`]"#),
            vague_start: pattern(
                r"(?i)^\s*(?://[/!]|/\*\*|--|#)\s*(?:What|Who|Whose|Whoever|Those|That which|So many|For so long|As many|As long)\b",
            ),
            what: pattern(
                r"(?i)\bwhat (?:an?|it|is|was|were|its|they|became|runs?|ran|has|had|comes?|came|goes|ended|others?|nobody|each|one)\b",
            ),
            rest: pattern(concat!(
                r"(?i)\b(?:those|they) who\b|\b(?:become|became|known|told|nothing) of (?:it|them)\b|\bof ours\b",
                r"|\b(?:whoever|somebody|nobody|anybody|everybody|whomever)\b",
                r"|\b(?:is|are|was|were|be|been|being|gets?|not|has|have) (?:told|heard|said)\b",
                r"|\b(?:hears?|tells|hearing|says no|says yes)\b",
                r"|\b(?:so many|so long as|the same again|all the same|as it was|made sure of|makes? sure of|taken along)\b",
                r"|\b(?:for good|anew|looked at|is there|once more|is over|beside (?:it|them))\b",
                r"|\b(?:knock(?:s|ed)?|outrun|boldly|timid|in company|comes? from afar|glance|foresee|foreseen|begun|stands? for|came to lie)\b",
            )),
            asked: pattern(r"(?i)\b(?:is|are|was|were|be|been|being|gets?|not|has|have) asked\b( (?:for|to)\b)?"),
        }
    }

    /// Whether a line has a sentence without its noun. Code is checked only inside its comments and texts.
    fn hits(&self, path: &str, line: &str) -> Option<bool> {
        let is_prose = std::path::Path::new(path).extension().is_some_and(|extension| extension == "md")
            || self.comment.is_match(line);
        let quoted: String = self.text.find_iter(line).map(|found| found.as_str()).collect::<Vec<_>>().join(" ");
        let text = if is_prose { line } else { quoted.as_str() };
        if text.trim().is_empty() {
            return None;
        }
        // A question may begin with "what is".
        let what = self.what.find_iter(text).any(|found| {
            text[found.end()..].find(['.', '?']).is_none_or(|end| text.as_bytes()[found.end() + end] != b'?')
        });
        let asked = self.asked.captures_iter(text).any(|captures| captures.get(1).is_none());
        Some(what || asked || self.vague_start.is_match(text) || self.rest.is_match(text))
    }
}

fn is_checked(path: &str) -> bool {
    let is_text = [".rs", ".ts", ".tsx", ".sql", ".md", ".toml", ".sh"].iter().any(|ending| path.ends_with(ending));
    let is_generated = ["schema.d.ts", "openapi.json", "Cargo.lock", "words.txt", "docs/glossary.md"]
        .iter()
        .any(|ending| path.ends_with(ending))
        || path.contains("package-lock");
    // This file holds the patterns.
    (is_text || path.starts_with("scripts/") || path.starts_with(".ci/"))
        && !is_generated
        && path != "xtask/src/tidy/prose.rs"
        // Recorded data.
        && !path.contains("/tests/fixtures/")
}

#[test]
fn sentences_have_their_nouns() {
    let listed = Command::new("git").args(["ls-files"]).current_dir(root()).output();
    // Without a checkout (a source archive) the files are not known.
    let Some(listed) = listed.ok().filter(|output| output.status.success()) else { return };
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let allowed = std::fs::read_to_string(root().join("xtask/prose-allowed.txt")).expect("the file can be read");
    let allowed: BTreeSet<&str> = allowed.lines().filter(|line| !line.starts_with('#')).map(str::trim).collect();
    let patterns = Patterns::new();
    let (mut lines, mut used, mut hits) = (0, BTreeSet::new(), Vec::new());
    for path in listed.lines().filter(|path| is_checked(path)) {
        let Ok(text) = std::fs::read_to_string(root().join(path)) else { continue };
        for (number, line) in text.lines().enumerate() {
            let Some(is_hit) = patterns.hits(path, line) else { continue };
            lines += 1;
            match allowed.get(line.trim()) {
                Some(line) if is_hit => _ = used.insert(*line),
                None if is_hit => hits.push(format!("{path}:{}: {}", number + 1, line.trim())),
                _ => {}
            }
        }
    }
    println!("{} hits in {lines} lines of comments and texts, {} allowed", hits.len(), used.len());
    assert!(lines > 10_000, "only {lines} lines of comments and texts were found");
    assert!(hits.is_empty(), "sentences that lack their noun:\n{}", hits.join("\n"));
    let unused: Vec<&&str> = allowed.iter().filter(|line| !line.is_empty() && !used.contains(**line)).collect();
    assert!(unused.is_empty(), "prose-allowed.txt lists lines that are gone: {unused:?}");
}

#[test]
fn patterns_find_sentences_without_nouns_and_pass_others() {
    let patterns = Patterns::new();
    for (line, expected) in [
        ("/// What was put off until the commit.", Some(true)),
        ("// Whoever asks gets an answer.", Some(true)),
        ("// The runner is told.", Some(true)),
        ("// The hub is asked for a token.", Some(false)),
        ("// The hub is asked.", Some(true)),
        ("// What is the reason?", Some(false)),
        ("/// Deferred writes, sent before the commit.", Some(false)),
        (r#"let text = "nobody has it";"#, Some(true)),
        ("let begun = 1;", None),
    ] {
        assert_eq!(patterns.hits("x.rs", line), expected, "{line}");
    }
}
