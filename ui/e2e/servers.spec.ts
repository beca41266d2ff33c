import type { Page } from "@playwright/test";
import { injectAxe, seriousFindings } from "./axe";
import { call, collectPageErrors, connectedHost, createServer, expect, open, test, uniqueName } from "./hub";

const ECHO = `sh -c 'echo ready; while read line; do echo "got $line"; done'`;
const ECHO_LINE = 'echo ready; while read line; do echo "got $line"; done';
const PASSWORD = "a long enough password";

/** Waits until the hub reports this state for a server. */
async function waitForState(page: Page, name: string, state: string): Promise<void> {
  const now = async () => (await call<{ state: string }>(page, "GET", `/servers/${name}`)).state;
  await expect.poll(now, { timeout: 30_000 }).toBe(state);
}

/** The state in the head of a server's page. */
function stateLabel(page: Page, word: string) {
  return page.getByRole("main").getByText(word, { exact: true }).first();
}

function tab(page: Page, name: string) {
  return page.getByRole("navigation", { name: "Views of this server" }).getByRole("link", { name });
}

test("a server is created by the form, gets console input, is restarted, killed and removed", async ({
  page,
}) => {
  const name = uniqueName("echo");
  await open(page, "/servers");
  await page.getByRole("button", { name: "New server" }).first().click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("combobox", { name: "Host" }).click();
  await page
    .getByRole("listbox", { name: "Host" })
    .getByRole("option", { name: await connectedHost(page), exact: true })
    .click();
  await page.getByRole("textbox", { name: "Command" }).fill(ECHO);
  await expect(page.getByText(`hostler server create ${name} --on`)).toContainText("--start -- sh -c");
  await page.getByRole("button", { name: "Create server" }).click();

  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  const log = page.getByRole("log");
  await expect(log.getByText("ready", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(stateLabel(page, "running")).toBeVisible();

  const input = page.getByRole("textbox", { name: "Console input" });
  await input.fill("hello there");
  await input.press("Enter");
  await expect(log.getByText("got hello there")).toBeVisible();
  await expect(input).toHaveValue("");
  await input.press("ArrowUp");
  await expect(input).toHaveValue("hello there");
  await input.press("Enter");
  await expect(log.getByText("got hello there")).toHaveCount(2);

  await page.getByRole("button", { name: "Restart…" }).click();
  await expect(page.getByRole("dialog")).toContainText("Sends TERM");
  await page.getByRole("button", { name: "Restart server" }).click();
  await expect(page.getByText("restarted")).toBeVisible({ timeout: 20_000 });
  // The new run has its own log, and the log of the earlier run can still be selected.
  await expect(page.getByRole("log", { name: "Output of run 2" }).getByText("ready")).toBeVisible();
  await page.getByRole("combobox", { name: "Run" }).selectOption("1");
  await expect(page.getByRole("log", { name: "Output of run 1" }).getByText("got hello there")).toHaveCount(
    2,
  );

  await page.getByRole("button", { name: "Kill…" }).click();
  await page.getByRole("button", { name: "Kill server" }).click();
  await expect(stateLabel(page, "stopped")).toBeVisible({ timeout: 20_000 });
  await tab(page, "Runs").click();
  await expect(page.getByRole("row").filter({ hasText: "Run 2" })).toContainText("signal 9");
  await tab(page, "Activity").click();
  await expect(page.getByText("SERVER_RESTART")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: /killed\s*by / })).toBeVisible();

  await tab(page, "Settings").click();
  await page.getByRole("button", { name: "Remove…" }).click();
  await expect(page.getByRole("button", { name: "Remove server" })).toBeDisabled();
  await page.getByLabel(`Type ${name} to confirm`).fill(name);
  await page.getByRole("button", { name: "Remove server" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Servers" })).toBeVisible();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});

test("a server is started and stopped from the list, which is filtered and updates live", async ({
  page,
}) => {
  await open(page, "/servers");
  const name = await createServer(page, "listed", ECHO_LINE, { ports: [2020] });
  await page.getByRole("combobox", { name: "Filter servers" }).fill(name);
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("stopped", { timeout: 15_000 });
  await expect(page).toHaveURL(/filter=/);
  await row.getByRole("button", { name: "Start" }).click();
  await expect(row).toContainText("running", { timeout: 20_000 });
  const done = page.getByRole("status").filter({ hasText: "started" });
  await expect(done.getByRole("link", { name: "job" })).toHaveAttribute("href", /\/jobs\//);

  await row.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("button", { name: "Stop server" }).click();
  await expect(row).toContainText("stopped", { timeout: 20_000 });
  // The page learns of this start from an event.
  await call(page, "POST", `/servers/${name}/start`, {});
  await expect(row).toContainText("running", { timeout: 20_000 });

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "What are you looking for?" }).fill(name);
  await expect(page.getByRole("option", { name: new RegExp(name) }).first()).toContainText("Servers");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await call(page, "DELETE", `/servers/${name}?cancel_jobs=true`);
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(page.getByRole("heading", { level: 1, name: "Servers" })).toBeVisible();
});

test("a crash loop shows its cause and the next attempt", async ({ page }) => {
  await open(page, "/servers");
  const restart = { policy: "always", first_seconds: 1, cap_seconds: 300, loop_after: 2, stable_seconds: 60 };
  const name = await createServer(page, "crashy", "echo boom >&2; sleep 1.2; exit 3", { restart });
  await call(page, "POST", `/servers/${name}/start`, {});
  await waitForState(page, name, "crash_loop");
  await open(page, `/servers/${name}`);
  await expect(stateLabel(page, "crash loop")).toBeVisible();
  await expect(page.getByText("The server keeps exiting.")).toBeVisible();
  await expect(page.getByText(/^The server keeps exiting\. Next attempt: /)).toBeVisible({ timeout: 20_000 });
  const end = page.getByRole("region", { name: "Last exit" });
  await expect(end).toContainText("exited");
  await expect(end).toContainText("exited with code 3");
  await call(page, "DELETE", `/servers/${name}?cancel_jobs=true`);
});

test("server settings are changed, and errors are shown at their field", async ({ page }) => {
  await open(page, "/servers");
  const name = await createServer(page, "set", ECHO_LINE, { env: { API_TOKEN: "abc", MODE: "x" } });
  await open(page, `/servers/${name}?tab=settings`);
  await expect(page.getByLabel("Value").first()).toHaveAttribute("type", "password");
  await page.getByLabel("Folder").fill("relative");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("must be an absolute path, such as /srv/game").first()).toBeVisible();
  await page.getByLabel("Folder").fill("/tmp");
  await page.getByLabel("Ready when").selectOption("log");
  await page.getByLabel("Text").fill("ready");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved")).toBeVisible();
  const { spec } = await call<{ spec: Record<string, unknown> }>(page, "GET", `/servers/${name}`);
  expect(spec).toMatchObject({ folder: "/tmp", ready: { kind: "log", contains: "ready" } });
  expect(spec.env).toEqual({ API_TOKEN: "abc", MODE: "x" });
  await call(page, "DELETE", `/servers/${name}?cancel_jobs=true`);
});

test("a viewer sees a server and cannot control it", async ({ page, browser, baseURL }) => {
  await open(page, "/servers");
  const name = await createServer(page, "seen", ECHO_LINE);
  await call(page, "POST", `/servers/${name}/start`, {});
  await waitForState(page, name, "running");
  const { url } = await call<{ url: string }>(page, "POST", "/invitations", {
    email: `${uniqueName("e2e")}@example.net`,
    role: "viewer",
  });

  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    ...(baseURL ? { baseURL } : {}),
  });
  const guest = await context.newPage();
  const pageErrors = await collectPageErrors(guest);
  await guest.goto(new URL(url).pathname);
  await guest.getByLabel("Your name").fill("Eve Example");
  await guest.getByRole("textbox", { name: "Choose a password" }).fill(PASSWORD);
  await guest.getByRole("button", { name: "Join" }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await open(guest, `/servers/${name}?tab=console`);
  await expect(guest.getByRole("log").getByText("ready", { exact: true })).toBeVisible();
  for (const button of ["Restart…", "Stop…", "Kill…", "Send"]) {
    await expect(guest.getByRole("button", { name: button })).toHaveAttribute("aria-disabled", "true");
  }
  const input = guest.getByRole("textbox", { name: "Console input" });
  await expect(input).not.toBeEditable();
  await expect(input).toHaveAttribute("placeholder", /Requires the operator role/);
  await guest.getByRole("button", { name: "Stop…" }).hover();
  await expect(guest.getByRole("tooltip")).toContainText("Requires the operator role");
  // The hub rejects the request too.
  await expect(call(guest, "POST", `/servers/${name}/stop`, {})).rejects.toThrow("403");
  await open(guest, `/servers/${name}?tab=settings`);
  await expect(guest.getByLabel("Folder")).not.toBeEditable();
  await expect(guest.getByRole("button", { name: "Remove…" })).toHaveAttribute("aria-disabled", "true");
  expect(pageErrors).toEqual([]);
  await context.close();
  await call(page, "DELETE", `/servers/${name}?cancel_jobs=true`);
});

test("every view of a server has no serious accessibility finding and fits 320 px", async ({ page }) => {
  test.setTimeout(180_000);
  await injectAxe(page);
  await open(page, "/servers");
  const name = await createServer(page, "axe", ECHO_LINE, { ports: [2020], env: { API_TOKEN: "abc" } });
  await call(page, "POST", `/servers/${name}/start`, {});
  await waitForState(page, name, "running");
  const views = ["overview", "console", "runs", "activity", "settings"];
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const view of views) {
      await open(page, `/servers/${name}?tab=${view}`);
      expect.soft(await seriousFindings(page), `${view}, ${scheme}`).toEqual([]);
      await page.screenshot({ path: `test-results/screens/server-${view}-${scheme}.png` });
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  for (const view of views) {
    await open(page, `/servers/${name}?tab=${view}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(overflow, view).toBeLessThanOrEqual(0);
  }
  await call(page, "DELETE", `/servers/${name}?cancel_jobs=true`);
});

test("old runs of a server load page by page and link to their output", async ({ page }) => {
  await open(page, "/servers");
  const name = await createServer(page, "often", "echo here; sleep 600", { autostart: false });
  const run = (no: number) => ({
    id: `01AAAAAAAAAAAAAAAAAAAAA${String(no).padStart(3, "0")}`,
    no,
    host: "h",
    started_at: "2026-11-01T10:00:00Z",
    finished_at: "2026-11-01T10:01:00Z",
    exit_code: 0,
  });
  await page.route(/\/servers\/[^/]+\/runs/, async (route) => {
    const cursor = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 250);
    const items = Array.from({ length: Math.min(100, cursor) }, (_, index) => run(cursor - index));
    await route.fulfill({ json: { items, next: cursor > 100 ? String(cursor - 100) : null } });
  });
  await page.route(/\/servers\/[^/]+\/console/, async (route) => {
    const no = Number(new URL(route.request().url()).searchParams.get("run"));
    const lines = [{ no: 1, at: "2026-11-01T10:00:00Z", stream: "out", text: `said by run ${no}` }];
    await route.fulfill({ json: { run: no, lines, last: 1, is_complete: true } });
  });
  await open(page, `/servers/${name}?tab=runs`);
  const rows = page.locator("[data-row]");
  await expect(rows).toHaveCount(100);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(rows).toHaveCount(200);

  await open(page, `/servers/${name}?tab=console&run=7`);
  await expect(page.getByText("said by run 7")).toBeVisible();
  await expect(page.getByLabel("Run", { exact: true })).toHaveValue("7");
  await call(page, "DELETE", `/servers/${name}?cancel_jobs=true`);
});
