import { expect, it } from "vitest";
import { may, refusal } from "./roles";

it("orders roles", () => {
  expect(may("operator", "viewer")).toBe(true);
  expect(may("operator", "admin")).toBe(false);
  expect(may("super_admin", "admin")).toBe(true);
});

it("says why not, and only then", () => {
  expect(refusal("viewer", "operator")).toContain("operator");
  expect(refusal("admin", "operator")).toBeUndefined();
});
