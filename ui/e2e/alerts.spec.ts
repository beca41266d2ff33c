import { define, enqueue, expect, fresh, open, reach, test } from "./hub";

test("an alert comes, is acked with a note, and called over", async ({ page }) => {
  await open(page, "/alerts");
  const key = await define(page, "broken", "exit 3", { no_retry_exit_codes: [3] });
  await reach(page, await enqueue(page, key), "failed");
  const row = page.getByRole("listitem").filter({ hasText: key });
  await expect(row).toContainText("job failed", { timeout: 30_000 });
  await expect(row).toContainText("warning");
  await expect(page).toHaveTitle(/^\(\d+!\) Alerts/);
  await row.getByRole("button", { name: "Ack…" }).click();
  await page.getByLabel("Note").fill("vendor outage");
  await page.getByRole("dialog").getByRole("button", { name: "Ack" }).click();
  await expect(row).toHaveCount(0);

  await page.getByText("Acked", { exact: true }).first().click();
  await expect(page).toHaveURL(/status=acked/);
  await expect(row).toContainText("vendor outage");
  await row.getByRole("button", { name: "Resolve…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
  await page.getByText("Resolved", { exact: true }).first().click();
  await expect(row).toContainText("resolved");
});

test("a channel is added, tried, told nothing, and removed", async ({ page }) => {
  const name = fresh("ops");
  await open(page, "/alerts/channels");
  await page.getByRole("button", { name: "Add channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Kind", { exact: true }).selectOption({ label: "Command on the hub's machine" });
  await dialog.getByRole("textbox", { name: "Command" }).fill("true");
  await dialog.getByRole("button", { name: "Add" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/^Delivered in/)).toBeVisible();
  await expect(row).toContainText("arrived");
  await row.getByRole("switch").click();
  await expect(page.getByText(`${name} is told nothing`)).toBeVisible();
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove channel" }).click();
  await expect(row).toHaveCount(0);
});

test("a test that does not arrive says why", async ({ page }) => {
  const name = fresh("nowhere");
  await open(page, "/alerts/channels");
  await page.getByRole("button", { name: "Add channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Kind", { exact: true }).selectOption({ label: "Command on the hub's machine" });
  await dialog.getByRole("textbox", { name: "Command" }).fill("false");
  await dialog.getByRole("button", { name: "Add" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/^Not delivered/)).toBeVisible();
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove channel" }).click();
  await expect(row).toHaveCount(0);
});

test("a rule is switched off and taken back; a window is made and removed", async ({ page }) => {
  await open(page, "/alerts/rules");
  const rule = page.getByRole("switch", { name: "Alerts of kind version skew" });
  await rule.click();
  await expect(rule).not.toBeChecked();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rule).toBeChecked();

  const label = fresh("kernel");
  await open(page, "/alerts/maintenance");
  await page.getByRole("button", { name: "Add window" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill(label);
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  const row = page.getByRole("row").filter({ hasText: label });
  await expect(row).toContainText("in force");
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove window" }).click();
  await expect(row).toHaveCount(0);
});
