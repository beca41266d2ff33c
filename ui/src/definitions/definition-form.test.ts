import { expect, it } from "vitest";
import type { Definition } from "../api/model";
import { editableFields, formatFieldValue, payloadNames } from "./definition-form";

it("editableFields omits fields set by the hub", () => {
  const definition = { id: "1", key: "hello", version: 3, created_at: "", updated_at: "", argv: [] };
  expect(editableFields(definition as unknown as Definition)).toEqual({ key: "hello", argv: [] });
});

it("payloadNames marks required properties", () => {
  expect(payloadNames({ properties: { a: {}, b: {} }, required: ["b"] })).toBe("a, b*");
  expect(payloadNames(true)).toBe("");
});

it("formatFieldValue formats values", () => {
  expect(formatFieldValue(null)).toBe("–");
  expect(formatFieldValue("text")).toBe("text");
  expect(formatFieldValue({ a: 1 })).toBe('{\n  "a": 1\n}');
});
