import { expect, it } from "vitest";
import type { Definition } from "../api/model";
import { editable, payloadNames, shown } from "./definition-form";

it("leaves out what the hub sets", () => {
  const definition = { id: "1", key: "hello", version: 3, created_at: "", updated_at: "", argv: [] };
  expect(editable(definition as unknown as Definition)).toEqual({ key: "hello", argv: [] });
});

it("names properties and marks the needed ones", () => {
  expect(payloadNames({ properties: { a: {}, b: {} }, required: ["b"] })).toBe("a, b*");
  expect(payloadNames(true)).toBe("");
});

it("shows values", () => {
  expect(shown(null)).toBe("–");
  expect(shown("text")).toBe("text");
  expect(shown({ a: 1 })).toBe('{\n  "a": 1\n}');
});
