import { injectAxe, seriousFindings } from "./axe";
import { enqueue, expect, open, test, waitForStatus } from "./hub";

test("an open menu has no serious accessibility finding and works by keyboard", async ({ page }) => {
  await injectAxe(page);
  await open(page, "/jobs");
  await waitForStatus(page, await enqueue(page, "hello"), "succeeded");
  await open(page, "/jobs");
  await expect(page.locator("[data-row]").first()).toBeVisible();
  for (const name of ["Views", "Columns", "Color scheme", /^Account/, /^Time zone/, /^Organization/]) {
    const button = page.getByRole("button", { name }).first();
    await button.click();
    await expect(page.getByRole("menu")).toBeVisible();
    expect.soft(await seriousFindings(page), String(name)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(button).toBeFocused();
  }

  await page.keyboard.press("j");
  await page.keyboard.press(".");
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  expect.soft(await seriousFindings(page), "a row").toEqual([]);
  await page.keyboard.press("End");
  await expect(menu.getByRole("menuitem").last()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("r");
  await page.keyboard.press("Enter");
  await expect(menu).toHaveCount(0);
});

test("a menu closes on a click outside and stays inside the window", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await open(page, "/hosts");
  await page.getByRole("button", { name: /^Account/ }).click();
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  const box = await menu.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await page.getByRole("heading", { level: 1 }).click();
  await expect(menu).toHaveCount(0);
});

test("a tooltip opens on focus and closes on Escape", async ({ page }) => {
  await open(page, "/hosts");
  await page.getByRole("button", { name: "live", exact: true }).focus();
  const tip = page.getByRole("tooltip");
  await expect(tip).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);
  await page.getByRole("button", { name: "live", exact: true }).hover();
  await expect(tip).toBeVisible();
  await page.mouse.move(400, 400);
  await expect(tip).toHaveCount(0);
});
