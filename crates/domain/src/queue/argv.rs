//! The argv template of a definition: the program to start, and the slots that values of the payload fill.
//!
//! There is no shell and no expression language. A slot is replaced by one value, a value never becomes a second
//! argument or an option, and the program itself is fixed. `schema` validates the payload.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::{
    schema::{Schema, Violation},
    string_enum,
};

/// The most items of a template, including the items in groups.
pub const ITEMS_MAX: usize = 256;
/// The longest item, in bytes.
pub const ITEM_BYTES_MAX: usize = 4 * 1024;
/// The longest value of one slot.
pub const VALUE_BYTES_MAX: usize = 4 * 1024;
/// The longest rendered argument: half of Linux's limit for one argument.
pub const ARGUMENT_BYTES_MAX: usize = 64 * 1024;
/// The longest rendered command line: half of macOS's limit for all arguments and the environment.
pub const COMMAND_BYTES_MAX: usize = 512 * 1024;
/// The program name that the runner replaces by the path of its own binary.
pub const OWN_PROGRAM: &str = "{hostler}";

/// The content of a slot that renders as two literal opening braces.
const LITERAL_BRACES: &str = "\"{{\"";

string_enum! {
    /// A value that comes from the run and not from the payload. These names take precedence over the payload.
    pub enum ContextName {
        OrgId = "org.id",
        OrgSlug = "org.slug",
        JobId = "job.id",
        /// The number of the run: 1 for the first attempt.
        RunNo = "run.no",
        /// The name of the host that runs the job.
        HostName = "host.name",
        /// The id of the job's server; absent in most jobs.
        ServerId = "server.id",
    }
}

/// The context values of one run. A name without a value counts as absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context(BTreeMap<ContextName, String>);

impl Context {
    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: ContextName, value: impl fmt::Display) -> Self {
        self.0.insert(name, value.to_string());
        self
    }
}

/// Why the value of a slot is invalid: its pointer in the payload, and the fix. Never contains the value itself.
pub type SlotError = Violation;

/// Why a template is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", if pointer.is_empty() { "/" } else { pointer })]
pub struct ArgvRefused {
    /// A JSON pointer into the template; empty for the whole template.
    pub pointer: String,
    /// The problem and the fix.
    pub detail: String,
}

/// A validated argv template.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub struct Argv(Vec<ArgvEntry>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum ArgvEntry {
    One(Item),
    /// Omitted as a whole if a value of one of its slots is absent.
    Group(Vec<Item>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    /// The text as written, which is also the JSON form.
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Slot(Slot),
}

/// A placeholder in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub source: SlotSource,
    /// Whether each item of a list becomes one argument.
    pub is_spread: bool,
}

/// The origin of a slot's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlotSource {
    /// A value of the run.
    Context(ContextName),
    /// A value of the payload, by path.
    Payload(Vec<String>),
}

impl SlotSource {
    /// The JSON pointer of the value in the payload; empty for a context value.
    #[must_use]
    pub fn pointer(&self) -> String {
        match self {
            Self::Context(_) => String::new(),
            Self::Payload(path) => path.iter().map(|name| format!("/{name}")).collect(),
        }
    }
}

impl fmt::Display for SlotSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Context(name) => name.fmt(f),
            Self::Payload(path) => f.pad(&path.join(".")),
        }
    }
}

impl Argv {
    /// Parses the JSON form: a list of strings, and of groups (lists of strings).
    ///
    /// # Errors
    /// The invalid item and the fix.
    #[expect(clippy::needless_pass_by_value, reason = "a template is parsed once, from a value that has no other use")]
    pub fn parse(template: Value) -> Result<Self, ArgvRefused> {
        let Value::Array(values) = &template else {
            return Err(refused("", "write a list, as in [\"rsync\", \"--archive\", \"{{ source }}\"]"));
        };
        let entries = values
            .iter()
            .enumerate()
            .map(|(n, value)| entry(value, &format!("/{n}")))
            .collect::<Result<Vec<_>, _>>()?;
        let argv = Self(entries);
        if argv.items().count() > ITEMS_MAX {
            return Err(refused("", format!("there are more than {ITEMS_MAX} items")));
        }
        match argv.0.first() {
            Some(ArgvEntry::One(program)) => check_program(program)?,
            Some(ArgvEntry::Group(_)) => return Err(refused("/0", "the program cannot be in a group")),
            None => return Err(refused("", "the first item must be the program")),
        }
        Ok(argv)
    }

    /// The program as written: an absolute path, a bare name or [`OWN_PROGRAM`].
    #[must_use]
    pub fn program(&self) -> &str {
        self.items().next().map_or("", |(_, item, _)| item.text.as_str())
    }

    /// All slots, in order.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.items().flat_map(|(_, item, _)| item.slots())
    }

    /// Checks that payloads of this schema can fill all slots.
    ///
    /// # Errors
    /// One violation for each slot that could stay empty or get a value of the wrong type; pointers are into the
    /// template.
    pub fn check(&self, schema: &Schema) -> Result<(), Vec<Violation>> {
        let violations: Vec<Violation> = self
            .items()
            .flat_map(|(at, item, is_grouped)| item.slots().map(move |slot| (at.clone(), slot, is_grouped)))
            .filter_map(|(at, slot, is_grouped)| {
                check_slot(slot, schema, is_grouped).err().map(|detail| Violation::new(at, detail))
            })
            .collect();
        if violations.is_empty() { Ok(()) } else { Err(violations) }
    }

    /// The arguments of a run, including the program.
    ///
    /// # Errors
    /// Every value that is absent, has the wrong type or is not allowed at its position.
    pub fn render(&self, payload: &Value, context: &Context) -> Result<Vec<String>, Vec<SlotError>> {
        let values = Values { payload, context };
        let (mut arguments, mut errors) = (Vec::new(), Vec::new());
        for entry in &self.0 {
            let items = match entry {
                ArgvEntry::One(item) => std::slice::from_ref(item),
                ArgvEntry::Group(items) if items.iter().flat_map(Item::slots).any(|slot| values.is_absent(slot)) => &[],
                ArgvEntry::Group(items) => items.as_slice(),
            };
            for item in items {
                match item.render(&values) {
                    Ok(rendered) => arguments.extend(rendered),
                    Err(error) if errors.contains(&error) => {}
                    Err(error) => errors.push(error),
                }
            }
            if arguments.iter().map(|argument| argument.len() + 1).sum::<usize>() > COMMAND_BYTES_MAX {
                errors.push(SlotError::new("", format!("the command line is longer than {COMMAND_BYTES_MAX} bytes")));
                break;
            }
        }
        if errors.is_empty() { Ok(arguments) } else { Err(errors) }
    }

    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let text = |item: &Item| Value::String(item.text.clone());
        let entries = self.0.iter().map(|entry| match entry {
            ArgvEntry::One(item) => text(item),
            ArgvEntry::Group(items) => Value::Array(items.iter().map(text).collect()),
        });
        Value::Array(entries.collect())
    }

    /// Every item with its pointer and whether it is in a group.
    fn items(&self) -> impl Iterator<Item = (String, &Item, bool)> {
        self.0.iter().enumerate().flat_map(|(n, entry)| match entry {
            ArgvEntry::One(item) => vec![(format!("/{n}"), item, false)],
            ArgvEntry::Group(items) => {
                items.iter().enumerate().map(|(m, item)| (format!("/{n}/{m}"), item, true)).collect()
            }
        })
    }
}

impl TryFrom<Value> for Argv {
    type Error = ArgvRefused;
    fn try_from(template: Value) -> Result<Self, ArgvRefused> {
        Self::parse(template)
    }
}

impl Serialize for Argv {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

fn refused(pointer: &str, detail: impl Into<String>) -> ArgvRefused {
    ArgvRefused { pointer: pointer.to_owned(), detail: detail.into() }
}

fn entry(value: &Value, at: &str) -> Result<ArgvEntry, ArgvRefused> {
    match value {
        Value::String(text) => item(text, at).map(ArgvEntry::One),
        Value::Array(values) => {
            let items = values
                .iter()
                .enumerate()
                .map(|(n, value)| match value {
                    Value::String(text) => item(text, &format!("{at}/{n}")),
                    _ => Err(refused(
                        &format!("{at}/{n}"),
                        "an item of a group must be a string; groups cannot be nested",
                    )),
                })
                .collect::<Result<Vec<_>, _>>()?;
            if !items.iter().any(|item| item.slots().next().is_some()) {
                return Err(refused(at, "a group without a slot is never omitted; write its items outside of a list"));
            }
            Ok(ArgvEntry::Group(items))
        }
        _ => Err(refused(at, "write a string, or a list of strings for a group")),
    }
}

fn item(text: &str, at: &str) -> Result<Item, ArgvRefused> {
    if text.len() > ITEM_BYTES_MAX {
        return Err(refused(at, format!("the item is longer than {ITEM_BYTES_MAX} bytes")));
    }
    if text.contains('\0') {
        return Err(refused(at, "an argument cannot contain a NUL character"));
    }
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        literal.push_str(before);
        let Some((inner, behind)) = after.split_once("}}") else {
            return Err(refused(at, "`{{` has no `}}` (two literal braces are written {{ \"{{\" }})"));
        };
        rest = behind;
        if inner.trim() == LITERAL_BRACES {
            literal.push_str("{{");
            continue;
        }
        if !literal.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut literal)));
        }
        parts.push(Part::Slot(inner.parse().map_err(|detail: String| refused(at, detail))?));
    }
    literal.push_str(rest);
    if !literal.is_empty() || parts.is_empty() {
        parts.push(Part::Text(literal));
    }
    let is_spread = parts.iter().any(|part| matches!(part, Part::Slot(slot) if slot.is_spread));
    if is_spread && parts.len() > 1 {
        return Err(refused(at, "a list becomes arguments of its own: write {{ name... }} as the whole item"));
    }
    Ok(Item { text: text.to_owned(), parts })
}

impl FromStr for Slot {
    type Err = String;
    fn from_str(inner: &str) -> Result<Self, String> {
        let (name, is_spread) = match inner.trim().strip_suffix("...") {
            Some(name) => (name.trim_end(), true),
            None => (inner.trim(), false),
        };
        if let Ok(name) = name.parse::<ContextName>() {
            if is_spread {
                return Err(format!("`{name}` is not a list; write {{{{ {name} }}}}"));
            }
            return Ok(Self { source: SlotSource::Context(name), is_spread });
        }
        let is_name = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        };
        if !name.split('.').all(is_name) {
            let shown: String = name.chars().take(80).collect();
            return Err(format!(
                "`{shown}` is not the name of a value (write {{{{ provider_id }}}}, {{{{ opts.depth }}}} or one of {})",
                ContextName::ALL.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
            ));
        }
        Ok(Self { source: SlotSource::Payload(name.split('.').map(str::to_owned).collect()), is_spread })
    }
}

fn check_program(program: &Item) -> Result<(), ArgvRefused> {
    if program.slots().next().is_some() {
        return Err(refused("/0", "the program cannot contain a slot: a definition always starts the same program"));
    }
    let text = program.text.as_str();
    let is_bare = !text.starts_with(['-', '.'])
        && !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c));
    let is_absolute = text.len() > 1 && text.starts_with('/') && !text.contains(char::is_control);
    if text == OWN_PROGRAM || is_bare || is_absolute {
        return Ok(());
    }
    Err(refused("/0", format!("the program must be an absolute path, a bare name as in `rsync`, or `{OWN_PROGRAM}`")))
}

fn check_slot(slot: &Slot, schema: &Schema, is_grouped: bool) -> Result<(), String> {
    let SlotSource::Payload(path) = &slot.source else {
        // Few jobs have a server; every other context value exists for every run.
        return match slot.source {
            SlotSource::Context(ContextName::ServerId) if !is_grouped => {
                Err("`server.id` is absent in most jobs; put the item into a group (a list of its own)".to_owned())
            }
            _ => Ok(()),
        };
    };
    let name = &slot.source;
    let Some(property) = schema.property(path) else {
        return Err(format!("`{name}` is not a property of the schema; add it to the schema or correct the slot"));
    };
    let kinds: Vec<&str> = match property.schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if kinds.contains(&"object") {
        return Err(format!("`{name}` is an object; name one of its properties, as in {{{{ {name}.id }}}}"));
    }
    if kinds.contains(&"array") && !slot.is_spread {
        return Err(format!("`{name}` is a list; write {{{{ {name}... }}}} as the whole item"));
    }
    if slot.is_spread && !kinds.is_empty() && !kinds.contains(&"array") {
        return Err(format!("`{name}` is not a list; write {{{{ {name} }}}}"));
    }
    if !is_grouped && !property.is_always_there {
        return Err(format!(
            "`{name}` can be absent; require it, give it a default, or put the item into a group (a list of its own)"
        ));
    }
    if !is_grouped && kinds.contains(&"null") {
        return Err(format!("`{name}` can be null; put the item into a group (a list of its own)"));
    }
    Ok(())
}

/// The values for the slots of one run.
struct Values<'a> {
    payload: &'a Value,
    context: &'a Context,
}

impl Values<'_> {
    fn get(&self, slot: &Slot) -> Option<Value> {
        match &slot.source {
            SlotSource::Context(name) => self.context.0.get(name).cloned().map(Value::String),
            SlotSource::Payload(path) => {
                let found = path.iter().try_fold(self.payload, |value, name| value.get(name.as_str()));
                found.filter(|value| !value.is_null()).cloned()
            }
        }
    }

    /// In a group an empty list counts as absent.
    fn is_absent(&self, slot: &Slot) -> bool {
        self.get(slot).is_none_or(|value| slot.is_spread && value.as_array().is_some_and(Vec::is_empty))
    }
}

impl Item {
    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.parts.iter().filter_map(|part| match part {
            Part::Slot(slot) => Some(slot),
            Part::Text(_) => None,
        })
    }

    fn render(&self, values: &Values<'_>) -> Result<Vec<String>, SlotError> {
        if let [Part::Slot(slot)] = self.parts.as_slice()
            && slot.is_spread
        {
            return spread(slot, values);
        }
        let mut argument = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => argument.push_str(text),
                Part::Slot(slot) => {
                    let pointer = slot.source.pointer();
                    let value = values.get(slot).ok_or_else(|| absent(slot))?;
                    // Checks the rendered text so far, not the position of the slot: after an empty value, this value
                    // starts the argument.
                    argument.push_str(&scalar(&value, &pointer, argument.is_empty())?);
                    if argument.len() > ARGUMENT_BYTES_MAX {
                        let detail = format!("makes an argument longer than {ARGUMENT_BYTES_MAX} bytes; shorten it");
                        return Err(SlotError::new(pointer, detail));
                    }
                }
            }
        }
        Ok(vec![argument])
    }
}

fn spread(slot: &Slot, values: &Values<'_>) -> Result<Vec<String>, SlotError> {
    let pointer = slot.source.pointer();
    match values.get(slot).ok_or_else(|| absent(slot))? {
        Value::Array(items) => {
            items.iter().enumerate().map(|(n, item)| scalar(item, &format!("{pointer}/{n}"), true)).collect()
        }
        _ => Err(SlotError::new(pointer, "must be a list; write a single value as a list with one item")),
    }
}

fn absent(slot: &Slot) -> SlotError {
    let detail = match &slot.source {
        SlotSource::Context(name) => format!("`{name}` is not known for this run; the definition cannot be used here"),
        SlotSource::Payload(_) => "is missing, but the command needs it; add it to the payload".to_owned(),
    };
    SlotError::new(slot.source.pointer(), detail)
}

fn scalar(value: &Value, pointer: &str, begins_argument: bool) -> Result<String, SlotError> {
    let refuse = |detail: &str| Err(SlotError::new(pointer, detail));
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number_text(number),
        Value::Null => return refuse("is null; give a string, a number or a boolean"),
        Value::Array(_) => return refuse("is a list, but a single value is needed here"),
        Value::Object(_) => return refuse("is an object, but a single value is needed here"),
    };
    if text.contains(['\0', '\r', '\n']) {
        return refuse("contains a NUL character or a line break; remove it");
    }
    if text.len() > VALUE_BYTES_MAX {
        return Err(SlotError::new(pointer, format!("is longer than {VALUE_BYTES_MAX} bytes; shorten it")));
    }
    if begins_argument && text.starts_with(['-', '@']) {
        return refuse(
            "begins with `-` or `@` and would be read as an option or a file; begin it with another character",
        );
    }
    Ok(text)
}

/// JSON Schema accepts `3.0` as an integer, but few programs do.
fn number_text(number: &serde_json::Number) -> String {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT_MAX => format!("{float:.0}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn argv(template: Value) -> Argv {
        Argv::parse(template).expect("a template")
    }

    fn context() -> Context {
        Context::default().with(ContextName::HostName, "web-1").with(ContextName::RunNo, 2)
    }

    fn rendered(template: Value, payload: &Value) -> Result<Vec<String>, String> {
        argv(template)
            .render(payload, &context())
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn render_replaces_slots_by_values() {
        for (template, payload, expected) in [
            (json!(["ls"]), json!({}), vec!["ls"]),
            (json!(["a", "{{ x }}", "n={{y}}"]), json!({"x": "1 2; rm", "y": -3}), vec!["a", "1 2; rm", "n=-3"]),
            (json!(["a", "{{ o.d }}{{ t }}"]), json!({"o": {"d": 2.0}, "t": true}), vec!["a", "2true"]),
            (json!(["a", "{{ n }}"]), json!({"n": 2.5}), vec!["a", "2.5"]),
            (json!(["a", "{{ host.name }}-{{ run.no }}"]), json!({"host": {"name": "evil"}}), vec!["a", "web-1-2"]),
            (json!(["a", ["--p", "{{ p }}"], "z"]), json!({}), vec!["a", "z"]),
            (json!(["a", ["--p", "{{ p }}"], "z"]), json!({"p": null}), vec!["a", "z"]),
            (json!(["a", ["--p={{ p }}"], "z"]), json!({"p": "-x"}), vec!["a", "--p=-x", "z"]),
            (json!(["a", ["--p={{ p }}", "{{ q }}"]]), json!({"p": "x"}), vec!["a"]),
            (json!(["a", ["--server", "{{ server.id }}"]]), json!({}), vec!["a"]),
            (json!(["a", "{{ f... }}"]), json!({"f": ["x", 1, true]}), vec!["a", "x", "1", "true"]),
            (json!(["a", "{{ f... }}"]), json!({"f": []}), vec!["a"]),
            (json!(["a", ["--f", "{{ f... }}"]]), json!({"f": []}), vec!["a"]),
            (json!(["a", "{ {{ \"{{\" }}json .}} }"]), json!({}), vec!["a", "{ {{json .}} }"]),
            (json!(["{hostler}", "", "{{ e }}"]), json!({"e": ""}), vec!["{hostler}", "", ""]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(rendered(template.clone(), &payload), Ok(expected), "{template}");
        }
    }

    #[test]
    fn render_rejects_invalid_values() {
        for (item, payload, reason) in [
            (json!("{{ x }}"), json!({}), "/x: is missing"),
            (json!("{{ x }}"), json!({"x": null}), "/x: is missing"),
            (json!("{{ x }}"), json!({"x": {}}), "/x: is an object"),
            (json!("{{ x }}"), json!({"x": ["a"]}), "/x: is a list"),
            (json!("{{ x... }}"), json!({"x": "a"}), "/x: must be a list"),
            (json!("{{ x... }}"), json!({"x": ["a", "-b"]}), "/x/1: begins with `-`"),
            (json!("{{ x... }}"), json!({"x": ["a", null]}), "/x/1: is null"),
            (json!("{{ x... }}"), json!({"x": [["a"]]}), "/x/0: is a list"),
            (json!("{{ x }}"), json!({"x": "--force"}), "/x: begins with `-`"),
            (json!("{{ x }}"), json!({"x": "@/etc/passwd"}), "/x: begins with `-` or `@`"),
            (json!("{{ x }}"), json!({"x": -1}), "/x: begins with `-`"),
            (json!("{{ e }}{{ o.x }}"), json!({"e": "", "o": {"x": "-f"}}), "/o/x: begins with `-`"),
            (json!("a{{ x }}"), json!({"x": "a\nb"}), "/x: contains a NUL character or a line break"),
            (json!("a{{ x }}"), json!({"x": "a\u{0}"}), "/x: contains a NUL"),
            (json!("a{{ x }}"), json!({"x": "a".repeat(5_000)}), "/x: is longer than 4096"),
            (json!("{{ server.id }}"), json!({}), "`server.id` is not known"),
            (json!("{{ x }}".repeat(40)), json!({"x": "a".repeat(4_000)}), "argument longer than"),
            (json!(["{{ x }}"]), json!({"x": "-a"}), "/x: begins with"),
        ] {
            let error = rendered(json!(["a", item]), &payload).expect_err("refused");
            assert!(error.contains(reason), "{item}: {error}");
        }
        let long = vec!["{{ x }}".repeat(15); 20];
        let template: Vec<Value> = std::iter::once(json!("a")).chain(long.into_iter().map(Value::from)).collect();
        assert!(
            rendered(Value::Array(template), &json!({"x": "a".repeat(4_000)}))
                .expect_err("refused")
                .contains("command line")
        );
    }

    #[test]
    fn all_invalid_values_are_reported_together() {
        let error = rendered(json!(["a", "{{ x }}", "{{ y }}", "b{{ x }}"]), &json!({"y": "-1"})).expect_err("refused");
        assert_eq!(error.matches("/x: ").count(), 1, "{error}");
        assert_eq!(error.matches("/y: ").count(), 1, "{error}");
    }

    #[test]
    fn invalid_templates_are_rejected() {
        for (template, reason) in [
            (json!("ls"), "write a list"),
            (json!([]), "must be the program"),
            (json!([["{{ a }}"]]), "cannot be in a group"),
            (json!(["{{ program }}"]), "cannot contain a slot"),
            (json!(["bin/sync"]), "an absolute path"),
            (json!(["../sync"]), "an absolute path"),
            (json!(["/"]), "an absolute path"),
            (json!([""]), "an absolute path"),
            (json!(["-x"]), "an absolute path"),
            (json!(["a b"]), "an absolute path"),
            (json!(["{other}"]), "an absolute path"),
            (json!(["a", 1]), "/1: write a string"),
            (json!(["a", ["x", ["{{ y }}"]]]), "/1/1: an item of a group"),
            (json!(["a", ["--x"]]), "/1: a group without a slot"),
            (json!(["a", []]), "/1: a group without a slot"),
            (json!(["a", "{{ x"]), "/1: `{{` has no `}}`"),
            (json!(["a", "{{ }}"]), "/1: `` is not the name"),
            (json!(["a", "{{ a b }}"]), "/1: `a b` is not the name"),
            (json!(["a", "{{ a..b }}"]), "is not the name"),
            (json!(["a", "{{ a | upper }}"]), "is not the name"),
            (json!(["a", "x{{ a... }}"]), "as the whole item"),
            (json!(["a", "{{ org.id... }}"]), "is not a list"),
            (json!(["a", "\u{0}"]), "NUL"),
            (json!(["a", "x".repeat(5_000)]), "longer than 4096"),
            (json!(vec!["a"; 257]), "more than 256"),
        ] {
            let error = Argv::parse(template.clone()).expect_err("refused").to_string();
            assert!(error.contains(reason), "{template}: {error}");
        }
    }

    #[test]
    fn slots_must_fit_the_schema() {
        let schema = Schema::compile(json!({
            "type": "object", "required": ["id", "opts", "files", "maybe"],
            "properties": {
                "id": {"type": "string"}, "depth": {"type": "integer", "default": 1}, "prefix": {"type": "string"},
                "opts": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {}}},
                "files": {"type": "array"}, "maybe": {"type": ["string", "null"]}
            }
        }))
        .expect("a schema");
        for (item, reason) in [
            (json!("{{ id }} {{ depth }} {{ opts.a }} {{ org.slug }}"), None),
            (json!("{{ files... }}"), None),
            (json!(["{{ prefix }}", "{{ opts.b }}", "{{ maybe }}", "{{ server.id }}"]), None),
            (json!("{{ prefix }}"), Some("/1: `prefix` can be absent")),
            (json!("{{ opts.b }}"), Some("`opts.b` can be absent")),
            (json!("{{ maybe }}"), Some("can be null")),
            (json!("{{ server.id }}"), Some("into a group")),
            (json!("{{ opts }}"), Some("is an object")),
            (json!("{{ files }}"), Some("is a list")),
            (json!("{{ id... }}"), Some("is not a list")),
            (json!(["{{ other }}"]), Some("/1/0: `other` is not a property")),
        ] {
            let told = argv(json!(["a", item])).check(&schema).err().map(|found| found[0].to_string());
            match (told, reason) {
                (None, None) => {}
                (Some(told), Some(reason)) => assert!(told.contains(reason), "{item}: {told}"),
                (told, _) => panic!("{item}: {told:?}"),
            }
        }
    }

    fn items() -> impl Strategy<Value = Value> {
        let item = prop_oneof![
            "[a-z=@-]{0,6}",
            Just("{{ x }}".to_owned()),
            Just("{{ e }}{{ x }}".to_owned()),
            "[a-z-]{1,3}\\{\\{ x \\}\\}"
        ];
        proptest::collection::vec(
            prop_oneof![item.clone().prop_map(Value::from), item.prop_map(|text| json!([text, "{{ o }}"]))],
            0..8,
        )
        .prop_map(|items| Value::Array(std::iter::once(json!("run")).chain(items).collect()))
    }

    proptest! {
        #[test]
        fn json_form_round_trips(template in items()) {
            let parsed = argv(template.clone());
            prop_assert_eq!(&serde_json::to_value(&parsed).expect("JSON"), &template);
            prop_assert_eq!(serde_json::from_value::<Argv>(template).expect("a template"), parsed);
        }

        #[test]
        fn a_value_never_becomes_an_option_or_a_second_argument(
            template in items(),
            x in "[-@a-z \n]{0,5}",
            o in proptest::option::of("[-a-z]{0,3}"),
        ) {
            let with_values = argv(template.clone()).render(&json!({"x": x, "e": "", "o": o}), &context());
            let letters = json!({"x": "v", "e": "", "o": o.as_ref().map(|_| "v")});
            let with_letters = argv(template).render(&letters, &context()).expect("letters fit");
            if let Ok(arguments) = with_values {
                prop_assert_eq!(arguments.len(), with_letters.len());
                for (argument, plain) in arguments.iter().zip(&with_letters) {
                    prop_assert!(!argument.contains('\n'));
                    let is_option = |text: &str| text.starts_with(['-', '@']);
                    prop_assert!(!is_option(argument) || is_option(plain), "{} became {}", plain, argument);
                }
            }
        }

        #[test]
        fn any_text_parses_or_is_rejected(text in ".{0,40}") {
            let _ = Argv::parse(json!(["a", text]));
        }
    }
}
