import {
  call,
  connectedHost,
  createDefinition,
  enqueue,
  expect,
  open,
  test,
  uniqueName,
  waitForStatus,
} from "./hub";

interface View {
  name: string;
  query: string;
  visibility: string;
}

test("the calendar lists schedules and counts frequent ones", async ({ page }) => {
  await open(page, "/triggers");
  const frequent = uniqueName("often");
  const daily = uniqueName("seldom");
  // 12 hours from now: a time close to now may appear once, twice or not at all in the next 24 hours.
  const later = new Date(Date.now() + 12 * 3_600_000);
  const ids: string[] = [];
  for (const [label, cron_expr] of [
    [frequent, "* * * * *"],
    [daily, `${later.getUTCMinutes()} ${later.getUTCHours()} * * *`],
  ]) {
    const created = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
      label,
      cron_expr,
      definition_key: "hello",
      payload_template: {},
    });
    ids.push(created.id);
  }
  await page.reload();
  await page.getByText("24 h", { exact: true }).click();
  await expect(page).toHaveURL(/view=day/);
  const counted = page
    .getByRole("region", { name: "Frequent" })
    .getByRole("listitem")
    .filter({ hasText: frequent });
  await expect(counted).toContainText("every 1 min, 1,440 runs");
  await expect(page.getByRole("link", { name: daily })).toHaveCount(1);
  await page.getByText("Week", { exact: true }).click();
  await expect(page).toHaveURL(/view=week/);
  await expect(counted).toContainText(", 10,080 runs");
  await expect(page.getByRole("link", { name: daily })).toHaveCount(7);
  await page.reload();
  await expect(page.getByRole("link", { name: daily })).toHaveCount(7);
  for (const id of ids) await call(page, "DELETE", `/jobs/triggers/${id}`);
});

test("columns are chosen, kept in the URL, and remembered", async ({ page }) => {
  await open(page, "/jobs");
  await waitForStatus(page, await enqueue(page, "hello"), "succeeded");
  await open(page, "/jobs");
  await expect(page.getByRole("columnheader", { name: "Worker" })).toHaveCount(0);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Worker" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Source" }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/cols=/);
  await expect(page.getByRole("columnheader", { name: "Worker" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Source" })).toHaveCount(0);
  await open(page, "/jobs");
  await expect(page.getByRole("columnheader", { name: "Worker" })).toBeVisible();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitem", { name: "Reset to default" }).click();
  await expect(page.getByRole("columnheader", { name: "Source" })).toBeVisible();
});

test("the host chosen in the header filters jobs, triggers and alerts, and is kept in the URL", async ({
  page,
}) => {
  await open(page, "/jobs");
  const name = await connectedHost(page);
  const key = await createDefinition(page, "there", "true");
  await waitForStatus(page, await enqueue(page, key, { target: { host: name } }), "succeeded");
  const label = uniqueName("there");
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label,
    cron_expr: "0 2 * * *",
    definition_key: "hello",
    payload_template: {},
    target: { host: name },
  });
  await page.getByRole("button", { name: "Host: All hosts" }).click();
  await page.getByRole("textbox", { name: "Find a host" }).fill(name);
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`host=${name}`));
  await expect(page.getByRole("link", { name: key })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Triggers" }).click();
  await expect(page).toHaveURL(new RegExp(`host=${name}`));
  await expect(page.getByRole("link", { name: label })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Alerts" }).click();
  await expect(page).toHaveURL(new RegExp(`host=${name}`));

  await open(page, "/triggers?host=no-such-host");
  await expect(page.getByRole("heading", { name: "No results for host no-such-host" })).toBeVisible();
  await page.getByRole("button", { name: "All hosts" }).last().click();
  await expect(page).not.toHaveURL(/host=/);
  await expect(page.getByRole("link", { name: label })).toBeVisible();
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});

test("several triggers are paused and resumed together after a preview", async ({ page }) => {
  await open(page, "/triggers");
  const ids: string[] = [];
  const labels = [uniqueName("many-a"), uniqueName("many-b")];
  for (const label of labels) {
    const body = { label, cron_expr: "0 2 * * *", definition_key: "hello", payload_template: {} };
    ids.push((await call<{ id: string }>(page, "POST", "/jobs/triggers", body)).id);
  }
  await page.reload();
  for (const label of labels) await page.getByRole("checkbox", { name: `Select ${label}` }).check();
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.getByRole("button", { name: "Pause…" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause 2 triggers?" });
  for (const label of labels) await expect(dialog.getByText(label)).toBeVisible();
  await dialog.getByRole("button", { name: "Pause 2 triggers" }).click();
  await expect(page.getByText("2 triggers paused")).toBeVisible();
  for (const label of labels) {
    await expect(page.getByRole("row").filter({ hasText: label })).toContainText("paused until");
    await page.getByRole("checkbox", { name: `Select ${label}` }).check();
  }
  await page.getByRole("button", { name: "Resume…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume 2 triggers" }).click();
  await expect(page.getByText("2 triggers resumed")).toBeVisible();
  for (const id of ids) await call(page, "DELETE", `/jobs/triggers/${id}`);
});

test("several alerts are acknowledged and resolved together", async ({ page }) => {
  await open(page, "/alerts");
  const defined: string[] = [];
  for (const prefix of ["broken-a", "broken-b"]) {
    const key = await createDefinition(page, prefix, "exit 3", { no_retry_exit_codes: [3] });
    await waitForStatus(page, await enqueue(page, key), "failed");
    defined.push(key);
  }
  const choose = async () => {
    for (const key of defined) {
      await page.getByRole("checkbox", { name: `Select ${key}` }).check({ timeout: 30_000 });
    }
  };
  await choose();
  await page
    .getByRole("region", { name: "2 selected" })
    .getByRole("button", { name: "Acknowledge…" })
    .click();
  await page.getByRole("dialog").getByLabel("Note").fill("known");
  await page.getByRole("dialog").getByRole("button", { name: "Acknowledge 2 alerts" }).click();
  await expect(page.getByText("2 alerts acknowledged")).toBeVisible();
  await page.getByText("Acknowledged", { exact: true }).first().click();
  await choose();
  await page.getByRole("region", { name: "2 selected" }).getByRole("button", { name: "Resolve…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resolve 2 alerts" }).click();
  await expect(page.getByText("2 alerts resolved")).toBeVisible();
});

test("hosts are labeled together, and failures are listed and retried", async ({ page }) => {
  await open(page, "/hosts");
  const [host] = (await call<{ items: { name: string }[] }>(page, "GET", "/hosts")).items;
  const name = host?.name ?? "";
  const label = uniqueName("fleet");
  await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  await page.getByRole("button", { name: "Label…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Labels" }).fill(label);
  // The first request fails: the dialog stays open, shows the error and can retry.
  await page.route("**/hosts/*", (route) => route.abort(), { times: 1 });
  await dialog.getByRole("button", { name: "Label 1 host" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`${name}: Cannot reach the hub.`);
  await dialog.getByRole("button", { name: "Retry 1 failed host" }).click();
  await expect(page.getByText("1 host labeled")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: label })).toContainText(name);
  await call(page, "PATCH", `/hosts/${name}`, { labels: { [label]: null } });
});

test("a view is saved, opened, shared, removed, and restored by undo", async ({ page }) => {
  const [bad, failed] = [uniqueName("Bad ones"), uniqueName("Failed")];
  const views = async () => (await call<{ items: View[] }>(page, "GET", "/views")).items;
  await open(page, "/jobs?filter=status:failed");
  const menu = page.getByRole("button", { name: "Views" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Save this view…" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(bad);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${bad} saved`)).toBeVisible();
  expect((await views()).find(({ name }) => name === bad)?.query).toBe("filter=status%3Afailed");

  await open(page, "/jobs");
  await menu.click();
  await page.getByRole("menuitemradio", { name: bad }).click();
  await expect(page).toHaveURL(/filter=status/);
  await menu.click();
  await page.getByRole("menuitem", { name: "Manage views…" }).click();
  const dialog = page.getByRole("dialog", { name: "Your views" });
  await dialog.getByRole("switch", { name: `Share ${bad} with the organization` }).click();
  await expect(page.getByText(`${bad} is shared with the organization`)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill(failed);
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByText(`${failed} updated`)).toBeVisible();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(dialog.getByText("No saved views on this page.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(failed);
  expect((await views()).find(({ name }) => name === failed)?.visibility).toBe("org");
});

test("standard views work while saved views are not available", async ({ page }) => {
  await page.route(/\/orgs\/[^/]+\/views$/, (route) => route.abort());
  await open(page, "/jobs");
  await page.getByRole("button", { name: "Views" }).click();
  await expect(page.getByText(/^Saved views are not available/)).toBeVisible();
  await page.getByRole("menuitemradio", { name: "Dead letter" }).click();
  await expect(page).toHaveURL(/dead_letter/);
});
