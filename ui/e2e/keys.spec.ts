import { expect, open, test } from "./hub";

test("shortcuts are listed, changed, checked for conflicts, disabled, and stored", async ({ page }) => {
  await open(page, "/hosts");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const pause = help.getByRole("button", { name: "Change the shortcut: Pause or resume updates" });
  await expect(pause).toHaveText("p");
  await pause.click();
  const prompt = help.getByText("Press the new key");
  await expect(prompt).toBeVisible();
  await page.keyboard.press("j");
  await expect(help.getByText("already used: Next row")).toBeVisible();
  await page.keyboard.press("z");
  await expect(pause).toHaveText("z");
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);

  await page.reload();
  const dot = page.getByRole("button", { name: /^(live|paused)$/ });
  await expect(dot).toHaveAccessibleName("live");
  await page.keyboard.press("p");
  await expect(dot).toHaveAccessibleName("live");
  await page.keyboard.press("z");
  await expect(dot).toHaveAccessibleName("paused");
  await page.keyboard.press("z");

  await page.keyboard.press("?");
  await help.getByRole("button", { name: "Reset to default" }).click();
  await expect(pause).toHaveText("p");
  await help.getByRole("switch", { name: "Enable keyboard shortcuts" }).click();
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await expect(help).toHaveCount(0);
  await expect(page).toHaveURL(/\/hosts/);
  // The account menu still opens the help.
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: /^Keyboard/ }).click();
  await help.getByRole("switch", { name: "Enable keyboard shortcuts" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/\/jobs/);
});

test("shortcuts select a row and open the create dialog of a page", async ({ page }) => {
  await open(page, "/hosts");
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByText("1 selected")).toBeVisible();
  await page.keyboard.press("x");
  await expect(page.getByText("1 selected")).toHaveCount(0);
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog", { name: "Add a host" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/run/);
});
