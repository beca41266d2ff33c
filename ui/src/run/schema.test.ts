import { expect, it } from "vitest";
import { faultsByField, fieldsOf, readFields, writeFields } from "./schema";

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

it("makes fields of a plain schema, the needed ones first", () => {
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

it("leaves to JSON what fields cannot say", () => {
  expect(fieldsOf({ type: "object", oneOf: [] })).toBeUndefined();
  expect(fieldsOf({ type: "object", properties: { a: { type: "object" } } })).toBeUndefined();
  expect(fieldsOf({ type: "object" })).toBeUndefined();
  expect(fieldsOf(true)).toBeUndefined();
  expect(fieldsOf({ type: "object", additionalProperties: false })).toEqual([]);
});

it("reads the payload and says what is wrong", () => {
  const fields = fieldsOf(SYNC) ?? [];
  expect(readFields(fields, { provider: "db", limit: "3", dry: "false", tags: "a\n b \n" })).toEqual({
    payload: { provider: "db", limit: 3, dry: false, tags: ["a", "b"] },
    errors: {},
  });
  const { errors } = readFields(fields, { limit: "2.5" });
  expect(Object.keys(errors)).toEqual(["provider", "limit"]);
  expect(readFields(fields, { provider: "x", limit: "99" }).errors).toHaveProperty("provider");
});

it("puts a payload into fields", () => {
  expect(
    writeFields(fieldsOf(SYNC) ?? [], { provider: "db", tags: ["a", "b"], limit: null, extra: 1 }),
  ).toEqual({
    provider: "db",
    tags: "a\nb",
  });
});

it("finds the field a pointer means", () => {
  expect(faultsByField([{ pointer: "/payload/a~1b/0", detail: "bad" }])).toEqual({ "a/b": "bad" });
  expect(faultsByField([{ pointer: "/provider", detail: "bad" }])).toEqual({ provider: "bad" });
});
