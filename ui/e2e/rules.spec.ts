import { call, define, enqueue, expect, fresh, open, reach, test } from "./hub";

test("a secret is set, reaches a run, is never shown, and goes", async ({ page }) => {
  const name = fresh("E2E").replace("-", "_").toUpperCase();
  const value = fresh("hush");
  await open(page, "/admin/secrets");
  await page.getByRole("button", { name: "Set a secret" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("1-wrong");
  await expect(dialog.getByText("no digit first", { exact: false })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Value" }).fill(value);
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(value);

  const line = `test "$${name}" = ${value} && echo "it is $${name}"`;
  const key = await define(page, "secretive", line, { secrets: [name] });
  const job = await enqueue(page, key);
  await reach(page, job, "succeeded");
  await open(page, `/jobs/${job}`);
  await expect(page.getByRole("log").getByText("it is •••")).toBeVisible();
  expect(await page.getByRole("log").innerText()).not.toContain(value);
  await open(page, "/admin/secrets");
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove secret" }).click();
  await expect(row).toHaveCount(0);
});

test("a limit by key is set, changed, cleared and taken back", async ({ page }) => {
  const key = fresh("provider:x");
  await open(page, "/admin/limits");
  await page.getByRole("button", { name: "Set a limit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Key" }).fill(key);
  await dialog.getByRole("textbox", { name: "At once" }).fill("2");
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: key });
  await expect(row).toContainText("any number");
  await row.getByRole("button", { name: "Change…" }).click();
  await dialog.getByRole("textbox", { name: "Begun per minute" }).fill("30");
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  await expect(row).toContainText("30");
  await row.getByRole("button", { name: "Clear" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toContainText("30");
  await row.getByRole("button", { name: "Clear" }).click();
  await expect(row).toHaveCount(0);
});

test("a paused definition begins no jobs, and goes on when resumed", async ({ page }) => {
  await open(page, "/admin/limits");
  const key = await define(page, "held", "true");
  await page.getByRole("button", { name: "Pause something" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Definition" }).fill(key);
  await dialog.getByRole("textbox", { name: "Note" }).fill("vendor outage");
  await dialog.getByLabel("Ends by itself").selectOption({ label: "in 1 hour" });
  await dialog.getByRole("button", { name: "Pause", exact: true }).click();
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
  await reach(page, job, "succeeded");
});
