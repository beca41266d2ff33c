import { invite } from "./guest";
import { call, createDefinition, enqueue, expect, open, test, uniqueName, waitForStatus } from "./hub";

test.setTimeout(90_000);

test("an unreachable hub is shown, rows stay visible, and updates resume", async ({ page }) => {
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
  const key = await createDefinition(page, "before", "true");
  await waitForStatus(page, await enqueue(page, key), "succeeded");
  await expect(page.getByRole("link", { name: key })).toBeVisible();
  isDown = true;
  cut();
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d\./)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("link", { name: key })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  isDown = false;
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/^As of/)).toHaveCount(0);
  const after = await createDefinition(page, "after", "true");
  await enqueue(page, after);
  await expect(page.getByRole("link", { name: after })).toBeVisible();
});

test("events fall back to server-sent events without WebSockets", async ({ page }) => {
  await page.routeWebSocket(/\/events(\?|$)/, (socket) => void socket.close());
  const streamed = page.waitForRequest(
    (request) => request.resourceType() === "eventsource" && request.url().includes("/events"),
  );
  await open(page, "/jobs");
  await streamed;
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 15_000 });
  const key = await createDefinition(page, "streamed", "true");
  const job = await enqueue(page, key);
  await expect(page.getByRole("link", { name: key })).toBeVisible({ timeout: 8000 });
  await waitForStatus(page, job, "succeeded");
  await expect(page.getByText(/^As of/)).toHaveCount(0);
});

test("a WebSocket cut for a minute resumes by its cursor without loss", async ({ page }) => {
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
  const key = await createDefinition(page, "cut", "true");
  await waitForStatus(page, await enqueue(page, key), "succeeded");
  const eventRow = page.getByText(`definition_key=${key}`);
  await expect(eventRow).toHaveCount(3);
  isDown = true;
  cut();
  await expect(page.getByText("polling", { exact: true })).toBeVisible();
  await waitForStatus(page, await enqueue(page, key), "succeeded");
  await page.clock.fastForward(60_000);
  isDown = false;
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(eventRow).toHaveCount(6, { timeout: 10_000 });
  // The new socket resumes at the cursor of the old one and delivers the missed events, without a reload of the list.
  const last = links.at(-1);
  expect(Number(last?.cursor)).toBeGreaterThan(0);
  await expect
    .poll(() => last?.frames.filter((frame) => frame.includes(key)).length)
    .toBeGreaterThanOrEqual(3);
  await page.reload();
  await expect(eventRow).toHaveCount(6);
});

test("an expired session redirects to the sign-in page and back", async ({ page, browser }) => {
  await open(page, "/");
  const guest = await invite(page, browser, "viewer");
  await guest.page.goto("/jobs?filter=status:failed");
  await expect(guest.page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  await guest.context.clearCookies();
  // Any next request fails with 401. A background request may redirect the page before the click.
  await guest.page
    .getByRole("link", { name: "Hosts" })
    .click({ timeout: 5000 })
    .catch(() => undefined);
  await expect(guest.page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible({
    timeout: 20_000,
  });
  // The colon may be percent-encoded in the URL.
  const next = new URL(guest.page.url()).searchParams.get("next") ?? "";
  expect(["/hosts", "/jobs?filter=status:failed"]).toContain(decodeURIComponent(next));
  await guest.context.close();
  await call(page, "DELETE", `/members/${guest.user}`);
});

test("a lowered role disables buttons without a reload", async ({ page, browser }) => {
  await open(page, "/");
  const guest = await invite(page, browser, "operator");
  await guest.page.goto("/run?def=hello");
  const run = guest.page.getByRole("button", { name: "Run job" });
  await expect(run).not.toHaveAttribute("aria-disabled", "true");
  await call(page, "PATCH", `/members/${guest.user}`, { role: "viewer" });
  await expect(run).toHaveAttribute("aria-disabled", "true", { timeout: 20_000 });
  await guest.page.goto("/admin/secrets");
  await expect(
    guest.page.getByRole("heading", { level: 1, name: "You don't have access to this page" }),
  ).toBeAttached();
  await guest.page.goto("/admin/limits");
  await expect(guest.page.getByRole("button", { name: "Add limit" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await guest.context.close();
  await call(page, "DELETE", `/members/${guest.user}`);
});

test("a link to a removed trigger names who removed it and links to the audit log", async ({ page }) => {
  await open(page, "/triggers");
  const label = uniqueName("gone");
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label,
    cron_expr: "0 2 * * *",
    definition_key: "hello",
    payload_template: {},
  });
  await call(page, "DELETE", `/jobs/triggers/${id}`);
  await page.goto(`/triggers/${id}`);
  await expect(page.getByRole("heading", { name: `${label} was removed` })).toBeVisible();
  await expect(page.getByText(/^Removed by \S+ on/)).toBeVisible();
  await page.getByRole("link", { name: "Show in audit log" }).click();
  await expect(page.getByRole("row").filter({ hasText: label }).first()).toContainText("trigger.removed");
  await page.goto("/hosts/no-such-host");
  await expect(page.getByRole("heading", { name: "Host not found" })).toBeVisible();
});

test("names with symbols, emoji and right-to-left text are shown unchanged and work in links", async ({
  page,
}) => {
  await open(page, "/triggers");
  const label = `${uniqueName("odd")} a/b?c#d 🌍 שלום <b>x</b>`;
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label,
    cron_expr: "0 0 1 1 *",
    definition_key: "hello",
    payload_template: {},
  });
  await page.reload();
  const link = page.getByRole("link", { name: label });
  // Right-to-left text must not reorder the text around it.
  await expect(link).toHaveCSS("unicode-bidi", /isolate|plaintext/);
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(label);
  // The URL accepts the name too.
  await page.goto(`/triggers/${encodeURIComponent(label)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(label);
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});

test("a browser whose clock is a day off shows times by the hub's clock", async ({ page }) => {
  await page.clock.install({ time: Date.now() - 86_400_000 });
  await open(page, "/jobs");
  const key = await createDefinition(page, "clock", "true");
  await waitForStatus(page, await enqueue(page, key), "succeeded");
  const row = page.getByRole("row").filter({ hasText: key });
  await expect(row).toContainText(/now|\d+ s ago/);
  await expect(row).not.toContainText(/in \d/);
  await open(page, "/admin/hub");
  await expect(page.getByText(/^this browser's clock is off by (1 d|23 h)/)).toBeVisible();
});

test("copying works without the clipboard API over plain HTTP", async ({ page }) => {
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
