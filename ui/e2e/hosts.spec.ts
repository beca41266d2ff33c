import { call, expect, open, test, uniqueName } from "./hub";

/** A connected host is degraded if the machine that runs the tests is low on disk space. */
const UP = /online|degraded/;

test("a host is opened from the list, labeled, paused and resumed", async ({ page }) => {
  await open(page, "/hosts");
  const row = page.getByRole("row").filter({ hasText: UP }).first();
  const link = row.getByRole("link").first();
  const name = await link.innerText();
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("region", { name: "Session" })).toContainText("Connected");
  await page.getByRole("link", { name: "Settings" }).click();

  const label = uniqueName("e2e");
  const labels = page.getByRole("textbox", { name: "Labels" });
  const before = await labels.inputValue();
  await labels.fill([before, label].filter(Boolean).join(", "));
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved")).toBeVisible();

  await page.getByRole("button", { name: "Pause…" }).click();
  await page.getByLabel("Reason").fill("new disk");
  await page.getByLabel("Ends automatically").selectOption({ label: "In 1 hour" });
  await page.getByRole("button", { name: "Pause host" }).click();
  await expect(page.getByText(/new disk \(until/)).toBeVisible();

  await page.goto(`/hosts?labels=${label}`);
  await expect(page.getByRole("row").filter({ hasText: "paused" })).toContainText(name);
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(`${name} resumed`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause…" })).toBeVisible();
  await labels.fill(before);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved")).toBeVisible();
});

test("the filter is kept in the URL", async ({ page }) => {
  await open(page, "/hosts");
  await page.getByRole("button", { name: UP }).first().click();
  await expect(page).toHaveURL(/status=(online|degraded)/);
  await page.keyboard.press("/");
  await page.keyboard.type("no-such-host");
  await expect(page.getByRole("heading", { name: /^No matching hosts/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: /^No matching hosts/ })).toBeVisible();
  await page.getByRole("button", { name: "Clear filter" }).first().click();
  await expect(page).not.toHaveURL(/status=/);
});

test("adding a host shows one command, and its join token can be revoked", async ({ page }) => {
  const label = uniqueName("e2e");
  await open(page, "/hosts");
  await page.getByRole("button", { name: "Add host" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a host" });
  await expect(dialog.getByText(/^printf .* \| sh$/)).toBeVisible();
  await dialog.getByRole("button", { name: "More options…" }).click();
  await dialog.getByRole("textbox", { name: "Labels" }).fill(label);
  await dialog.getByRole("button", { name: "Create command" }).click();
  await dialog.getByText("Hostler is installed").click();
  await expect(dialog.getByText(/hostler join \S+ \S+/)).toBeVisible();
  await expect(dialog.getByText("waiting for host…")).toBeVisible();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();

  await open(page, "/admin/join-tokens");
  const row = page.getByRole("row").filter({ hasText: label });
  await row.getByRole("button", { name: "Revoke…" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toContainText("revoked");
});

test("shortcuts navigate between pages and are off in text fields", async ({ page }) => {
  await open(page, "/admin/people");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { level: 1, name: "Hosts" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toHaveCount(0);
  await page.keyboard.press("/");
  await page.keyboard.type("g?");
  await expect(page.getByRole("searchbox", { name: "Filter by name" })).toHaveValue("g?");
});

test("a lost live connection is shown and recovers", async ({ page }) => {
  let isDown = false;
  let cut = () => {};
  await page.routeWebSocket(/\/events(\?|$)/, (socket) => {
    if (isDown) {
      void socket.close();
      return;
    }
    const hub = socket.connectToServer();
    cut = () => {
      void socket.close();
      void hub.close();
    };
  });
  await open(page, "/hosts");
  await expect(page.getByText("live", { exact: true })).toBeVisible();
  isDown = true;
  cut();
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d\./)).toBeVisible();
  isDown = false;
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect(page.getByText(/^As of/)).toHaveCount(0);
});

test("the host list shows status, runner version, metrics and last contact", async ({ page }) => {
  await open(page, "/hosts");
  const [host] = (
    await call<{ items: { id: string; name: string; runner_version: string }[] }>(page, "GET", "/hosts")
  ).items;
  const row = page.getByRole("row").filter({ hasText: host?.name ?? "" });
  await expect(row).toContainText(UP);
  await expect(row).toContainText(host?.runner_version ?? "");
  await expect(row.locator("time")).toHaveText(/now|ago/);
  await expect(row.getByText(/^\d+%/)).toHaveCount(3);
  // The URL accepts the host ID as well as the name.
  await open(page, `/hosts/${host?.id}`);
  await expect(page.getByRole("heading", { level: 1, name: host?.name ?? "" })).toBeVisible();
});

test("a host is renamed, limited and marked degraded, and all of it is undone", async ({ page }) => {
  await open(page, "/hosts");
  const [host] = (await call<{ items: { id: string; name: string }[] }>(page, "GET", "/hosts")).items;
  const { id = "", name: before = "" } = host ?? {};
  const name = uniqueName("renamed");
  await open(page, `/hosts/${id}?tab=settings`);
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Max concurrent jobs").fill("3");
  await page.getByLabel("Max job starts per minute").fill("90");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  expect((await call<{ limits: object }>(page, "GET", `/hosts/${id}`)).limits).toMatchObject({
    max_running: 3,
    jobs_per_minute: 90,
  });
  await page.getByRole("button", { name: "Mark degraded…" }).click();
  await page.getByLabel("Reason").fill("fan is loud");
  await page.getByRole("dialog").getByRole("button", { name: "Mark degraded" }).click();
  await expect(page.getByText(/fan is loud/).first()).toBeVisible();
  await page.getByRole("button", { name: "Remove mark" }).click();
  await expect(page.getByRole("button", { name: "Mark degraded…" })).toBeVisible();
  await call(page, "PATCH", `/hosts/${id}`, {
    name: before,
    max_running: 1,
    jobs_per_minute: null,
  });
});

test("the host list is downloaded as CSV and marks outdated runners", async ({ page }) => {
  // Reports a newer hub version, so that the runners count as outdated.
  await page.route(/\/api\/.*\/status$/, async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as object;
    await route.fulfill({ response, json: { ...status, hub_version: "99.0.0" } });
  });
  await open(page, "/hosts");
  await expect(page.getByRole("row").filter({ hasText: "update needed" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitemradio", { name: "Needs update" }).click();
  await expect(page).toHaveURL(/runner=old/);
  const name = await page
    .getByRole("row")
    .filter({ hasText: "update needed" })
    .first()
    .getByRole("link")
    .first()
    .innerText();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("hosts.csv");
  const stream = await file.createReadStream();
  let content = "";
  for await (const part of stream) content += part;
  expect(content).toContain(`\r\n${name},`);
});
