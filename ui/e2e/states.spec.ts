import { invite } from "./guest";
import { call, enqueue, expect, open, test, waitForStatus } from "./hub";

test("a filter without matches shows the total and can be cleared", async ({ page }) => {
  await open(page, "/jobs");
  await waitForStatus(page, await enqueue(page, "hello"), "succeeded");
  await open(page, "/jobs?filter=def:no-such-definition");
  await expect(page.getByRole("heading", { name: /^No matching jobs \([\d,]+ total\)$/ })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Clear filter" }).last().click();
  await expect(page.locator("[data-row]").first()).toBeVisible();
});

test("an empty list explains itself and offers a button and a CLI command", async ({ page }) => {
  const nothing = { json: { items: [], next: null, searched: 0 } };
  await page.route(/\/api\/.*\/jobs\?/, (route) => route.fulfill(nothing));
  await page.route(/\/api\/.*\/secrets(\?|$)/, (route) => route.fulfill(nothing));
  await open(page, "/jobs");
  await expect(page.getByText("hostler run hello -f")).toBeVisible();
  await page.getByRole("button", { name: "Run your first job" }).click();
  await expect(page).toHaveURL(/\/run/);
  await open(page, "/admin/secrets");
  await expect(page.getByText("hostler secret set DROPBOX_TOKEN")).toBeVisible();
  await page.getByRole("button", { name: "Add your first secret" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("an error shows its request ID, a retry button and a copy button", async ({ page }) => {
  let isBroken = true;
  await page.route(/\/batches(\?|$)/, (route) => {
    if (!isBroken || route.request().resourceType() === "document") return route.fallback();
    return route.fulfill({
      status: 400,
      contentType: "application/problem+json",
      json: { status: 400, code: "made_up", title: "Broken", detail: "it is broken", request_id: "req-4711" },
    });
  });
  await page.goto("/batches");
  const box = page.getByRole("alert");
  await expect(box).toContainText("req-4711");
  await expect(box.getByRole("button", { name: "Copy details" })).toBeVisible();
  isBroken = false;
  await box.getByRole("button", { name: "Try again" }).click();
  await expect(box).toHaveCount(0);
});

test("a page without access names the admins to ask", async ({ page, browser }) => {
  await open(page, "/hosts");
  const guest = await invite(page, browser, "viewer");
  await open(guest.page, "/admin/audit");
  await expect(guest.page.getByText("Requires the admin role")).toBeVisible();
  const { items } = await call<{ items: { email: string; role: string }[] }>(page, "GET", "/members");
  const admin = items.find(({ role }) => role === "admin");
  await expect(guest.page.getByText(admin?.email ?? "an admin")).toBeVisible();
  await guest.context.close();
});

test("forced colors mark the current page, the selected row and the focused item", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, "/jobs");
  await waitForStatus(page, await enqueue(page, "hello"), "succeeded");
  await open(page, "/jobs");
  const rail = page.getByRole("navigation", { name: "Main" });
  await expect(rail.getByRole("link", { name: "Jobs" })).toHaveCSS("outline-style", "solid");
  await expect(rail.getByRole("link", { name: "Hosts" })).toHaveCSS("outline-style", "none");
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.locator("[data-selected]")).toHaveCSS("outline-style", "solid");
  await page.getByRole("button", { name: "Columns" }).click();
  await expect(page.getByRole("menuitemcheckbox").first()).toHaveCSS("outline-style", "solid");
});

test("no page overflows at 200 % zoom", async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 450 });
  for (const path of ["/", "/hosts", "/jobs", "/servers", "/triggers", "/alerts", "/admin/audit"]) {
    await open(page, path);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(overflow, path).toBeLessThanOrEqual(0);
  }
});
