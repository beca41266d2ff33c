import { call, createDefinition, enqueue, expect, open, test, uniqueName, waitForStatus } from "./hub";

test("a secret is set, passed to a run, never shown, and removed", async ({ page }) => {
  const name = uniqueName("E2E").replace("-", "_").toUpperCase();
  const value = uniqueName("hush");
  await open(page, "/admin/secrets");
  await page.getByRole("button", { name: "Add secret" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("1-wrong");
  await expect(dialog.getByText("do not start with a digit", { exact: false })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Value" }).fill(value);
  await dialog.getByRole("button", { name: "Add secret" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(value);

  const line = `test "$${name}" = ${value} && echo "it is $${name}"`;
  const key = await createDefinition(page, "secretive", line, { secrets: [name] });
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  await expect(page.getByRole("log").getByText("it is •••")).toBeVisible();
  expect(await page.getByRole("log").innerText()).not.toContain(value);
  await open(page, "/admin/secrets");
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove secret" }).click();
  await expect(row).toHaveCount(0);
});

test("a limit by key is set, changed, removed and restored", async ({ page }) => {
  const key = uniqueName("provider:x");
  await open(page, "/admin/limits");
  await page.getByRole("button", { name: "Add limit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Key" }).fill(key);
  await dialog.getByRole("textbox", { name: "Max concurrent" }).fill("2");
  await dialog.getByRole("button", { name: "Add limit" }).click();
  const row = page.getByRole("row").filter({ hasText: key });
  await expect(row).toContainText("no limit");
  await row.getByRole("button", { name: "Edit…" }).click();
  await dialog.getByRole("textbox", { name: "Max starts per minute" }).fill("30");
  await dialog.getByRole("button", { name: "Save limit" }).click();
  await expect(row).toContainText("30");
  await row.getByRole("button", { name: "Remove" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toContainText("30");
  await row.getByRole("button", { name: "Remove" }).click();
  await expect(row).toHaveCount(0);
});

test("a paused definition starts no jobs until it is resumed", async ({ page }) => {
  await open(page, "/admin/limits");
  const key = await createDefinition(page, "held", "true");
  await page.getByRole("button", { name: "Pause jobs…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Definition" }).fill(key);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("vendor outage");
  await dialog.getByLabel("Ends automatically").selectOption({ label: "In 1 hour" });
  await dialog.getByRole("button", { name: "Pause jobs" }).click();
  const row = page.getByRole("row").filter({ hasText: key });
  await expect(row).toContainText("vendor outage");

  const job = await enqueue(page, key);
  await expect
    .poll(async () => (await call<{ reason: string }>(page, "GET", `/jobs/${job}/why`)).reason)
    .toBe("paused");
  await row.getByRole("button", { name: "Resume" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toContainText("vendor outage");
  await row.getByRole("button", { name: "Resume" }).click();
  await waitForStatus(page, job, "succeeded");
});
