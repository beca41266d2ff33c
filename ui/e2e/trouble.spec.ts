import { invite } from "./guest";
import { call, define, enqueue, expect, fresh, open, reach, test } from "./hub";

test.setTimeout(90_000);

test("a hub that is gone is said, what is there stays, and it goes on by itself", async ({ page }) => {
  let isDown = false;
  let cut = () => {};
  await page.routeWebSocket(/\/events(\?|$)/, (socket) => {
    if (isDown) return void socket.close();
    const hub = socket.connectToServer();
    cut = () => {
      void socket.close();
      void hub.close();
    };
  });
  await page.route("**/api/**", (route) => (isDown ? route.abort() : route.fallback()));
  await open(page, "/jobs");
  const key = await define(page, "before", "true");
  await reach(page, await enqueue(page, key), "succeeded");
  await expect(page.getByRole("link", { name: key })).toBeVisible();
  isDown = true;
  cut();
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d\./)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("link", { name: key })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  isDown = false;
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/^As of/)).toHaveCount(0);
  const after = await define(page, "after", "true");
  await enqueue(page, after);
  await expect(page.getByRole("link", { name: after })).toBeVisible();
});

test("where no socket gets through, events come as a stream", async ({ page }) => {
  await page.routeWebSocket(/\/events(\?|$)/, (socket) => void socket.close());
  const streamed = page.waitForRequest(
    (request) => request.resourceType() === "eventsource" && request.url().includes("/events"),
  );
  await open(page, "/jobs");
  await streamed;
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 15_000 });
  const key = await define(page, "streamed", "true");
  const job = await enqueue(page, key);
  await expect(page.getByRole("link", { name: key })).toBeVisible({ timeout: 8000 });
  await reach(page, job, "succeeded");
  await expect(page.getByText(/^As of/)).toHaveCount(0);
});

test("a socket that was cut for a minute goes on by its cursor, and nothing is lost", async ({ page }) => {
  let isDown = false;
  let cut = () => {};
  const links: { cursor: string | null; frames: string[] }[] = [];
  await page.routeWebSocket(/\/events(\?|$)/, (socket) => {
    if (isDown) return void socket.close();
    const frames: string[] = [];
    links.push({ cursor: new URL(socket.url()).searchParams.get("cursor"), frames });
    const hub = socket.connectToServer();
    socket.onMessage((message) => hub.send(message));
    hub.onMessage((message) => {
      frames.push(String(message));
      socket.send(message);
    });
    cut = () => {
      void socket.close();
      void hub.close();
    };
  });
  await page.clock.install();
  await open(page, "/events");
  const key = await define(page, "cut", "true");
  await reach(page, await enqueue(page, key), "succeeded");
  const told = page.getByText(`definition_key=${key}`);
  await expect(told).toHaveCount(3);
  isDown = true;
  cut();
  await expect(page.getByText("polling", { exact: true })).toBeVisible();
  await reach(page, await enqueue(page, key), "succeeded");
  await page.clock.fastForward(60_000);
  isDown = false;
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(told).toHaveCount(6, { timeout: 10_000 });
  // Not by asking anew: the new socket begins where the old one ended, and tells what was missed.
  const last = links.at(-1);
  expect(Number(last?.cursor)).toBeGreaterThan(0);
  await expect
    .poll(() => last?.frames.filter((frame) => frame.includes(key)).length)
    .toBeGreaterThanOrEqual(3);
  await page.reload();
  await expect(told).toHaveCount(6);
});

test("a session that ended leads to the sign-in page and back", async ({ page, browser }) => {
  await open(page, "/");
  const guest = await invite(page, browser, "viewer");
  await guest.page.goto("/jobs?filter=status:failed");
  await expect(guest.page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  await guest.context.clearCookies();
  // Whatever is asked for next finds out: the page may have done so by itself before the link is pressed.
  await guest.page
    .getByRole("link", { name: "Hosts" })
    .click({ timeout: 5000 })
    .catch(() => undefined);
  await expect(guest.page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible({
    timeout: 20_000,
  });
  // The colon may be written either way in an address.
  const next = new URL(guest.page.url()).searchParams.get("next") ?? "";
  expect(["/hosts", "/jobs?filter=status:failed"]).toContain(decodeURIComponent(next));
  await guest.context.close();
  await call(page, "DELETE", `/members/${guest.user}`);
});

test("a role that is lowered takes the buttons along, without a reload", async ({ page, browser }) => {
  await open(page, "/");
  const guest = await invite(page, browser, "operator");
  await guest.page.goto("/run?def=hello");
  const run = guest.page.getByRole("button", { name: "Run", exact: true });
  await expect(run).not.toHaveAttribute("aria-disabled", "true");
  await call(page, "PATCH", `/members/${guest.user}`, { role: "viewer" });
  await expect(run).toHaveAttribute("aria-disabled", "true", { timeout: 20_000 });
  await guest.page.goto("/admin/secrets");
  await expect(
    guest.page.getByRole("heading", { level: 1, name: "This page is not open to you" }),
  ).toBeAttached();
  await guest.page.goto("/admin/limits");
  await expect(guest.page.getByRole("button", { name: "Set a limit" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await guest.context.close();
  await call(page, "DELETE", `/members/${guest.user}`);
});

test("an old link says who deleted what it led to, and where that is written", async ({ page }) => {
  await open(page, "/triggers");
  const label = fresh("gone");
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label,
    cron_expr: "0 2 * * *",
    definition_key: "hello",
    payload_template: {},
  });
  await call(page, "DELETE", `/jobs/triggers/${id}`);
  await page.goto(`/triggers/${id}`);
  await expect(page.getByRole("heading", { name: `${label} was deleted` })).toBeVisible();
  await expect(page.getByText(/^Deleted by \S+ on/)).toBeVisible();
  await page.getByRole("link", { name: "Show it in the audit log" }).click();
  await expect(page.getByRole("row").filter({ hasText: label }).first()).toContainText("trigger.removed");
  await page.goto("/hosts/no-such-host");
  await expect(page.getByRole("heading", { name: "There is no such host" })).toBeVisible();
});

test("names with signs, emoji and right-to-left text are shown as they are, and lead on", async ({
  page,
}) => {
  await open(page, "/triggers");
  const label = `${fresh("odd")} a/b?c#d 🌍 שלום <b>x</b>`;
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label,
    cron_expr: "0 0 1 1 *",
    definition_key: "hello",
    payload_template: {},
  });
  await page.reload();
  const link = page.getByRole("link", { name: label });
  // Right-to-left text must not turn its neighbours around.
  await expect(link).toHaveCSS("unicode-bidi", /isolate|plaintext/);
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(label);
  // By its name in the address too.
  await page.goto(`/triggers/${encodeURIComponent(label)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(label);
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});

test("a browser whose clock is a day off shows the hub's time", async ({ page }) => {
  await page.clock.install({ time: Date.now() - 86_400_000 });
  await open(page, "/jobs");
  const key = await define(page, "clock", "true");
  await reach(page, await enqueue(page, key), "succeeded");
  const row = page.getByRole("row").filter({ hasText: key });
  await expect(row).toContainText(/now|\d+ s ago/);
  await expect(row).not.toContainText(/in \d/);
  await open(page, "/admin/hub");
  await expect(page.getByText(/^this browser is (1 d|23 h)/)).toBeVisible();
});

test("without a clipboard, as over plain HTTP, copying works all the same", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "isSecureContext", { value: false });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await open(page, "/hosts");
  await page.getByRole("button", { name: "Add host" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a host" });
  await dialog.getByText("Hostler is installed").click();
  const line = await dialog.getByText(/hostler join \S+ \S+/).innerText();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.press("Control+v");
  await expect(page.getByRole("searchbox", { name: "Filter by name" })).toHaveValue(line);
});
