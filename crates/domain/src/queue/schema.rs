//! JSON Schema of payloads: validation, default values, and secret values.
//!
//! A schema is self-contained: it cannot refer to other documents, so validation never reads a file or the network.
//! Patterns are matched in linear time, because pattern and text come from callers.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::{PatternOptions, Validator};
use serde::Serialize;
use serde_json::{Map, Value};

/// The longest schema, serialized. Every claim sends the definition's schema to the runner.
pub const SCHEMA_BYTES_MAX: usize = 64 * 1024;
/// The longest payload, serialized.
pub const PAYLOAD_BYTES_MAX: usize = 256 * 1024;
/// The deepest nesting of a schema or payload, and of the recursion over them.
pub const DEPTH_MAX: usize = 32;
/// The most violations reported for one payload.
pub const VIOLATIONS_MAX: usize = 20;
/// Displayed instead of a secret value.
pub const CONCEALED: &str = "•••";

/// The most locations visited through references. Without the limit a short schema of references to references expands
/// exponentially.
const PLACES_MAX: usize = 10_000;
/// The most values added to one payload from defaults, for the same reason.
const DEFAULTS_MAX: usize = 1_000;
/// The most memory of one compiled pattern.
const PATTERN_BYTES_MAX: usize = 1024 * 1024;
/// The longest text of a violation, in characters.
const DETAIL_CHARS_MAX: usize = 300;
/// Longer values are not repeated in a violation.
const SHOWN_BYTES_MAX: usize = 80;

/// Formats that are accepted without validation; forms and other tools use them.
const DESCRIBING_FORMATS: &[&str] =
    &["password", "multiline", "int32", "int64", "float", "double", "byte", "binary", "color"];

/// The supported drafts.
const META_SCHEMAS: &[&str] = &[
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-04/schema",
];

/// Keywords whose value maps names to schemas: the names are not keywords.
const SCHEMA_MAPS: &[&str] = &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Keywords whose value is data, not a schema.
const DATA: &[&str] = &["const", "enum", "default", "examples"];
/// Keywords whose schemas apply to the same value.
const SAME_VALUE: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
/// Keywords whose schemas apply to inner values without naming them.
const SOME_INSIDE: &[&str] = &[
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
];

/// Secret values of a payload by JSON pointer.
pub type Concealed = BTreeMap<String, Value>;

/// A problem with a value, and its location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{pointer}{}{detail}", if pointer.is_empty() { "" } else { ": " })]
pub struct Violation {
    /// A JSON pointer to the value; empty for the whole document.
    pub pointer: String,
    /// The problem and the fix.
    pub detail: String,
}

impl Violation {
    /// A violation at a location.
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), detail: detail.into() }
    }

    /// Prefixes the pointer with that of the enclosing value.
    #[must_use]
    pub fn inside(self, parent: &str) -> Self {
        Self { pointer: format!("{parent}{}", self.pointer), detail: self.detail }
    }
}

/// Why a schema is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    #[error("the schema has {0} bytes; at most {SCHEMA_BYTES_MAX} are allowed")]
    TooLong(usize),
    #[error("the schema is nested deeper than {DEPTH_MAX} levels")]
    TooDeep,
    #[error("the references of the schema expand to more than {PLACES_MAX} locations; use fewer references")]
    TooWide,
    #[error("the schema must describe an object: write `\"type\": \"object\"` at its root")]
    NotAnObject,
    #[error("{pointer}: `{given}` refers to another document; {hint}")]
    Outside {
        pointer: String,
        given: String,
        /// The fix.
        hint: &'static str,
    },
    #[error("{pointer}: there is no `{given}` in the schema")]
    Dangling { pointer: String, given: String },
    /// The locations of secrets below a cycle are infinite, so they cannot be listed.
    #[error("{0}: `writeOnly` cannot be used in a schema that refers to itself")]
    SecretInCycle(String),
    #[error("{pointer}: {detail}")]
    Invalid { pointer: String, detail: String },
}

/// A compiled schema.
#[derive(Debug, Clone)]
pub struct Schema {
    document: Value,
    validator: Validator,
    write_only: BTreeSet<Vec<PathStep>>,
}

/// A step of the path to a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PathStep {
    Name(String),
    /// Any item of a list, or any property that the schema does not name.
    Any,
}

/// A property in a schema.
#[derive(Debug, Clone, Copy)]
pub struct Property<'a> {
    /// The schema of the property.
    pub schema: &'a Value,
    /// Whether every payload has it after defaults are added: at each level of its path it is required or has a
    /// default.
    pub is_always_there: bool,
}

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// It is not a valid schema, does not describe an object, refers to another document or is too large.
    pub fn compile(document: Value) -> Result<Self, SchemaError> {
        let bytes = serialised_bytes(&document);
        if bytes > SCHEMA_BYTES_MAX {
            return Err(SchemaError::TooLong(bytes));
        }
        if is_deeper(&document, DEPTH_MAX) {
            return Err(SchemaError::TooDeep);
        }
        let Value::Object(root) = &document else { return Err(SchemaError::NotAnObject) };
        if root.get("type").is_some_and(|kind| kind != "object") {
            return Err(SchemaError::NotAnObject);
        }
        check_keywords(&document, &document, "")?;
        let write_only = secrets(&document)?;
        let mut options = jsonschema::options()
            .should_validate_formats(true)
            .should_ignore_unknown_formats(false)
            .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_BYTES_MAX));
        for format in DESCRIBING_FORMATS {
            options = options.with_format(*format, |_: &str| true);
        }
        let validator = options.build(&document).map_err(|error| SchemaError::Invalid {
            pointer: error.instance_path().as_str().to_owned(),
            // The rest of the message is advice for users of the library.
            detail: clip(&lower_first(error.to_string().split(". ").next().unwrap_or_default())),
        })?;
        Ok(Self { document, validator, write_only })
    }

    /// The schema as JSON.
    #[must_use]
    pub const fn document(&self) -> &Value {
        &self.document
    }

    /// The violations of a payload, without secret values. Empty if the payload is valid.
    #[must_use]
    pub fn check(&self, payload: &Value) -> Vec<Violation> {
        if let Err(violation) = check_payload(payload) {
            return vec![violation];
        }
        self.validator.iter_errors(payload).take(VIOLATIONS_MAX).map(|error| self.violation(&error)).collect()
    }

    /// Adds the default of every absent property.
    #[must_use]
    pub fn with_defaults(&self, mut payload: Value) -> Value {
        fill(&self.document, &self.document, &mut payload, 0, &mut { DEFAULTS_MAX });
        payload
    }

    /// Pointers to all `writeOnly` values; `*` matches any item or property.
    #[must_use]
    pub fn write_only(&self) -> Vec<String> {
        let text = |step: &PathStep| match step {
            PathStep::Name(name) => format!("/{}", escape(name)),
            PathStep::Any => "/*".to_owned(),
        };
        self.write_only.iter().map(|path| path.iter().map(text).collect()).collect()
    }

    /// Whether any value is marked `writeOnly`.
    #[must_use]
    pub fn has_write_only(&self) -> bool {
        !self.write_only.is_empty()
    }

    /// The payload with `writeOnly` values masked, for display.
    #[must_use]
    pub fn conceal(&self, payload: &Value) -> Value {
        self.split(payload.clone()).0
    }

    /// The masked payload and the removed values. [`reveal`] reverses it.
    #[must_use]
    pub fn split(&self, mut payload: Value) -> (Value, Concealed) {
        let mut hidden = Concealed::new();
        for path in &self.write_only {
            cover(&mut payload, path, &mut String::new(), &mut hidden);
        }
        (payload, hidden)
    }

    /// Completes a payload edited by a user who saw it masked: a `writeOnly` value that is absent or still masked keeps
    /// its old value. List items have no names, so an item keeps its secrets only if it is unchanged and at the same
    /// index.
    #[must_use]
    pub fn restore(&self, mut edited: Value, shown: &Value, hidden: &Concealed) -> Value {
        let again = self.conceal(&edited);
        for (pointer, value) in hidden {
            restore(&mut edited, Some(&again), shown, &steps(pointer), value);
        }
        edited
    }

    /// Rejects masks in place of secrets: a masked value that [`Schema::restore`] did not replace was copied from a
    /// displayed payload.
    #[must_use]
    pub fn concealed(&self, payload: &Value) -> Vec<Violation> {
        if self.write_only.is_empty() {
            return Vec::new();
        }
        let is_sign = |value: &&Value| value.as_str() == Some(CONCEALED);
        let (_, hidden) = self.split(payload.clone());
        let found = hidden.iter().filter(|(_, value)| is_sign(value));
        let detail = format!("`{CONCEALED}` is the mask of a hidden value; write the value itself");
        found.take(VIOLATIONS_MAX).map(|(pointer, _)| Violation::new(pointer.as_str(), detail.as_str())).collect()
    }

    /// The property at a path; `None` if the schema does not name it.
    #[must_use]
    pub fn property(&self, path: &[String]) -> Option<Property<'_>> {
        let (first, rest) = path.split_first()?;
        let mut found = find_property(&self.document, &self.document, first, 0)?;
        for name in rest {
            let inner = find_property(&self.document, found.schema, name, 0)?;
            found = Property { is_always_there: found.is_always_there && inner.is_always_there, ..inner };
        }
        Some(Property { schema: resolve(&self.document, found.schema), ..found })
    }

    fn violation(&self, error: &jsonschema::ValidationError<'_>) -> Violation {
        let pointer = error.instance_path().as_str().to_owned();
        let steps = steps(&pointer);
        // The message about a value that contains a secret, or lies within one, would show it.
        let is_secret = self.write_only.iter().any(|path| path.iter().zip(&steps).all(|(step, name)| step.fits(name)));
        let detail = if is_secret {
            error.masked_with(CONCEALED).to_string()
        } else if error.instance().is_object()
            || error.instance().is_array()
            || serialised_bytes(error.instance()) > SHOWN_BYTES_MAX
        {
            error.masked_with("the value").to_string()
        } else {
            error.to_string()
        };
        Violation { pointer, detail: clip(&lower_first(&detail)) }
    }
}

impl PathStep {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Any => true,
        }
    }
}

/// Replaces masks by the hidden values. Values that are no longer masked stay.
pub fn reveal(payload: &mut Value, hidden: &Concealed) {
    for (pointer, value) in hidden {
        if let Some(place) = payload.pointer_mut(pointer).filter(|place| place.as_str() == Some(CONCEALED)) {
            *place = value.clone();
        }
    }
}

/// Checks the limits of every payload: an object, not too large or too deep.
///
/// # Errors
/// The violated limit.
pub fn check_payload(payload: &Value) -> Result<(), Violation> {
    if !payload.is_object() {
        return Err(Violation::new("", "a payload must be an object, as in {\"name\": \"value\"}"));
    }
    if is_deeper(payload, DEPTH_MAX) {
        return Err(Violation::new("", format!("the payload is nested deeper than {DEPTH_MAX} levels")));
    }
    let bytes = serialised_bytes(payload);
    if bytes > PAYLOAD_BYTES_MAX {
        return Err(Violation::new(
            "",
            format!("the payload has {bytes} bytes; at most {PAYLOAD_BYTES_MAX} are allowed"),
        ));
    }
    Ok(())
}

/// Escapes a name for a JSON pointer.
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// The names in a JSON pointer.
fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(unescape).collect()
}

fn serialised_bytes(value: &Value) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len())
}

/// Whether lists and objects are nested deeper than `left`. Recurses no deeper than that.
#[must_use]
pub fn is_deeper(value: &Value, left: usize) -> bool {
    let is_inside = |value: &Value| left == 0 || is_deeper(value, left - 1);
    match value {
        Value::Array(items) => left == 0 || items.iter().any(is_inside),
        Value::Object(members) => left == 0 || members.values().any(is_inside),
        _ => false,
    }
}

/// Rejects references to other documents and to missing parts.
fn check_keywords(root: &Value, node: &Value, at: &str) -> Result<(), SchemaError> {
    let members = match node {
        Value::Object(members) => members,
        Value::Array(items) => {
            return items.iter().enumerate().try_for_each(|(n, item)| check_keywords(root, item, &format!("{at}/{n}")));
        }
        _ => return Ok(()),
    };
    for (keyword, value) in members {
        let here = format!("{at}/{}", escape(keyword));
        let outside = |hint| Err(SchemaError::Outside { pointer: here.clone(), given: clip(&text_of(value)), hint });
        match (keyword.as_str(), value.as_str()) {
            ("$schema", Some(uri)) if !META_SCHEMAS.contains(&uri.trim_end_matches('#')) => {
                return outside("name a draft, as in https://json-schema.org/draft/2020-12/schema, or remove it");
            }
            ("$id" | "id", Some(_)) => return outside("remove it: schemas have no id here"),
            ("$dynamicRef" | "$recursiveRef", _) => return outside("use `$ref` with `#/$defs/…`"),
            ("$ref", Some(target)) if target != "#" && !target.starts_with("#/") => {
                return outside("copy that part under `$defs` and refer to it as `#/$defs/…`");
            }
            ("$ref", Some(target)) if lookup(root, target).is_none() => {
                return Err(SchemaError::Dangling { pointer: here, given: clip(target) });
            }
            (name, _) if DATA.contains(&name) => {}
            (name, None) if SCHEMA_MAPS.contains(&name) => {
                for (inner, schema) in value.as_object().into_iter().flatten() {
                    check_keywords(root, schema, &format!("{here}/{}", escape(inner)))?;
                }
            }
            _ => check_keywords(root, value, &here)?,
        }
    }
    Ok(())
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn lookup<'a>(root: &'a Value, target: &str) -> Option<&'a Value> {
    root.pointer(target.strip_prefix('#')?)
}

/// Follows references to the schema that they refer to.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut found = schema;
    for _ in 0..DEPTH_MAX {
        match found.get("$ref").and_then(Value::as_str).and_then(|target| lookup(root, target)) {
            Some(next) => found = next,
            None => break,
        }
    }
    found
}

/// The locations of all secrets. They are listed when the schema is compiled, so that masking a payload cannot miss
/// one.
fn secrets(root: &Value) -> Result<BTreeSet<Vec<PathStep>>, SchemaError> {
    let mut walk = SchemaWalk { root, found: BTreeSet::new(), cycle: None, open: Vec::new(), places: 0 };
    walk.visit(root, &mut Vec::new())?;
    match walk.cycle {
        // A cycle has infinitely many locations below it. An incomplete list would show a secret.
        Some(at) if !walk.found.is_empty() => Err(SchemaError::SecretInCycle(at)),
        _ => Ok(walk.found),
    }
}

struct SchemaWalk<'a> {
    root: &'a Value,
    found: BTreeSet<Vec<PathStep>>,
    cycle: Option<String>,
    open: Vec<String>,
    places: usize,
}

impl<'a> SchemaWalk<'a> {
    fn visit(&mut self, schema: &'a Value, path: &mut Vec<PathStep>) -> Result<(), SchemaError> {
        self.places += 1;
        if self.places > PLACES_MAX || self.open.len() > DEPTH_MAX {
            return Err(SchemaError::TooWide);
        }
        let Value::Object(members) = schema else { return Ok(()) };
        if members.get("writeOnly") == Some(&Value::Bool(true)) {
            self.found.insert(path.clone());
        }
        for (keyword, value) in members {
            let name = keyword.as_str();
            if SAME_VALUE.contains(&name) {
                self.each(value, path)?;
            } else if SOME_INSIDE.contains(&name) {
                path.push(PathStep::Any);
                self.each(value, path)?;
                path.pop();
            } else if let (
                "properties" | "patternProperties" | "dependentSchemas" | "dependencies",
                Value::Object(map),
            ) = (name, value)
            {
                self.map(name, map, path)?;
            } else if let ("$ref", Value::String(target)) = (name, value) {
                self.follow(target, path)?;
            }
        }
        Ok(())
    }

    fn each(&mut self, value: &'a Value, path: &mut Vec<PathStep>) -> Result<(), SchemaError> {
        match value {
            Value::Array(schemas) => schemas.iter().try_for_each(|schema| self.visit(schema, path)),
            schema => self.visit(schema, path),
        }
    }

    fn map(&mut self, keyword: &str, map: &'a Map<String, Value>, path: &mut Vec<PathStep>) -> Result<(), SchemaError> {
        for (name, schema) in map {
            let step = match keyword {
                "properties" => Some(PathStep::Name(name.clone())),
                "patternProperties" => Some(PathStep::Any),
                _ => None,
            };
            let length = path.len();
            path.extend(step);
            self.visit(schema, path)?;
            path.truncate(length);
        }
        Ok(())
    }

    fn follow(&mut self, target: &'a str, path: &mut Vec<PathStep>) -> Result<(), SchemaError> {
        if self.open.iter().any(|open| open == target) {
            self.cycle.get_or_insert_with(|| target.to_owned());
            return Ok(());
        }
        let Some(schema) = lookup(self.root, target) else { return Ok(()) };
        self.open.push(target.to_owned());
        self.visit(schema, path)?;
        self.open.pop();
        Ok(())
    }
}

/// Masks the values at a path below `value`, whose own pointer is `at`.
fn cover(value: &mut Value, path: &[PathStep], at: &mut String, hidden: &mut Concealed) {
    let Some((step, rest)) = path.split_first() else {
        // Null means that no secret is set. A value inside an already masked value stays with it.
        if !value.is_null() && !hidden.contains_key(at.as_str()) {
            hidden.insert(at.clone(), std::mem::replace(value, Value::String(CONCEALED.to_owned())));
        }
        return;
    };
    let mut inside = |name: &str, inner: &mut Value, path: &[PathStep]| {
        let length = at.len();
        at.push('/');
        at.push_str(&escape(name));
        cover(inner, path, at, hidden);
        at.truncate(length);
    };
    match (value, step) {
        (Value::Object(members), PathStep::Name(name)) => {
            if let Some(inner) = members.get_mut(name) {
                inside(name, inner, rest);
            }
        }
        (Value::Object(members), PathStep::Any) => {
            members.iter_mut().for_each(|(name, inner)| inside(name, inner, rest));
        }
        (Value::Array(items), step) => {
            // Invalid payloads are displayed too: a list in place of an object is masked item by item.
            let path = if *step == PathStep::Any { rest } else { path };
            items.iter_mut().enumerate().for_each(|(n, inner)| inside(&n.to_string(), inner, path));
        }
        _ => {}
    }
}

/// Restores one hidden value in `edited`. `again` is the masked edit, `shown` the masked original.
fn restore(edited: &mut Value, again: Option<&Value>, shown: &Value, path: &[String], value: &Value) {
    let Some((name, rest)) = path.split_first() else {
        if edited.as_str() == Some(CONCEALED) {
            *edited = value.clone();
        }
        return;
    };
    match (edited, shown) {
        (Value::Object(members), Value::Object(before)) => match (members.get_mut(name), before.get(name)) {
            (Some(inner), Some(before)) => restore(inner, again.and_then(|all| all.get(name)), before, rest, value),
            (None, Some(_)) if rest.is_empty() => {
                members.insert(name.clone(), value.clone());
            }
            _ => {}
        },
        (Value::Array(items), Value::Array(before)) => {
            let Ok(n) = name.parse::<usize>() else { return };
            let again = again.and_then(|all| all.get(n));
            if let (Some(inner), Some(before)) = (items.get_mut(n), before.get(n).filter(|item| again == Some(item))) {
                restore(inner, again, before, rest, value);
            }
        }
        _ => {}
    }
}

fn fill(root: &Value, schema: &Value, value: &mut Value, depth: usize, left: &mut usize) {
    if depth > DEPTH_MAX {
        return;
    }
    let schema = resolve(root, schema);
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        fill(root, part, value, depth + 1, left);
    }
    if let (Value::Array(items), Some(inner)) = (&mut *value, schema.get("items")) {
        items.iter_mut().for_each(|item| fill(root, inner, item, depth + 1, left));
    }
    let (Value::Object(members), Some(Value::Object(properties))) = (value, schema.get("properties")) else { return };
    for (name, inner) in properties {
        if !members.contains_key(name)
            && let Some(default) = default_of(root, inner)
            && *left > 0
        {
            *left -= 1;
            members.insert(name.clone(), default.clone());
        }
        if let Some(member) = members.get_mut(name) {
            fill(root, inner, member, depth + 1, left);
        }
    }
}

/// A default next to a reference takes precedence over the default of the referenced schema.
fn default_of<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    schema.get("default").or_else(|| resolve(root, schema).get("default"))
}

fn find_property<'a>(root: &'a Value, schema: &'a Value, name: &str, depth: usize) -> Option<Property<'a>> {
    if depth > DEPTH_MAX {
        return None;
    }
    let schema = resolve(root, schema);
    let parts = || schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let own = schema
        .get("properties")
        .and_then(|properties| properties.get(name))
        .map(|found| Property { schema: found, is_always_there: default_of(root, found).is_some() });
    let mut found = own.or_else(|| parts().find_map(|part| find_property(root, part, name, depth + 1)))?;
    let is_required = |schema: &Value| {
        schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|one| one == name))
    };
    found.is_always_there |= is_required(schema) || parts().any(|part| is_required(resolve(root, part)));
    Some(found)
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(DETAIL_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn schema(document: Value) -> Schema {
        Schema::compile(document).expect("a schema")
    }

    fn sync() -> Schema {
        schema(json!({
            "type": "object",
            "required": ["provider_id", "token"],
            "additionalProperties": false,
            "properties": {
                "provider_id": {"type": "string", "format": "uuid"},
                "token": {"type": "string", "minLength": 8, "writeOnly": true},
                "depth": {"type": "integer", "default": 3, "maximum": 9},
                "opts": {"$ref": "#/$defs/opts", "default": {}},
                "logins": {"type": "array", "items": {"properties": {"pin": {"writeOnly": true, "type": "string"}}}}
            },
            "$defs": {
                "opts": {"type": "object", "properties": {"speed": {"enum": ["slow", "fast"], "default": "slow"}}}
            }
        }))
    }

    #[test]
    fn violations_have_a_pointer() {
        let fits = json!({"provider_id": "7f3c1f0e-5a3b-4c55-9d0e-0d8a1f5d2b11", "token": "12345678"});
        assert_eq!(sync().check(&fits), []);
        let wrong = json!({"provider_id": "seven", "token": "hunter2", "depth": 10, "more": 1, "opts": {"speed": 1}});
        let told: Vec<String> = sync().check(&wrong).iter().map(ToString::to_string).collect();
        for part in [
            "/provider_id: \"seven\" is not a \"uuid\"",
            "/depth: 10 is greater",
            "/token: ••• is shorter",
            "'more'",
            "/opts/speed",
        ] {
            assert!(told.iter().any(|text| text.contains(part)), "`{part}` is not in {told:#?}");
        }
        assert!(!told.concat().contains("hunter2"), "{told:?}");
    }

    #[test]
    fn violations_about_enclosing_values_hide_secrets() {
        let schema = schema(json!({
            "properties": {"auth": {"properties": {"key": {"writeOnly": true}}, "anyOf": [{"required": ["user"]}]}},
            "maxProperties": 1, "not": {"required": ["auth"]}
        }));
        let told = format!("{:?}", schema.check(&json!({"auth": {"key": "hunter2"}, "b": 1})));
        assert!(!told.contains("hunter2") && told.contains("/auth"), "{told}");
    }

    #[test]
    fn violations_do_not_repeat_long_values() {
        let wrong = json!({"provider_id": "x".repeat(5_000), "token": "12345678"});
        assert!(sync().check(&wrong).iter().all(|violation| violation.detail.chars().count() <= DETAIL_CHARS_MAX + 1));
        let many = schema(json!({"additionalProperties": {"type": "integer"}}));
        let payload: Map<String, Value> = (0..100).map(|n| (n.to_string(), json!("a"))).collect();
        assert_eq!(many.check(&Value::Object(payload)).len(), VIOLATIONS_MAX);
    }

    #[test]
    fn defaults_are_added_at_every_level() {
        let filled = sync().with_defaults(json!({"provider_id": "a", "logins": []}));
        assert_eq!(filled, json!({"provider_id": "a", "logins": [], "depth": 3, "opts": {"speed": "slow"}}));
        let endless =
            schema(json!({"properties": {"a": {"$ref": "#", "default": {}}, "b": {"$ref": "#", "default": {}}}}));
        let text = endless.with_defaults(json!({})).to_string();
        assert!(text.len() < PAYLOAD_BYTES_MAX, "{} bytes", text.len());
    }

    #[test]
    fn write_only_values_are_listed_and_masked() {
        assert_eq!(sync().write_only(), ["/logins/*/pin", "/token"]);
        let payload = json!({"token": "12345678", "depth": 1, "logins": [{"pin": "1", "who": "kim"}, {"pin": null}]});
        let shown = json!({"token": "•••", "depth": 1, "logins": [{"pin": "•••", "who": "kim"}, {"pin": null}]});
        assert_eq!(sync().conceal(&payload), shown);
        let auth = schema(json!({"properties": {"auth": {"properties": {"key": {"writeOnly": true}}}}}));
        assert_eq!(auth.conceal(&json!({"auth": [{"key": "k"}]})), json!({"auth": [{"key": "•••"}]}));
    }

    #[test]
    fn restore_keeps_masked_values() {
        let before = json!({"token": "12345678", "depth": 1, "logins": [{"pin": "1", "who": "kim"}, {"pin": "2"}]});
        let (shown, hidden) = sync().split(before.clone());
        assert_eq!(hidden.keys().collect::<Vec<_>>(), ["/logins/0/pin", "/logins/1/pin", "/token"]);
        let one = |pin: &str| json!({"pin": pin, "who": "kim"});
        for (edited, expected) in [
            (shown.clone(), before),
            (json!({"depth": 2}), json!({"depth": 2, "token": "12345678"})),
            (json!({"token": "•••"}), json!({"token": "12345678"})),
            (json!({"token": "another1"}), json!({"token": "another1"})),
            (json!({"token": null}), json!({"token": null})),
            (json!({"token": "a", "logins": [one("•••")]}), json!({"token": "a", "logins": [one("1")]})),
            (json!({"token": "a", "logins": [one("9")]}), json!({"token": "a", "logins": [one("9")]})),
            // A changed list: an item does not get the pin of another.
            (json!({"token": "a", "logins": [{"pin": "•••"}]}), json!({"token": "a", "logins": [{"pin": "•••"}]})),
            (json!({"token": "a", "logins": [{"who": "kim"}]}), json!({"token": "a", "logins": [{"who": "kim"}]})),
        ] {
            assert_eq!(sync().restore(edited.clone(), &shown, &hidden), expected, "{edited}");
        }
        let left = sync().concealed(&json!({"token": "•••", "logins": [{"pin": "•••"}], "depth": "•••"}));
        assert_eq!(left.iter().map(|one| one.pointer.as_str()).collect::<Vec<_>>(), ["/logins/0/pin", "/token"]);
        assert_eq!(sync().concealed(&json!({"token": "12345678"})), []);
    }

    #[test]
    fn nested_write_only_values_are_masked_once() {
        let nested =
            schema(json!({"properties": {"auth": {"writeOnly": true, "properties": {"key": {"writeOnly": true}}}}}));
        let payload = json!({"auth": {"key": "k"}});
        let (mut shown, hidden) = nested.split(payload.clone());
        assert_eq!((&shown, hidden.len()), (&json!({"auth": "•••"}), 1));
        reveal(&mut shown, &hidden);
        assert_eq!(shown, payload);
    }

    #[test]
    fn property_reports_presence() {
        let sync = sync();
        let find = |path: &str| {
            let path: Vec<String> = path.split('.').map(str::to_owned).collect();
            sync.property(&path).map(|property| property.is_always_there)
        };
        for (path, found) in [
            ("provider_id", Some(true)),
            ("depth", Some(true)),
            ("opts.speed", Some(true)),
            ("logins", Some(false)),
            ("other", None),
            ("depth.x", None),
        ] {
            assert_eq!(find(path), found, "{path}");
        }
    }

    #[test]
    fn invalid_schemas_are_rejected() {
        let deep = (0..40).fold(json!({}), |inner, _| json!({"not": inner}));
        let wide = (0..20).fold(json!({"d0": {}}), |mut defs, n| {
            let target = format!("#/$defs/d{n}");
            defs[format!("d{}", n + 1)] = json!({"properties": {"a": {"$ref": target}, "b": {"$ref": target}}});
            defs
        });
        for (document, reason) in [
            (json!(true), "must describe an object"),
            (json!({"type": "array"}), "must describe an object"),
            (json!({"type": "object", "properties": {"a": {"type": "strng"}}}), "/properties/a/type"),
            (json!({"properties": {"a": {"$ref": "https://example.org/a.json"}}}), "under `$defs`"),
            (json!({"properties": {"a": {"$ref": "other.json#/a"}}}), "under `$defs`"),
            (json!({"properties": {"a": {"$ref": "#/$defs/a"}}}), "there is no `#/$defs/a`"),
            (json!({"$id": "https://example.org/me.json"}), "remove it"),
            (json!({"$schema": "https://example.org/mine"}), "name a draft"),
            (json!({"$dynamicRef": "#a"}), "use `$ref`"),
            (json!({"properties": {"a": {"pattern": "(?=a)b"}}}), "/properties/a/pattern"),
            (json!({"properties": {"a": {"format": "uiid"}}}), "uiid"),
            (json!({"description": "x".repeat(SCHEMA_BYTES_MAX)}), "at most 65536"),
            (deep, "nested deeper"),
            (json!({"$ref": "#/$defs/d20", "$defs": wide}), "expand"),
            (json!({"properties": {"a": {"$ref": "#"}, "b": {"writeOnly": true}}}), "refers to itself"),
        ] {
            let error = Schema::compile(document.clone()).expect_err("refused").to_string();
            assert!(error.contains(reason), "{document} was refused with: {error}");
        }
    }

    #[test]
    fn valid_schemas_compile() {
        for document in [
            json!({}),
            json!({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"}),
            json!({"properties": {"$ref": {"type": "string"}, "id": {}, "$id": {"const": {"$ref": "x"}}}}),
            json!({"properties": {"a": {"$ref": "#"}, "b": {"pattern": "^[a-z]+$", "format": "password"}}}),
        ] {
            let compiled = Schema::compile(document.clone());
            assert!(compiled.is_ok(), "{document}: {compiled:?}");
        }
    }

    #[test]
    fn payload_limits_are_checked() {
        let deep = (0..40).fold(json!(1), |inner, _| json!({"a": inner}));
        for wrong in [json!([]), json!("a"), deep, json!({"a": "x".repeat(PAYLOAD_BYTES_MAX)})] {
            assert_eq!(schema(json!({})).check(&wrong).len(), 1);
        }
    }

    proptest! {
        #[test]
        fn masked_payload_and_violations_contain_no_secret(
            secret in "[a-z]{12}",
            depth in -20_i64..20,
            pins in proptest::collection::vec("[a-z]{12}", 0..4),
        ) {
            let logins: Vec<Value> = pins.iter().map(|pin| json!({"pin": pin, "who": 1})).collect();
            let payload = json!({"token": secret, "depth": depth, "provider_id": 1, "logins": logins});
            let shown = format!("{} {:?}", sync().conceal(&payload), sync().check(&payload));
            for hidden in pins.iter().chain([&secret]) {
                prop_assert!(!shown.contains(hidden.as_str()), "{hidden} is in {shown}");
            }
            let (mut shown, hidden) = sync().split(payload.clone());
            prop_assert_eq!(&sync().restore(shown.clone(), &shown, &hidden), &payload);
            reveal(&mut shown, &hidden);
            prop_assert_eq!(shown, payload);
        }

        #[test]
        fn with_defaults_is_idempotent(depth in proptest::option::of(-20_i64..20), opts in any::<bool>()) {
            let mut payload = json!({});
            if let Some(depth) = depth { payload["depth"] = json!(depth); }
            if opts { payload["opts"] = json!({}); }
            let once = sync().with_defaults(payload);
            prop_assert_eq!(sync().with_defaults(once.clone()), once);
        }
    }
}
