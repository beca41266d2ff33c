//! Templates for the text of a notification, with limits on steps, memory and length.
//!
//! Members of an org write templates, and the hub, which also serves other orgs, renders them. The template engine
//! limits steps but not bytes, so everything that could double a text in each step is removed from the language: own
//! variables, concatenation, and more than two nested loops.

use std::io;

use domain::time::replace_times;
use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value, value::Serde};

use crate::notice::{Notice, clip};

/// Longest template, in bytes.
pub const TEMPLATE_LENGTH_MAX: usize = 8_000;
/// Longest rendered text, in characters: Discord, Slack and ntfy show it without cutting it.
pub const TEXT_LENGTH_MAX: usize = 4_000;
/// Most steps of a template. A loop over all fields of a large notification takes some hundreds.
const FUEL: u64 = 20_000;
/// Most nested loops.
const LOOPS_MAX: usize = 2;

/// The template for channels without an own one.
const DEFAULT: &str = "{{ text }}{% if count > 1 %}\n\n({{ count }} alerts){% endif %}";

/// The variables of a template.
const NAMES: &[&str] =
    &["id", "org", "kind", "severity", "state", "title", "text", "subject", "url", "at", "count", "fields", "loop"];

/// The statements of a template.
const STATEMENTS: &[&str] = &["if", "elif", "else", "endif", "for", "endfor"];

/// The error of an invalid template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid template: {0}")]
pub struct BadTemplate(String);

/// A rendered text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub text: String,
    /// The error of the template, if the default text was used.
    pub fell_back: Option<BadTemplate>,
}

/// Checks a template before it is saved.
///
/// # Errors
/// The first error and its line.
pub fn check_template(template: &str) -> Result<(), BadTemplate> {
    // The fields depend on the kind of alert, so a template may use fields that the example does not have.
    let environment = environment(UndefinedBehavior::Chainable);
    let parsed = parse(&environment, template)?;
    let mut unknown: Vec<String> = parsed.undeclared_variables(false).into_iter().collect();
    unknown.retain(|name| !NAMES.contains(&name.as_str()));
    unknown.sort();
    if let Some(name) = unknown.first() {
        let known = NAMES[..NAMES.len() - 1].join(", ");
        return Err(BadTemplate(format!("unknown variable `{}` (available: {known})", clip(name, 40))));
    }
    fill(&environment, template, &example()).map(drop)
}

/// Renders the text of a notification. If the template fails, the default text is used, so that the notification is
/// still sent.
#[must_use]
pub fn render(template: Option<&str>, notice: &Notice) -> Rendered {
    let environment = environment(UndefinedBehavior::Strict);
    let context = Value::from(Serde(notice));
    let wished = template.map(|template| fill(&environment, template, &context));
    let fell_back = match wished {
        Some(Ok(text)) if !text.trim().is_empty() => return Rendered { text, fell_back: None },
        Some(Ok(_)) => Some(BadTemplate("the text is empty".to_owned())),
        Some(Err(bad)) => Some(bad),
        None => None,
    };
    let text = fill(&environment, DEFAULT, &context).unwrap_or_else(|_| clip(&notice.text, TEXT_LENGTH_MAX));
    let text = if text.trim().is_empty() { clip(&notice.title, TEXT_LENGTH_MAX) } else { text };
    Rendered { text, fell_back }
}

fn environment(undefined: UndefinedBehavior) -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(32);
    environment.set_undefined_behavior(undefined);
    // Only filters that lengthen a text by at most a few bytes.
    environment.add_filter("upper", |text: &str| text.to_uppercase());
    environment.add_filter("lower", |text: &str| text.to_lowercase());
    environment.add_filter("trim", |text: &str| text.trim().to_owned());
    environment.add_filter("length", |value: &Value| value.len().unwrap_or_default());
    environment.add_filter("default", |value: Value, other: Value| if value.is_undefined() { other } else { value });
    environment.add_test("defined", |value: &Value| !value.is_undefined());
    environment
}

fn parse<'a>(environment: &'a Environment<'_>, template: &'a str) -> Result<minijinja::Template<'a, 'a>, BadTemplate> {
    if template.len() > TEMPLATE_LENGTH_MAX {
        return Err(BadTemplate(format!("it is longer than {TEMPLATE_LENGTH_MAX} bytes")));
    }
    only_the_small_language(template)?;
    environment.template_from_named_str("template", template).map_err(|error| bad_template(&error))
}

fn fill(environment: &Environment<'_>, template: &str, context: &Value) -> Result<String, BadTemplate> {
    let mut page = Page::default();
    let filled = parse(environment, template)?.render_captured_to(context.clone(), &mut page).map(drop);
    match filled {
        Err(error) if !page.is_full => Err(bad_template(&error)),
        // A full page is not an error: the text is cut there.
        _ => Ok(clip(&in_whole_seconds(&String::from_utf8_lossy(&page.bytes)), TEXT_LENGTH_MAX)),
    }
}

fn bad_template(error: &minijinja::Error) -> BadTemplate {
    let line = error.line().map(|line| format!(" (line {line})")).unwrap_or_default();
    let what = match error.kind() {
        ErrorKind::OutOfFuel => "too many steps".to_owned(),
        ErrorKind::UndefinedError => "it uses a value that this notification does not have".to_owned(),
        kind => error.detail().map_or_else(|| kind.to_string(), str::to_owned),
    };
    BadTemplate(format!("{}{line}", clip(&what, 200)))
}

/// A text whose times, such as the variable `at`, have no microseconds: people read it.
fn in_whole_seconds(text: &str) -> String {
    replace_times(text, |at| Some(format!("{at:.0}")))
}

/// An example notification for checking templates.
fn example() -> Value {
    Value::from(Serde(serde_json::json!({
        "id": "01J9Z3", "org": "acme", "kind": "host_offline", "severity": "critical", "state": "raised",
        "title": "web-1 is offline", "text": "no heartbeat for 15 min", "subject": "web-1",
        "url": "https://hub.example/", "at": "2026-11-15T14:00:00.000000Z", "count": 2, "fields": {},
    })))
}

/// Rejects everything that the head of this file excludes. Splits the template as the engine does: tags, comments and
/// quoted texts.
fn only_the_small_language(template: &str) -> Result<(), BadTemplate> {
    let mut rest = template;
    let mut loops = 0_usize;
    while let Some(at) = rest.find("{{").into_iter().chain(rest.find("{%")).chain(rest.find("{#")).min() {
        let (open, inside) = rest[at..].split_at(2);
        if open == "{#" {
            rest = inside.split_once("#}").map_or("", |(_, rest)| rest);
            continue;
        }
        let (plain, after) = tag(inside, if open == "{{" { "}}" } else { "%}" })?;
        if open == "{%" {
            let word = plain.trim_start_matches('-').split_whitespace().next().unwrap_or_default();
            if !STATEMENTS.contains(&word) {
                return Err(BadTemplate(format!(
                    "unknown statement `{}` (available: {})",
                    clip(word, 20),
                    STATEMENTS.join(", ")
                )));
            }
            loops = (loops + usize::from(word == "for")).saturating_sub(usize::from(word == "endfor"));
            if loops > LOOPS_MAX {
                return Err(BadTemplate(format!("more than {LOOPS_MAX} nested loops")));
            }
        }
        rest = after;
    }
    Ok(())
}

/// The content of a tag without its quoted texts, and the rest of the template.
fn tag<'a>(inside: &'a str, close: &str) -> Result<(String, &'a str), BadTemplate> {
    let mut plain = String::new();
    let mut quote = None;
    let mut characters = inside.char_indices();
    while let Some((at, c)) = characters.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(characters.next()),
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => {
                quote = Some(c);
                plain.push(' ');
            }
            (None, _) if inside[at..].starts_with(close) => {
                let is_recursive =
                    plain.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "recursive");
                return if is_recursive {
                    Err(BadTemplate("`recursive` is not allowed".to_owned()))
                } else {
                    Ok((plain, &inside[at + close.len()..]))
                };
            }
            (None, '~' | '+' | '*' | '{' | '}') => {
                return Err(BadTemplate(format!(
                    "`{c}` is not allowed inside a tag; write two tags one after the other"
                )));
            }
            (None, _) => plain.push(c),
        }
    }
    Err(BadTemplate("unclosed tag".to_owned()))
}

/// The output of a template, with a size limit.
#[derive(Default)]
struct Page {
    bytes: Vec<u8>,
    is_full: bool,
}

impl io::Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character has at most four bytes. `clip` then cuts to the exact number of characters.
        let room = (TEXT_LENGTH_MAX + 1) * 4 - self.bytes.len();
        if room == 0 {
            self.is_full = true;
            return Err(io::Error::other("the page is full"));
        }
        let taken = bytes.len().min(room);
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notice::sample;

    #[test]
    fn templates_render_variables_filters_and_loops() {
        for (template, text) in [
            ("{{ title|upper }} ({{ severity }})", "WEB-1 IST VERSCHWUNDEN (critical)"),
            ("{% if state == 'raised' %}oh {{ subject }}{% else %}ah{% endif %}", "oh web-1"),
            ("{% for key in fields %}{{ key }}={{ fields[key] }};{% endfor %}", "zone=a;"),
            ("{{ fields.disk|default('?') }} {# a comment #}{{ \"}} ~ {%\" }}", "? }} ~ {%"),
            ("{%- if url is defined -%} {{ url }} {%- endif -%}", "https://hub.example/hosts/web-1"),
            ("<b>&{{ kind }}</b>", "<b>&host_offline</b>"),
            ("since {{ at }}.", "since 2025-10-09T08:53:20Z."),
        ] {
            assert_eq!(check_template(template), Ok(()), "{template}");
            assert_eq!(render(Some(template), &sample()), Rendered { text: text.to_owned(), fell_back: None });
        }
    }

    #[test]
    fn invalid_templates_are_rejected_and_render_the_default_text() {
        let nest = "{% for a in [1] %}".repeat(3) + &"{% endfor %}".repeat(3);
        let long = "x".repeat(TEMPLATE_LENGTH_MAX + 1);
        for (template, why) in [
            ("{{ titel }}", "unknown variable `titel`"),
            ("{{ title", "unclosed tag"),
            ("{{ 'title }}", "unclosed tag"),
            ("{% if title %}", "end"),
            ("a\n{{ title| }}", "line 2"),
            ("{{ title|shout }}", "shout"),
            ("{% set a = title %}", "unknown statement `set`"),
            ("{% with a = title %}{{ a }}{% endwith %}", "unknown statement `with`"),
            ("{%set a%}{{ title }}{{ title }}{%endset%}", "unknown statement"),
            ("{% macro a() %}{{ a() }}{% endmacro %}", "unknown statement"),
            ("{% include '/etc/passwd' %}", "unknown statement"),
            ("{% raw %}{% set a = 1 %}{% endraw %}", "unknown statement"),
            ("{{ title ~ title }}", "`~` is not allowed"),
            ("{{ 'x' * 10000000 }}", "`*` is not allowed"),
            ("{{ title + title }}", "`+` is not allowed"),
            ("{{ {'a': title} }}", "`{` is not allowed"),
            ("{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}", "recursive"),
            (nest.as_str(), "nested loops"),
            (long.as_str(), "longer than"),
        ] {
            let bad = check_template(template).expect_err(template);
            assert!(bad.to_string().contains(why), "{template}: {bad}");
            let rendered = render(Some(template), &sample());
            assert_eq!(rendered.text, "no heartbeat for 15 min");
            assert!(rendered.fell_back.is_some(), "{template}");
        }
    }

    #[test]
    fn steps_and_length_are_limited() {
        let list = format!("[{}]", vec!["1"; 900].join(","));
        let forever = format!(
            "{{% for a in {list} %}}{{% for b in {list} %}}{{% if a == 2 %}}x{{% endif %}}{{% endfor %}}{{% endfor %}}"
        );
        assert!(check_template(&forever).expect_err("too long").to_string().contains("too many steps"));
        assert!(render(Some(&forever), &sample()).fell_back.is_some());
        let notice = Notice { text: "ä".repeat(10 * 1024 * 1024), ..sample() };
        for template in [None, Some("{% for a in [1,2,3] %}{{ text }}{% endfor %}"), Some("{{ text|upper }}")] {
            let rendered = render(template, &notice);
            assert_eq!(rendered.text.chars().count(), TEXT_LENGTH_MAX, "{template:?}");
            assert!(rendered.text.ends_with('…') && rendered.fell_back.is_none());
        }
    }

    #[test]
    fn missing_field_is_reported_and_the_default_text_is_used() {
        let rendered = render(Some("disk {{ fields.disk }}"), &sample());
        assert!(rendered.fell_back.expect("why").to_string().contains("does not have"));
        assert_eq!(rendered.text, "no heartbeat for 15 min");
        assert_eq!(check_template("disk {{ fields.disk }}"), Ok(()), "notifications of another kind have this field");
        assert_eq!(render(None, &Notice { count: 3, ..sample() }).text, "no heartbeat for 15 min\n\n(3 alerts)");
        assert_eq!(render(None, &Notice { text: String::new(), ..sample() }).text, "web-1 ist verschwunden");
        assert_eq!(render(Some("  "), &sample()).text, "no heartbeat for 15 min");
    }
}
