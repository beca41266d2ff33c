import { expect, it } from "vitest";
import { refusalOf } from "./places";

it("refusalOf rejects roles that cannot use a page", () => {
  expect(refusalOf("viewer", "/admin/people")).toBeUndefined();
  expect(refusalOf("operator", "/admin/audit")).toContain("admin");
  expect(refusalOf("admin", "/admin/audit")).toBeUndefined();
  expect(refusalOf("admin", "/admin/hub")).toContain("super admin");
  expect(refusalOf("viewer", "/hosts/web-1")).toBeUndefined();
});
