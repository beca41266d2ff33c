import {
  collectPageErrors,
  createDefinition,
  enqueue,
  expect,
  open,
  test,
  uniqueName,
  waitForStatus,
} from "./hub";

const PASSWORD = "a long enough password";

test("a token is shown once and can be revoked", async ({ page }) => {
  const name = uniqueName("e2e");
  await open(page, "/admin/tokens");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  const secret = await page.getByText(/^hst_\w{20,}$/).innerText();
  await page.keyboard.press("Escape");

  const bearer = { headers: { authorization: `Bearer ${secret}`, cookie: "" } };
  expect((await page.request.get("/api/v1/me", bearer)).status()).toBe(200);
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: "Revoke…" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toContainText("revoked");
  await expect.poll(async () => (await page.request.get("/api/v1/me", bearer)).status()).toBe(401);
});

test("an invited viewer signs in, cannot change anything, and loses access when removed", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = `${uniqueName("e2e")}@example.net`;
  await open(page, "/admin/people");
  await page.getByRole("button", { name: "Invite person" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
  const link = await page.getByText(/\/invite\//).innerText();
  await page.keyboard.press("Escape");
  await expect(page.getByText(email)).toBeVisible();

  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    ...(baseURL ? { baseURL } : {}),
  });
  const guest = await context.newPage();
  const pageErrors = await collectPageErrors(guest);
  await guest.goto(new URL(link).pathname);
  await guest.getByLabel("Your name").fill("Eve Example");
  await guest.getByRole("textbox", { name: "Choose a password" }).fill(PASSWORD);
  await guest.getByRole("button", { name: "Join" }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await guest.goto("/hosts");

  const add = guest.getByRole("button", { name: "Add host" });
  await expect(add).toHaveAttribute("aria-disabled", "true");
  await add.hover();
  await expect(guest.getByRole("tooltip")).toContainText("Requires the admin role");
  await guest.goto("/run?def=hello");
  await expect(guest.getByRole("button", { name: "Run job" })).toHaveAttribute("aria-disabled", "true");
  // The hub rejects the request too.
  await expect(enqueue(guest, "hello")).rejects.toThrow("403");
  await guest.goto("/admin/hub");
  await expect(
    guest.getByRole("heading", { level: 1, name: "You don't have access to this page" }),
  ).toBeAttached();

  await guest.getByRole("button", { name: /^Account/ }).click();
  await guest.getByRole("menuitem", { name: "Sign out" }).click();
  await guest.getByLabel("Email").fill(email);
  await guest.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await guest.getByRole("button", { name: "Sign in" }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await page.reload();
  await page.getByRole("row").filter({ hasText: email }).getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove person" }).click();
  await expect(page.getByText(email)).toHaveCount(0);
  // No reload is needed: the hub closes the event stream of a user whose role changed.
  await expect(guest.getByRole("heading", { name: "You are not a member of an organization" })).toBeVisible({
    timeout: 15_000,
  });
  expect(pageErrors).toEqual([]);
  await context.close();
});

test("the audit log is filtered, expands a row, and verifies its chain", async ({ page }) => {
  await open(page, "/admin/audit");
  await page.getByRole("searchbox", { name: "Filter by action" }).fill("host.*");
  await expect(page).toHaveURL(/action=/);
  await expect(page.getByRole("row").nth(1)).toContainText("host.");
  await page.locator("[data-row]").first().click();
  await expect(page.getByText(/^Sequence number (\d+|not sealed yet)$/)).toBeVisible();
  await page.getByRole("button", { name: "Verify chain" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Intact: / })).toBeVisible();
});

test("an unknown time zone is not accepted", async ({ page }) => {
  await open(page, "/admin/org");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  const before = await zone.inputValue();
  await zone.fill("Mars/Olympus");
  await expect(page.getByText("No matching time zone")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(zone).toHaveValue(before);
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
});

test("a command-line sign-in can be denied", async ({ page }) => {
  const started = await page.request.post("/api/v1/sign-in/device", { data: { client: "e2e" } });
  const { user_code: code } = await started.json();
  await open(page, "/d");
  await page.getByLabel("Code").fill(code.toLowerCase());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("e2e")).toBeVisible();
  // The owner is super admin; a login is so only if the role is chosen.
  await expect(page.getByLabel("Role")).toHaveValue("admin");
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("Denied.")).toBeVisible();
});

test("the audit log shows the creator and the address behind a job", async ({ page }) => {
  await open(page, "/admin/audit");
  const key = await createDefinition(page, "audited", "true");
  await enqueue(page, key);
  await page.goto("/admin/audit?action=job.created");
  const row = page.getByRole("row").filter({ hasText: key }).first();
  await expect(row).toContainText("job.created");
  await expect(row).toContainText("owner@localhost");
  await row.locator("[data-row]").click();
  await expect(page.getByText(/127\.0\.0\.1/).first()).toBeVisible();
});

test("super admins see the queues and workers of all organizations", async ({ page }) => {
  await open(page, "/admin/workers");
  await waitForStatus(page, await enqueue(page, "hello"), "succeeded");
  await page.reload();
  const queues = page.getByRole("region", { name: "Queues of all organizations" });
  await expect(queues.getByRole("row").filter({ hasText: "default" })).toContainText(/\d+ (ms|s) \/ /);
  for (const head of [
    "Queued",
    "Running",
    "Dead letter",
    "Oldest",
    "Wait p50 / p95",
    "Created per min",
    "Failure rate",
  ]) {
    await expect(queues.getByRole("columnheader", { name: head })).toBeVisible();
  }
  // A worker that was last seen an hour ago.
  await page.route("**/api/v1/admin/workers", async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { items: object[] };
    const staleWorker = {
      worker_id: "gone:1:x",
      org: "default",
      stale: true,
      queues: ["default"],
      running_count: 1,
      version: "0.1.0",
      last_seen_at: new Date(Date.now() - 3_600_000).toISOString(),
      metadata: {},
    };
    await route.fulfill({ response, json: { items: [...items, staleWorker] } });
  });
  await page.reload();
  await expect(page.getByText("1 worker has not contacted the hub for too long.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "gone:1:x" })).toContainText("stale");
});

test("the audit log is downloaded as CSV", async ({ page }) => {
  await open(page, "/admin/audit");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("audit.csv");
});
