import { expect, open, test } from "./hub";

test("the list shows an online host and opens it", async ({ page }) => {
  await open(page, "/hosts");
  const row = page.getByRole("row").filter({ hasText: "online" }).first();
  await expect(row).toBeVisible();
  const link = row.getByRole("link").first();
  const name = await link.innerText();
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("region", { name: "Session" })).toBeVisible();
});

test("a filter lives in the address", async ({ page }) => {
  await open(page, "/hosts");
  await page.getByRole("button", { name: /online/ }).click();
  await expect(page).toHaveURL(/status=online/);
  await page.keyboard.press("/");
  await page.keyboard.type("no-such-host");
  await expect(page.getByRole("heading", { name: /^No match of/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: /^No match of/ })).toBeVisible();
  await page.getByRole("button", { name: "Clear filter" }).first().click();
  await expect(page).not.toHaveURL(/status=/);
});

test("adding a host shows one command", async ({ page }) => {
  await open(page, "/hosts");
  await page.getByRole("button", { name: "Add host" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a host" });
  await dialog.getByRole("button", { name: "Make the command" }).click();
  await expect(dialog.getByText(/hostler join \S+ \S+/)).toBeVisible();
  await expect(dialog.getByText("waiting for host…")).toBeVisible();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
});

test("keys move about, and mean letters in fields", async ({ page }) => {
  await open(page, "/admin/people");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { level: 1, name: "Hosts" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toHaveCount(0);
  await page.keyboard.press("/");
  await page.keyboard.type("g?");
  await expect(page.getByRole("searchbox", { name: "Filter by name" })).toHaveValue("g?");
});
