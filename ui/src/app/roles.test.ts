import { expect, it } from "vitest";
import { may, refusal } from "./roles";

it("may follows the order of roles", () => {
  expect(may("operator", "viewer")).toBe(true);
  expect(may("operator", "admin")).toBe(false);
  expect(may("super_admin", "admin")).toBe(true);
});

it("refusal explains missing roles only", () => {
  expect(refusal("viewer", "operator")).toContain("operator");
  expect(refusal("admin", "operator")).toBeUndefined();
});
