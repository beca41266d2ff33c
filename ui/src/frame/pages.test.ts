import { expect, it } from "vitest";
import { pageRefusal } from "./pages";

it("pageRefusal rejects roles that cannot use a page", () => {
  expect(pageRefusal("viewer", "/admin/people")).toBeUndefined();
  expect(pageRefusal("operator", "/admin/audit")).toContain("admin");
  expect(pageRefusal("admin", "/admin/audit")).toBeUndefined();
  expect(pageRefusal("admin", "/admin/hub")).toContain("super admin");
  expect(pageRefusal("viewer", "/hosts/web-1")).toBeUndefined();
});
