import type { Definition } from "../api/model";

/** Fields set by the hub; not accepted in requests. */
const SET_BY_HUB = new Set(["id", "version", "created_at", "updated_at"]);

/** The editable fields of a definition. */
export function editableFields(definition: Definition): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).filter(([name]) => !SET_BY_HUB.has(name)));
}

export const EXAMPLE: Record<string, unknown> = {
  key: "my-command",
  description: "Describe what this command does.",
  argv: ["echo", "Hello, {{ name }}!"],
  arg_schema: {
    type: "object",
    additionalProperties: false,
    properties: { name: { type: "string", description: "Name to greet.", default: "world" } },
  },
  timeout_seconds: 3600,
  max_attempts: 3,
};

/** Property names of a payload schema; required ones are marked with `*`. */
export function payloadNames(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "";
  const { properties, required } = schema as { properties?: object; required?: string[] };
  return Object.keys(properties ?? {})
    .map((name) => (required?.includes(name) ? `${name}*` : name))
    .join(", ");
}

/** Formats a value for the list of changes. */
export function formatFieldValue(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
