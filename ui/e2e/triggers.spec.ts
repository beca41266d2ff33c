import { call, expect, open, test, uniqueName } from "./hub";

test("a schedule across a clock change is created, disabled, run, paused and resumed", async ({ page }) => {
  const label = uniqueName("nightly");
  await open(page, "/triggers");
  await page.getByRole("button", { name: "New trigger" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(label);
  await page.getByLabel("At", { exact: true }).fill("02:30");
  await page.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berlin");
  await page.getByRole("option", { name: "Europe/Berlin" }).click();
  const next = page.getByRole("region", { name: "Next 10 runs" });
  await expect(next.getByText("at 02:30 every day")).toBeVisible();
  await expect(next.getByRole("listitem")).toHaveCount(10);
  await expect(next.getByText(/02:30 does not exist: runs at 03:00/)).toBeVisible();
  await page.getByRole("combobox", { name: "Definition" }).click();
  await page.getByRole("option", { name: "hello" }).click();
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByRole("heading", { level: 1, name: label })).toBeVisible();
  await expect(page.getByRole("region", { name: "Next 10 runs" }).getByRole("listitem")).toHaveCount(10);

  await page.getByRole("switch", { name: `Enable ${label}` }).click();
  await expect(page.getByText(`${label} disabled`)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("switch", { name: `Enable ${label}` })).toBeChecked();

  await page.getByRole("button", { name: "Run now…" }).click();
  await page.getByRole("button", { name: "Run trigger" }).click();
  await page.getByRole("button", { name: "Show job" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "hello" })).toBeVisible();

  await open(page, "/triggers?kind=schedule");
  const row = page.getByRole("row").filter({ hasText: label });
  await expect(row).toContainText("Europe/Berlin");
  await row.getByRole("link", { name: label }).click();
  await page.getByRole("button", { name: "Pause…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("paused", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(`${label} resumed`)).toBeVisible();
});

test("a cron expression is previewed, and an invalid one shows an error", async ({ page }) => {
  await open(page, "/triggers/new");
  await page.getByText("Cron expression", { exact: true }).click();
  await page.getByRole("textbox", { name: "Cron expression" }).fill("0 9 * * MON-FRI");
  await expect(page.getByRole("region", { name: "Next 10 runs" }).getByText(/09:00/).first()).toBeVisible();
  await page.getByRole("textbox", { name: "Cron expression" }).fill("0 0 30 2 *");
  await expect(page.getByRole("alert")).toBeVisible();
});

test("a schedule records the history of its runs", async ({ page }) => {
  await open(page, "/triggers");
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: uniqueName("often"),
    cron_expr: "*/2 * * * * *",
    definition_key: "hello",
    payload_template: {},
  });
  await open(page, `/triggers/${id}`);
  const fires = page.getByRole("region", { name: "History" });
  await expect(fires.getByText("fired").first()).toBeVisible({ timeout: 25_000 });
  await fires.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "hello" })).toBeVisible();
  await open(page, "/triggers");
  await expect(page.getByRole("img", { name: /^Last \d+ runs?, \d+ failed$/ }).first()).toBeVisible();
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});

test("an event rule creates a job for an event and is tested with it", async ({ page }) => {
  const name = `${uniqueName("folder").replace("-", ".")}`;
  const label = uniqueName("resync");
  await open(page, "/triggers/new");
  await page.getByRole("textbox", { name: "Name" }).fill(label);
  await page.getByText("Event", { exact: true }).click();
  await page.getByRole("combobox", { name: "Event" }).fill(name);
  await page.getByRole("combobox", { name: "Definition" }).click();
  await page.getByRole("option", { name: "hello" }).click();
  await page.getByLabel("name", { exact: true }).fill("{{ event.folder }}");
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByRole("heading", { level: 1, name: label })).toBeVisible();

  await open(page, "/events");
  await page.getByRole("button", { name: "Send event" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByLabel("Event data").fill('{"folder": "photos"}');
  await page.getByRole("dialog").getByRole("button", { name: "Send event" }).click();
  await expect(page.getByText("1 trigger matched, 1 job created")).toBeVisible();
  await expect(page.getByText(name).first()).toBeVisible();

  await open(page, "/triggers?kind=event");
  await page.getByRole("link", { name: label }).click();
  await page.getByRole("button", { name: "Test with the last event" }).click();
  await expect(page.getByText("Would have fired for 1 of 1 stored event with this name.")).toBeVisible();
  await expect(page.getByText('"name": "photos"')).toBeVisible();
  await expect(page.getByRole("region", { name: "Created jobs" }).getByRole("link")).toHaveCount(1);
});

test("a crontab import shows a preview before it creates schedules", async ({ page }) => {
  await open(page, "/triggers");
  const label = uniqueName("Nightly");
  await page.getByRole("button", { name: "Import crontab…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a crontab" });
  await dialog
    .getByRole("textbox", { name: "Crontab" })
    .fill(
      `MAILTO=ops\n# ${label}\n0 2 * * * /usr/local/bin/${uniqueName("backup")}\n99 * * * * true\n* * * * * a | b`,
    );
  await dialog.getByRole("button", { name: "Preview schedules" }).click();
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("row").filter({ hasText: label })).toContainText("02:00");
  await expect(preview.getByRole("row").filter({ hasText: "MAILTO" })).toContainText("skipped");
  await expect(preview.getByText("not recognized")).toBeVisible();
  await expect(preview.getByText("needs a shell", { exact: true })).toBeVisible();
  const made = async () =>
    (await call<{ items: { label: string }[] }>(page, "GET", "/jobs/triggers?limit=1000")).items.filter(
      (trigger) => trigger.label === label,
    ).length;
  expect(await made(), "the preview creates nothing").toBe(0);
  await dialog.getByRole("button", { name: "Create 1 schedule" }).click();
  await expect(page.getByText("1 schedule created")).toBeVisible();
  expect(await made()).toBe(1);
});
