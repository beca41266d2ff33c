import { call, createDefinition, enqueue, expect, open, test, waitForStatus } from "./hub";

test("a job is started from the form, shows live output, and is canceled", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(
    page,
    "talk",
    "i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo line $i; sleep 0.1; done",
  );
  await open(page, `/run?def=${key}`);
  await page.getByRole("button", { name: "Run job" }).click();
  await expect(page.getByRole("heading", { level: 1, name: key })).toBeVisible();
  const log = page.getByRole("log");
  await expect(log.getByText("line 1", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("running").first()).toBeVisible();
  // New lines arrive without a reload.
  await expect(log.getByText("line 20", { exact: true })).toBeVisible({ timeout: 15_000 });

  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByLabel("Reason").fill("enough");
  await page.getByRole("button", { name: "Cancel job" }).click();
  await expect(page.getByText("canceled", { exact: true }).first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("button", { name: "Retry…" })).toBeVisible();
});

test("failed jobs are filtered by their count and retried in bulk by keys", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "fail", "echo no such folder >&2; exit 2", {
    no_retry_exit_codes: [2],
  });
  const jobs = [await enqueue(page, key), await enqueue(page, key)];
  for (const job of jobs) await waitForStatus(page, job, "failed");

  await open(page, `/jobs?filter=def:${key}`);
  await page.getByRole("button", { name: /failed/ }).click();
  await expect(page).toHaveURL(/status%3Afailed/);
  await expect(page.getByText("exited with code 2")).toHaveCount(2);

  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(page.getByText("2 selected")).toBeVisible();
  const bar = page.getByRole("region", { name: "2 selected" });
  await bar.getByRole("button", { name: "Retry…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry 2 jobs" }).click();
  await page.getByRole("button", { name: "Show batch" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Retry" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("2 of 2", { timeout: 15_000 });
  for (const job of jobs) {
    const attempts = async () =>
      (await call<{ items: unknown[] }>(page, "GET", `/jobs/${job}/attempts`)).items.length;
    await expect.poll(attempts, { timeout: 20_000 }).toBe(2);
  }
});

test("a bulk cancel of all matching jobs shows the count first", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "later", "true");
  const scheduled_for = "2099-01-01T00:00:00Z";
  const jobs = [
    await enqueue(page, key, { scheduled_for }),
    await enqueue(page, key, { scheduled_for }),
    await enqueue(page, key, { scheduled_for }),
  ];
  await open(page, `/jobs?filter=def:${key}`);
  await expect(page.getByText("scheduled", { exact: true })).toHaveCount(3);
  await page.getByRole("checkbox").nth(1).check();
  await page.getByRole("button", { name: "All matching…" }).click();
  await page.getByRole("dialog").getByLabel("Action").selectOption("cancel");
  await expect(page.getByText("3 jobs match the filter.")).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("list", { name: "Selected items" })).toContainText(key);
  await page.getByRole("button", { name: "Cancel 3 jobs" }).click();
  for (const job of jobs) await waitForStatus(page, job, "canceled");
});

test("a waiting job shows the reason and can be moved", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "wait", "true");
  const job = await enqueue(page, key, { target: { selector: "gpu=a100" } });
  await open(page, `/jobs/${job}`);
  await expect(page.getByText(/no host matches/i)).toBeVisible();
  const [host] = (await call<{ items: { name: string }[] }>(page, "GET", "/hosts")).items;
  await page.getByRole("button", { name: "Move…" }).click();
  await page.getByRole("combobox", { name: "Host" }).click();
  await page.getByRole("option", { name: host?.name ?? "" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Move job" }).click();
  await expect(page.getByText("succeeded").first()).toBeVisible({ timeout: 15_000 });
});

test("a retrying job shows the time of its next attempt and the last error", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "again", "sleep 1; exit 9", {
    max_attempts: 3,
    backoff: { initial_ms: 3_600_000, cap_ms: 7_200_000, factor: 2 },
  });
  const job = await enqueue(page, key);
  const row = page.getByRole("rowgroup").filter({ hasText: key });
  await expect(row).toContainText(/retrying\s*in \d+ [smh]/, { timeout: 20_000 });
  await expect(row).toContainText("exited with code 9");
  await call(page, "POST", `/jobs/${job}/cancel`, {});
});

test("the job page shows a timeline, a comparison with earlier jobs, and its CLI commands", async ({
  page,
}) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "life", "true");
  for (let count = 0; count < 2; count += 1) await waitForStatus(page, await enqueue(page, key), "succeeded");
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline.getByRole("listitem")).toHaveText([
    /^queued\d\d:\d\d:\d\dwaited/,
    /^started\d\d:\d\d:\d\dran/,
    /^succeeded\d\d:\d\d:\d\d$/,
  ]);
  await expect(page.getByRole("region", { name: "Last 3 jobs of this definition" })).toContainText("median");
  await expect(page.getByRole("region", { name: "Command line" })).toContainText(`hostler run ${key}`);
});

test("a job is retried with another payload", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "greet", 'test "$0" = right', {
    argv: ["sh", "-c", 'echo "got $0"; test "$0" = right', "{{ word }}"],
    arg_schema: {
      type: "object",
      additionalProperties: false,
      required: ["word"],
      properties: { word: { type: "string" } },
    },
    max_attempts: 1,
  });
  const job = await enqueue(page, key, { payload: { word: "wrong" } });
  await waitForStatus(page, job, "dead_letter");
  await open(page, `/jobs/${job}`);
  await expect(page.getByText("dead letter").first()).toBeVisible();
  await page.getByRole("button", { name: "Retry…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Edit payload").click();
  await dialog.getByRole("textbox", { name: "Payload" }).fill("{");
  await expect(dialog.getByText(/^Invalid JSON/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Payload" }).fill('{"word": "right"}');
  await dialog.getByRole("button", { name: "Retry job" }).click();
  await expect(page.getByText("succeeded").first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("log").getByText("got right")).toBeVisible();
  await page.getByRole("button", { name: "Attempt 1" }).click();
  await expect(page.getByRole("log").getByText("got wrong")).toBeVisible();
});

test("new job rows appear live, are held back while scrolled down, and stop when updates are paused", async ({
  page,
}) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "live", "true");
  await call(
    page,
    "POST",
    "/jobs",
    Array.from({ length: 60 }, () => ({ definition_key: key, scheduled_for: "2099-01-01T00:00:00Z" })),
  );
  await open(page, `/jobs?filter=def:${key}`);
  const rows = page.locator("tbody[data-job]");
  await expect(rows).toHaveCount(60);
  await enqueue(page, key);
  await expect(rows).toHaveCount(61, { timeout: 5000 });

  await page.mouse.wheel(0, 1200);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  await enqueue(page, key);
  const newRows = page.getByRole("button", { name: "Show 1 new" });
  await expect(newRows).toBeVisible();
  await expect(rows).toHaveCount(61);
  await newRows.click();
  await expect(rows).toHaveCount(62);

  await page.keyboard.press("p");
  await expect(page.getByText("paused", { exact: true })).toBeVisible();
  await enqueue(page, key);
  await page.waitForTimeout(2500);
  await expect(rows).toHaveCount(62);
  await page.keyboard.press("p");
  await expect(rows).toHaveCount(63);
});

test("new job rows are held back while a row has the focus", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "held", "true");
  await waitForStatus(page, await enqueue(page, key), "succeeded");
  await open(page, `/jobs?filter=def:${key}`);
  const rows = page.locator("tbody[data-job]");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("j");
  await expect(page.locator("[data-row]").first()).toBeFocused();
  await enqueue(page, key);
  const newRows = page.getByRole("button", { name: "Show 1 new" });
  await expect(newRows).toBeVisible();
  await expect(rows).toHaveCount(1);
  await newRows.click();
  await expect(rows).toHaveCount(2);
  await expect(newRows).toHaveCount(0);
});

test("the job filter completes words and explains errors", async ({ page }) => {
  await open(page, "/jobs");
  await page.keyboard.press("/");
  await page.keyboard.type("stat");
  await expect(page.getByRole("option", { name: "status:", exact: true })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("dead");
  await expect(page.getByRole("option", { name: "dead_letter" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const field = page.getByRole("combobox", { name: "Filter jobs" });
  await expect(field).toHaveValue("status:dead_letter");
  await expect(page).toHaveURL(/dead_letter/);
  await field.fill("nonsense:1");
  await expect(page.getByRole("alert")).toContainText("filter_invalid");
  await page.getByRole("button", { name: "Clear filter" }).first().click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a link to an unknown job shows an error", async ({ page }) => {
  await open(page, "/jobs/01AAAAAAAAAAAAAAAAAAAAAAAA");
  await expect(page.getByRole("heading", { name: "Job not found" })).toBeVisible();
});
