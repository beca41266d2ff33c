import { createDefinition, enqueue, expect, open, test, uniqueName, waitForStatus } from "./hub";

test("an alert opens, is acknowledged with a note, and resolved", async ({ page }) => {
  await open(page, "/alerts");
  const key = await createDefinition(page, "broken", "exit 3", { no_retry_exit_codes: [3] });
  await waitForStatus(page, await enqueue(page, key), "failed");
  const row = page.getByRole("listitem").filter({ hasText: key });
  await expect(row).toContainText("job failed", { timeout: 30_000 });
  await expect(row).toContainText("warning");
  await expect(page).toHaveTitle(/^\(\d+!\) Alerts/);
  await row.getByRole("button", { name: "Acknowledge…" }).click();
  await page.getByLabel("Note").fill("vendor outage");
  await page.getByRole("dialog").getByRole("button", { name: "Acknowledge alert" }).click();
  await expect(row).toHaveCount(0);

  await page.getByText("Acknowledged", { exact: true }).first().click();
  await expect(page).toHaveURL(/status=acked/);
  await expect(row).toContainText("vendor outage");
  await row.getByRole("button", { name: "Resolve…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resolve alert" }).click();
  await page.getByText("Resolved", { exact: true }).first().click();
  await expect(row).toContainText("resolved");
});

test("a channel is added, tested, disabled, and removed", async ({ page }) => {
  const name = uniqueName("ops");
  await open(page, "/alerts/channels");
  await page.getByRole("button", { name: "Add channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Type", { exact: true }).selectOption({ label: "Command on the hub's machine" });
  await dialog.getByRole("textbox", { name: "Command" }).fill("true");
  await dialog.getByRole("button", { name: "Add channel" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/^Delivered in/)).toBeVisible();
  await expect(row).toContainText("delivered");
  await row.getByRole("switch").click();
  await expect(page.getByText(`${name} disabled`)).toBeVisible();
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove channel" }).click();
  await expect(row).toHaveCount(0);
});

test("a test notification that fails shows the reason", async ({ page }) => {
  const name = uniqueName("nowhere");
  await open(page, "/alerts/channels");
  await page.getByRole("button", { name: "Add channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Type", { exact: true }).selectOption({ label: "Command on the hub's machine" });
  await dialog.getByRole("textbox", { name: "Command" }).fill("false");
  await dialog.getByRole("button", { name: "Add channel" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/^Not delivered/)).toBeVisible();
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove channel" }).click();
  await expect(row).toHaveCount(0);
});

test("a rule is disabled and restored; a maintenance window is created and removed", async ({ page }) => {
  await open(page, "/alerts/rules");
  const rule = page.getByRole("switch", { name: "Enable version skew alerts" });
  await rule.click();
  await expect(rule).not.toBeChecked();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rule).toBeChecked();

  const label = uniqueName("kernel");
  await open(page, "/alerts/maintenance");
  await page.getByRole("button", { name: "Add window" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(label);
  await page.getByRole("dialog").getByRole("button", { name: "Add window" }).click();
  const row = page.getByRole("row").filter({ hasText: label });
  await expect(row).toContainText("active");
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove window" }).click();
  await expect(row).toHaveCount(0);
});

test("the alert rules show their kinds and delays", async ({ page }) => {
  await open(page, "/alerts/rules");
  const stale = page.getByRole("row").filter({ hasText: "stale schedule" });
  await expect(
    stale.getByTitle("A host that may sleep has not run one of its schedules for too long."),
  ).toBeVisible();
  await expect(stale).toContainText("7 d");
  await expect(page.getByRole("row").filter({ hasText: "host offline" })).toBeVisible();
});

test("new alerts are held back while the page is scrolled down", async ({ page }) => {
  // Enough alerts to make the page scroll.
  let count = 40;
  const since = new Date().toISOString();
  await page.route(/\/alerts\?status=open/, (route) =>
    route.fulfill({
      json: {
        items: Array.from({ length: count }, (_, index) => ({
          id: `alert-${index}`,
          kind: "job_failed",
          severity: "warning",
          status: "open",
          subject_kind: "definition",
          subject_id: `d-${index}`,
          subject_name: `sample-${index}`,
          text: "it failed",
          since,
          is_flapping: false,
          created_at: since,
          updated_at: since,
        })),
      },
    }),
  );
  await open(page, "/alerts");
  await expect(page.getByRole("listitem")).toHaveCount(40);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  count = 42;
  const newRows = page.getByRole("button", { name: "Show 2 new" });
  await expect(newRows).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("listitem")).toHaveCount(40);
  await newRows.click();
  await expect(page.getByRole("listitem")).toHaveCount(42);
});

test("alerts are filtered by kind and severity, counted, and link to their jobs", async ({ page }) => {
  await open(page, "/alerts");
  const key = await createDefinition(page, "counted", "exit 3", { no_retry_exit_codes: [3] });
  await waitForStatus(page, await enqueue(page, key), "failed");
  const row = page.getByRole("listitem").filter({ hasText: key });
  await expect(row.getByRole("link", { name: "1 job" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("radio", { name: /^Open\s*\d+$/ })).toBeChecked();
  await page.getByLabel("Severity").selectOption("critical");
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByLabel("Kind").selectOption("Job failed");
  await expect(page).toHaveURL(/kind=job_failed/);
  await row.getByRole("link", { name: "1 job" }).click();
  await expect(page.getByRole("row").filter({ hasText: key })).toBeVisible();
});
