import { call, define, enqueue, expect, open, reach, test } from "./hub";

test("from the form to the live output, and canceled on the way", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(
    page,
    "talk",
    "i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo line $i; sleep 0.1; done",
  );
  await open(page, `/run?def=${key}`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: key })).toBeVisible();
  const log = page.getByRole("log");
  await expect(log.getByText("line 1", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("running").first()).toBeVisible();
  // It goes on by itself.
  await expect(log.getByText("line 20", { exact: true })).toBeVisible({ timeout: 15_000 });

  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByLabel("Reason").fill("enough");
  await page.getByRole("button", { name: "Cancel job" }).click();
  await expect(page.getByText("canceled", { exact: true }).first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("button", { name: "Retry…" })).toBeVisible();
});

test("filtered by a count, explained, and retried in bulk by keys", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(page, "fail", "echo no such folder >&2; exit 2", { no_retry_exit_codes: [2] });
  const jobs = [await enqueue(page, key), await enqueue(page, key)];
  for (const job of jobs) await reach(page, job, "failed");

  await open(page, `/jobs?filter=def:${key}`);
  await page.getByRole("button", { name: /failed/ }).click();
  await expect(page).toHaveURL(/status%3Afailed/);
  await expect(page.getByText("it exited with 2")).toHaveCount(2);

  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(page.getByText("2 selected")).toBeVisible();
  const bar = page.getByRole("region", { name: "2 selected" });
  await bar.getByRole("button", { name: "Retry…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
  await page.getByRole("button", { name: "Show batch" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "retry" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("2 of 2", { timeout: 15_000 });
  for (const job of jobs) {
    const attempts = async () =>
      (await call<{ items: unknown[] }>(page, "GET", `/jobs/${job}/attempts`)).items.length;
    await expect.poll(attempts, { timeout: 20_000 }).toBe(2);
  }
});

test("all that match, counted before anything is done", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(page, "later", "true");
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
  await page.getByLabel("Do what").selectOption("cancel");
  await expect(page.getByText("3 jobs fit the filter.")).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("list", { name: "These" })).toContainText(key);
  await page.getByRole("button", { name: "Go on with 3" }).click();
  for (const job of jobs) await reach(page, job, "canceled");
});

test("a job that waits says why, and can be sent elsewhere", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(page, "wait", "true");
  const job = await enqueue(page, key, { target: { selector: "gpu=a100" } });
  await open(page, `/jobs/${job}`);
  await expect(page.getByText(/no host matches/i)).toBeVisible();
  const [host] = (await call<{ items: { name: string }[] }>(page, "GET", "/hosts")).items;
  await page.getByRole("button", { name: "Move…" }).click();
  await page.getByRole("combobox", { name: "Host" }).click();
  await page.getByRole("option", { name: host?.name ?? "" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
  await expect(page.getByText("succeeded").first()).toBeVisible({ timeout: 15_000 });
});

test("a job between two tries says when the next one is and what went wrong", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(page, "again", "sleep 1; exit 9", {
    max_attempts: 3,
    backoff: { initial_ms: 3_600_000, cap_ms: 7_200_000, factor: 2 },
  });
  const job = await enqueue(page, key);
  const row = page.getByRole("rowgroup").filter({ hasText: key });
  await expect(row).toContainText(/retrying\s*in \d+ [smh]/, { timeout: 20_000 });
  await expect(row).toContainText("it exited with 9");
  await call(page, "POST", `/jobs/${job}/cancel`, {});
});

test("a job's page tells its life in a line, compares it with earlier ones, and gives its commands", async ({
  page,
}) => {
  await open(page, "/jobs");
  const key = await define(page, "life", "true");
  for (let made = 0; made < 2; made += 1) await reach(page, await enqueue(page, key), "succeeded");
  const job = await enqueue(page, key);
  await reach(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  const life = page.getByRole("list", { name: "From the queue to the end" });
  await expect(life.getByRole("listitem")).toHaveText([
    /^queued\d\d:\d\d:\d\dwaited/,
    /^began\d\d:\d\d:\d\dran/,
    /^succeeded\d\d:\d\d:\d\d$/,
  ]);
  await expect(page.getByRole("region", { name: "Same command, last 3" })).toContainText("median");
  await expect(page.getByRole("region", { name: "From a terminal" })).toContainText(`hostler run ${key}`);
});

test("retried with another payload", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(page, "greet", 'test "$0" = right', {
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
  await reach(page, job, "dead_letter");
  await open(page, `/jobs/${job}`);
  await expect(page.getByText("dead letter").first()).toBeVisible();
  await page.getByRole("button", { name: "Retry…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Change the payload").click();
  await dialog.getByRole("textbox", { name: "Payload" }).fill("{");
  await expect(dialog.getByText(/^Not JSON/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Payload" }).fill('{"word": "right"}');
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("succeeded").first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("log").getByText("got right")).toBeVisible();
  await page.getByRole("button", { name: "Attempt 1" }).click();
  await expect(page.getByRole("log").getByText("got wrong")).toBeVisible();
});

test("rows come by themselves, wait while somebody reads, and stand still when asked", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(page, "live", "true");
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
  const fresh = page.getByRole("button", { name: "1 new · show" });
  await expect(fresh).toBeVisible();
  await expect(rows).toHaveCount(61);
  await fresh.click();
  await expect(rows).toHaveCount(62);

  await page.keyboard.press("p");
  await expect(page.getByText("paused", { exact: true })).toBeVisible();
  await enqueue(page, key);
  await page.waitForTimeout(2500);
  await expect(rows).toHaveCount(62);
  await page.keyboard.press("p");
  await expect(rows).toHaveCount(63);
});

test("rows wait while one of them has the focus", async ({ page }) => {
  await open(page, "/jobs");
  const key = await define(page, "held", "true");
  await reach(page, await enqueue(page, key), "succeeded");
  await open(page, `/jobs?filter=def:${key}`);
  const rows = page.locator("tbody[data-job]");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("j");
  await expect(page.locator("[data-row]").first()).toBeFocused();
  await enqueue(page, key);
  const fresh = page.getByRole("button", { name: "1 new · show" });
  await expect(fresh).toBeVisible();
  await expect(rows).toHaveCount(1);
  await fresh.click();
  await expect(rows).toHaveCount(2);
  await expect(fresh).toHaveCount(0);
});

test("the filter completes words, and a wrong one is explained", async ({ page }) => {
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

test("a link to a job that is not there says so", async ({ page }) => {
  await open(page, "/jobs/01AAAAAAAAAAAAAAAAAAAAAAAA");
  await expect(page.getByRole("heading", { name: "There is no such job" })).toBeVisible();
});
