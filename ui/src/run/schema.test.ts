import { expect, it } from "vitest";
import { errorsByField, fieldsOf, fillFields, parseFields } from "./schema";

const SYNC = {
  type: "object",
  additionalProperties: false,
  required: ["provider"],
  properties: {
    mode: { type: "string", enum: ["fast", "full"], default: "fast" },
    provider: { type: "string", minLength: 2 },
    limit: { type: "integer", minimum: 1, maximum: 10 },
    dry: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    token: { type: "string", writeOnly: true },
  },
};

it("fieldsOf lists required fields first", () => {
  const fields = fieldsOf(SYNC);
  expect(fields?.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
    "provider:text",
    "mode:choice",
    "limit:number",
    "dry:yes-no",
    "tags:list",
    "token:text",
  ]);
  expect(fields?.find(({ name }) => name === "token")?.isHidden).toBe(true);
});

it("fieldsOf is undefined for unsupported schemas", () => {
  expect(fieldsOf({ type: "object", oneOf: [] })).toBeUndefined();
  expect(fieldsOf({ type: "object", properties: { a: { type: "object" } } })).toBeUndefined();
  expect(fieldsOf({ type: "object" })).toBeUndefined();
  expect(fieldsOf(true)).toBeUndefined();
  expect(fieldsOf({ type: "object", additionalProperties: false })).toEqual([]);
});

it("parseFields returns the payload and its errors", () => {
  const fields = fieldsOf(SYNC) ?? [];
  expect(parseFields(fields, { provider: "db", limit: "3", dry: "false", tags: "a\n b \n" })).toEqual({
    payload: { provider: "db", limit: 3, dry: false, tags: ["a", "b"] },
    errors: {},
  });
  const { errors } = parseFields(fields, { limit: "2.5" });
  expect(Object.keys(errors)).toEqual(["provider", "limit"]);
  expect(parseFields(fields, { provider: "x", limit: "99" }).errors).toHaveProperty("provider");
});

it("fillFields fills the fields from a payload", () => {
  expect(
    fillFields(fieldsOf(SYNC) ?? [], { provider: "db", tags: ["a", "b"], limit: null, extra: 1 }),
  ).toEqual({
    provider: "db",
    tags: "a\nb",
  });
});

it("errorsByField maps JSON pointers to fields", () => {
  expect(errorsByField([{ pointer: "/payload/a~1b/0", detail: "bad" }])).toEqual({ "a/b": "bad" });
  expect(errorsByField([{ pointer: "/provider", detail: "bad" }])).toEqual({ provider: "bad" });
});
