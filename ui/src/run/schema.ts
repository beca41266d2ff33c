import { runText } from "../messages/run";

/** A payload property as a form field. */
export interface Field {
  name: string;
  kind: "text" | "number" | "choice" | "yes-no" | "list";
  description: string;
  isRequired: boolean;
  isWhole: boolean;
  isHidden: boolean;
  choices: string[];
  initial: string;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

type Schema = Record<string, unknown>;

/** Schema keywords that the form does not support. */
const UNSUPPORTED = [
  "$ref",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "patternProperties",
  "dependentSchemas",
  "dependentRequired",
];

/** Fields of a payload schema; `undefined` if it needs the JSON editor. */
export function fieldsOf(schema: unknown): Field[] | undefined {
  if (!isObject(schema)) return undefined;
  if (schema.type !== "object" || UNSUPPORTED.some((word) => word in schema)) return undefined;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const isOpen = schema.additionalProperties !== false;
  if (isOpen && Object.keys(properties).length === 0) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields: Field[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const field = fieldOf(name, property, required.includes(name));
    if (!field) return undefined;
    fields.push(field);
  }
  // Required fields first, otherwise in schema order.
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function fieldOf(name: string, schema: unknown, isRequired: boolean): Field | undefined {
  if (!isObject(schema) || UNSUPPORTED.some((word) => word in schema)) return undefined;
  const kind = kindOf(schema);
  if (!kind) return undefined;
  return {
    name,
    kind,
    description: typeof schema.description === "string" ? schema.description : "",
    isRequired,
    isWhole: schema.type === "integer",
    isHidden: schema.writeOnly === true,
    choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
    initial: schema.default === undefined ? "" : formatValue(schema.default),
    ...numberOf(schema, "minimum", "min"),
    ...numberOf(schema, "maximum", "max"),
    ...numberOf(schema, "minLength", "minLength"),
    ...numberOf(schema, "maxLength", "maxLength"),
    ...(typeof schema.pattern === "string" ? { pattern: schema.pattern } : {}),
  };
}

function numberOf<Name extends string>(schema: Schema, from: string, to: Name): { [Key in Name]?: number } {
  const value = schema[from];
  return (typeof value === "number" ? { [to]: value } : {}) as { [Key in Name]?: number };
}

function kindOf(schema: Schema): Field["kind"] | undefined {
  if (schema.type === "string") return Array.isArray(schema.enum) ? "choice" : "text";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "boolean") return "yes-no";
  const isTextList = schema.type === "array" && isObject(schema.items) && schema.items.type === "string";
  return isTextList && !UNSUPPORTED.some((word) => word in (schema.items as object)) ? "list" : undefined;
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Field texts by name. An empty text means absent. */
export type FieldInputs = Record<string, string>;

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join("\n") : String(value);
}

/** Fills the fields from a payload, as far as they support its values. */
export function fillFields(fields: Field[], payload: unknown): FieldInputs {
  const source = isObject(payload) ? payload : {};
  return Object.fromEntries(
    fields
      .filter(({ name }) => source[name] !== undefined && source[name] !== null)
      .map(({ name }) => [name, formatValue(source[name])]),
  );
}

export interface ParsedPayload {
  payload: Record<string, unknown>;
  /** Errors by field name. */
  errors: Record<string, string>;
}

/** Reads and validates the payload from the fields. */
export function parseFields(fields: Field[], input: FieldInputs): ParsedPayload {
  const parsed: ParsedPayload = { payload: {}, errors: {} };
  for (const field of fields) {
    const value = input[field.name] ?? "";
    if (value.trim() === "") {
      if (field.isRequired && field.initial === "") parsed.errors[field.name] = runText.required;
      continue;
    }
    const error = fieldError(field, value);
    if (error) parsed.errors[field.name] = error;
    else parsed.payload[field.name] = parseValue(field, value);
  }
  return parsed;
}

function parseValue(field: Field, input: string): unknown {
  if (field.kind === "number") return Number(input);
  if (field.kind === "yes-no") return input === "true";
  if (field.kind === "list")
    return input
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  return input;
}

function fieldError(field: Field, input: string): string | undefined {
  if (field.kind === "number") return numberError(field, Number(input));
  if (field.kind !== "text") return undefined;
  if (field.minLength !== undefined && [...input].length < field.minLength)
    return runText.tooShort(field.minLength);
  if (field.maxLength !== undefined && [...input].length > field.maxLength)
    return runText.tooLong(field.maxLength);
  if (field.pattern && !matchesPattern(field.pattern, input)) return runText.patternMismatch(field.pattern);
  return undefined;
}

function numberError({ isWhole, min, max }: Field, value: number): string | undefined {
  if (Number.isNaN(value)) return runText.notNumber;
  if (isWhole && !Number.isInteger(value)) return runText.notWhole;
  if (min !== undefined && value < min) return runText.tooSmall(min);
  if (max !== undefined && value > max) return runText.tooLarge(max);
  return undefined;
}

/** Patterns that this browser cannot parse are checked by the hub only. */
function matchesPattern(pattern: string, input: string): boolean {
  try {
    return new RegExp(pattern, "u").test(input);
  } catch {
    return true;
  }
}

/** Validation errors of the hub, by field name. */
export function errorsByField(
  errors: { pointer: string; detail: string }[] | undefined,
): Record<string, string> {
  return Object.fromEntries(
    (errors ?? []).map(({ pointer, detail }) => [
      (pointer.replace(/^\/payload/, "").split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~"),
      detail,
    ]),
  );
}
