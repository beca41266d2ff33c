import { expect, it } from "vitest";
import type { Definition } from "../api/model";
import { editable, payloadNames, shown } from "./definition-form";

it("editable omits fields set by the hub", () => {
  const definition = { id: "1", key: "hello", version: 3, created_at: "", updated_at: "", argv: [] };
  expect(editable(definition as unknown as Definition)).toEqual({ key: "hello", argv: [] });
});

it("payloadNames marks required properties", () => {
  expect(payloadNames({ properties: { a: {}, b: {} }, required: ["b"] })).toBe("a, b*");
  expect(payloadNames(true)).toBe("");
});

it("shown formats values", () => {
  expect(shown(null)).toBe("–");
  expect(shown("text")).toBe("text");
  expect(shown({ a: 1 })).toBe('{\n  "a": 1\n}');
});
