import type { Page } from "@playwright/test";
import { createDefinition, enqueue, expect, open, test, waitForStatus } from "./hub";

const TOTAL = 1_000_000;

/** Replaces the log of every run with one of a million lines. */
async function mockMillionLines(page: Page): Promise<void> {
  await page.route(/\/jobs\/[^/]+\/logs\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const tail = Number(query.get("tail") ?? 0);
    const after = tail > 0 ? TOTAL - tail : Number(query.get("after") ?? 0);
    const limit = Number(query.get("limit") ?? 1000);
    const count = Math.max(0, Math.min(limit, TOTAL - after));
    const lines = Array.from({ length: count }, (_, index) => {
      const no = after + index + 1;
      const text = no === 777_777 ? "a needle" : `\u001b[33mline\u001b[0m ${no}`;
      return { no, at: "2026-11-16T10:00:00Z", stream: no % 1000 === 0 ? "err" : "out", text };
    });
    const last = lines.at(-1)?.no ?? after;
    await route.fulfill({ json: { attempt: 1, lines, last: tail > 0 ? TOTAL : last, is_complete: true } });
  });
}

test("a log of a million lines opens at the end, by a line link and by search, and renders few rows", async ({
  page,
}) => {
  await open(page, "/jobs");
  const job = await enqueue(page, "hello");
  await waitForStatus(page, job, "succeeded");
  await mockMillionLines(page);
  await open(page, `/jobs/${job}`);
  const log = page.getByRole("log");
  await expect(page.getByText("1,000,000 lines · complete")).toBeVisible({ timeout: 20_000 });
  await expect(log.getByText("line 1000000", { exact: true })).toBeVisible();

  await page.goto(`/jobs/${job}#L500000`);
  await page.reload();
  await expect(log.getByText("line 500000", { exact: true })).toBeVisible();
  expect(await log.locator("[data-no]").count()).toBeLessThan(120);

  await page.getByRole("searchbox", { name: "Search" }).fill("needle");
  await expect(log.locator("mark")).toHaveText("needle", { timeout: 30_000 });
  await expect(page).toHaveURL(/#L777777$/);

  await log.evaluate((box) => box.scrollTo(0, 0));
  await expect(log.getByText("line 1", { exact: true })).toBeVisible();
  await log.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(log.getByText("line 1000000", { exact: true })).toBeVisible();
});

test("scrolling through a million lines does not freeze the page", async ({ page }) => {
  await open(page, "/jobs");
  const job = await enqueue(page, "hello");
  await waitForStatus(page, job, "succeeded");
  await mockMillionLines(page);
  await open(page, `/jobs/${job}#L400000`);
  await expect(page.getByRole("log").getByText("line 400000", { exact: true })).toBeVisible();
  const longest = await page.getByRole("log").evaluate(async (box) => {
    let worst = 0;
    let before = performance.now();
    for (let step = 0; step < 120; step += 1) {
      box.scrollBy(0, step % 20 === 0 ? 40_000 : 60);
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      worst = Math.max(worst, now - before);
      before = now;
    }
    return worst;
  });
  // Well above one frame, because test machines are busy, and well below a visible freeze.
  expect(longest).toBeLessThan(700);
});

test("markup in a log stays text and control codes are removed", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(
    page,
    "evil",
    [
      "printf '<script>alert(1)</script> <b>bold</b>\\n'",
      "printf '\\033]8;;javascript:alert(1)\\033\\\\click\\033]8;;\\033\\\\ \\007bell \\033[2Jcleared\\n'",
      "printf '\\033[1;31mred\\033[0m then plain\\n'",
      "printf 'https://example.org/a and http://127.0.0.1/b\\n'",
    ].join("; "),
  );
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  const log = page.getByRole("log");
  await expect(log.getByText("<script>alert(1)</script> <b>bold</b>")).toBeVisible();
  await expect(log.getByText("click bell cleared")).toBeVisible();
  await expect(log.locator("script, b")).toHaveCount(0);
  await expect(log.getByText("red", { exact: true })).toHaveCSS("font-weight", "700");
  await expect(log.getByRole("link")).toHaveAttribute("href", "https://example.org/a");
});

test("the log shows one stream, timestamps, and line links", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "both", "echo to out; echo to err >&2; echo more out");
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  const log = page.getByRole("log");
  await expect(log.getByText("more out")).toBeVisible();
  await page.getByLabel("Streams").selectOption("err");
  await expect(log.getByText("to err")).toBeVisible();
  await expect(log.getByText("more out")).toHaveCount(0);
  await page.getByLabel("Streams").selectOption("all");
  await page.getByLabel("Timestamps").selectOption("clock");
  await expect(log.locator("time").first()).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/);
  await log.locator('[data-no="1"]').click();
  await expect(page).toHaveURL(/#L1$/);
});

test("long log lines wrap on request, and the choice is remembered", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(
    page,
    "wide",
    "i=0; while [ $i -lt 200 ]; do i=$((i+1)); printf 'word '; done; echo end",
  );
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  const log = page.getByRole("log");
  await expect(log.getByText(/word end$/)).toBeAttached();
  const isWide = () => log.evaluate((box) => box.scrollWidth > box.clientWidth + 1);
  expect(await isWide()).toBe(true);
  await page.getByRole("button", { name: "Wrap" }).click();
  await expect.poll(isWide).toBe(false);
  await page.reload();
  await expect(page.getByRole("button", { name: "Wrap" })).toHaveAttribute("aria-pressed", "true");
  await expect(log.getByText(/word end$/)).toBeVisible();
});

test("a JSON log line expands and collapses by click and by key", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(
    page,
    "json",
    `echo before; echo '{"level":"warn","took":{"ms":812}}'; echo '[info] after'`,
  );
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  const log = page.getByRole("log");
  await expect(log.getByText("[info] after")).toBeVisible();
  const fold = log.getByRole("button");
  await expect(fold).toHaveCount(1);
  await fold.click();
  await expect(log.getByText('"ms": 812')).toBeVisible();
  await expect(log.getByText("[info] after")).toBeVisible();
  await fold.click();
  await expect(log.getByText('"ms": 812')).toHaveCount(0);

  // The keys move from line to line, and the selected line expands.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/#L2$/);
  await page.keyboard.press("o");
  await expect(log.getByText('"ms": 812')).toBeVisible();
  await page.getByRole("button", { name: "Wrap" }).click();
  await expect(log.getByText('"ms": 812')).toBeVisible();
  await page.getByRole("button", { name: "Copy link to line 2" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
});

test("log search marks the matching lines, and secret values are marked as hidden", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(
    page,
    "marked",
    "echo one; echo a needle; echo 'token=•••'; echo another needle",
  );
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  const log = page.getByRole("log");
  await expect(log.getByTitle("Hidden secret value")).toHaveText("•••");
  await page.getByRole("searchbox", { name: "Search" }).fill("needle");
  await expect(log.locator("[data-hit] [data-no]")).toHaveText(["2", "4"]);
  await expect(page).toHaveURL(/#L2$/);
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/#L4$/);
  await page.keyboard.press("Shift+N");
  await expect(page).toHaveURL(/#L2$/);
});

test("the log of a finished run is complete or waits for its last lines", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "ending", "echo the only line");
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  let isHere = false;
  await page.route(/\/jobs\/[^/]+\/logs\?/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), is_complete: isHere } });
  });
  await open(page, `/jobs/${job}`);
  await expect(page.getByText("1 line · finished, waiting for the last lines")).toBeVisible();
  isHere = true;
  await expect(page.getByText("1 line · complete")).toBeVisible({ timeout: 30_000 });
});

test("the log stops its long poll while the page is hidden or paused", async ({ page }) => {
  await open(page, "/jobs");
  const key = await createDefinition(page, "silent", "echo started; sleep 60");
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "running");
  const isWait = (url: string) => /\/logs\?.*wait=/.test(url);
  const query = page.waitForRequest((request) => isWait(request.url()));
  await open(page, `/jobs/${job}`);
  await query;
  const dropped = page.waitForEvent("requestfailed", (request) => isWait(request.url()));
  await page.keyboard.press("p");
  await dropped;
  await expect(page.getByText(/· paused$/)).toBeVisible();
  const again = page.waitForRequest((request) => isWait(request.url()));
  await page.keyboard.press("p");
  await again;

  const hidden = page.waitForEvent("requestfailed", (request) => isWait(request.url()));
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await hidden;
  const back = page.waitForRequest((request) => isWait(request.url()));
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await back;
  await page.evaluate(
    (id) =>
      fetch(`/api/v1/jobs/${id}/cancel`, {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json" },
      }),
    job,
  );
});
