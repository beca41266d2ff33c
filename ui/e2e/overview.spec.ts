import { call, connectedHost, createDefinition, enqueue, expect, open, test, waitForStatus } from "./hub";

test("the overview shows running jobs and hosts, and its counts link to filtered lists", async ({ page }) => {
  await open(page, "/");
  const key = await createDefinition(page, "long", "sleep 30");
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "running");
  await open(page, "/");
  const running = page.getByRole("region", { name: "Running now" });
  await expect(running.getByRole("link", { name: key })).toBeVisible();
  await expect(page.getByRole("region", { name: "Hosts" })).toContainText(/online|degraded/);
  await page
    .getByRole("region", { name: "Queue" })
    .getByRole("link", { name: /running/ })
    .click();
  await expect(page).toHaveURL(/status%3Arunning/);
  await expect(page.getByRole("row").filter({ hasText: key })).toBeVisible();
  await call(page, "POST", `/jobs/${job}/cancel`, {});
});

test("an alert on the overview is snoozed with undo, and its dead-letter jobs are retried together", async ({
  page,
}) => {
  await open(page, "/");
  const key = await createDefinition(page, "hopeless", "exit 75", { max_attempts: 1 });
  for (let count = 0; count < 2; count += 1)
    await waitForStatus(page, await enqueue(page, key), "dead_letter");
  const row = page.getByRole("listitem").filter({ hasText: key }).filter({ hasText: "dead letter" });
  await expect(row.getByRole("link", { name: "2 jobs" })).toBeVisible({ timeout: 30_000 });
  await row.getByRole("button", { name: "Retry all 2 jobs…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`status:dead_letter def:${key}`);
  await dialog.getByRole("button", { name: "Retry 2 jobs" }).click();
  await expect(page.getByText("Batch started for 2 jobs")).toBeVisible();
  await row.getByRole("button", { name: "Snooze 1 h" }).click();
  await expect(page.getByText("Snoozed for 1 hour")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).last().click();
});

test("the overview counts the runs of a frequent schedule", async ({ page }) => {
  await open(page, "/");
  const label = `Often ${Date.now()}`;
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label,
    cron_expr: "*/5 * * * *",
    timezone: "UTC",
    definition_key: "hello",
    payload_template: {},
  });
  await waitForStatus(page, await enqueue(page, "hello"), "succeeded");
  await open(page, "/");
  const next = page.getByRole("region", { name: "Next 24 hours" });
  await expect(next.getByRole("listitem").filter({ hasText: label })).toContainText(
    "every 5 minutes, 288 runs a day",
  );
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});

test("the wallboard has no navigation", async ({ page }) => {
  await open(page, "/wall");
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Jobs" })).toContainText("running");
});

test("a definition is edited after a review of the changes and keeps its versions", async ({ page }) => {
  await open(page, "/admin/definitions");
  const key = await createDefinition(page, "versioned", "true");
  await open(page, `/admin/definitions/${key}/edit`);
  const field = page.getByRole("textbox", { name: "Definition" });
  await field.fill((await field.inputValue()).replace('"timeout_seconds": 3600', '"timeout_seconds": 60'));
  await expect(page.getByRole("button", { name: "Save definition" })).toBeDisabled();
  await page.getByRole("button", { name: "Review changes" }).click();
  const changes = page.getByRole("region", { name: "Unsaved changes" });
  await expect(changes).toContainText("timeout_seconds");
  await expect(changes).toContainText("3600");
  await page.getByRole("button", { name: "Save definition" }).click();
  await expect(page.getByRole("region", { name: "version 2" })).toContainText("60");
  await expect(page.getByRole("region", { name: "version 1" })).toBeVisible();
});

test("a host page shows its jobs, schedules and timeline", async ({ page }) => {
  await open(page, "/hosts");
  const name = await connectedHost(page);
  const job = await enqueue(page, "hello", { host: name });
  await waitForStatus(page, job, "succeeded");
  await open(page, `/hosts/${name}`);
  await expect(page.getByRole("region", { name: "Last runs" })).toContainText("hello");
  const tabs = page.getByRole("navigation", { name: "Views of this host" });
  await tabs.getByRole("link", { name: "Jobs" }).click();
  await expect(page).toHaveURL(/tab=jobs/);
  await expect(page.getByRole("row").filter({ hasText: "hello" }).first()).toBeVisible();
  await tabs.getByRole("link", { name: "Timeline" }).click();
  await expect(page.getByText(/hello, run 1/).first()).toBeVisible();
  await tabs.getByRole("link", { name: "Schedules" }).click();
  await expect(tabs.getByRole("link", { name: "Schedules" })).toHaveAttribute("aria-current", "page");
  await expect(tabs.getByRole("link", { name: "Overview" })).not.toHaveAttribute("aria-current", "page");
});
