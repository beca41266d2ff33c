import type { Definition } from "../api/model";

/** What the hub sets itself and does not take. */
const SET_BY_HUB = new Set(["id", "version", "created_at", "updated_at"]);

/** A definition as a person edits it. */
export function editable(definition: Definition): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).filter(([name]) => !SET_BY_HUB.has(name)));
}

export const EXAMPLE: Record<string, unknown> = {
  key: "my-command",
  description: "What it is for.",
  argv: ["echo", "Hello, {{ name }}!"],
  arg_schema: {
    type: "object",
    additionalProperties: false,
    properties: { name: { type: "string", description: "Who is greeted.", default: "world" } },
  },
  timeout_seconds: 3600,
  max_attempts: 3,
};

/** The names of a payload's properties, with a star for those that are needed. */
export function payloadNames(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "";
  const { properties, required } = schema as { properties?: object; required?: string[] };
  return Object.keys(properties ?? {})
    .map((name) => (required?.includes(name) ? `${name}*` : name))
    .join(", ");
}

/** A value as one looks at it in a comparison. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
