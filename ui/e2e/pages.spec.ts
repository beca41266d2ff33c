import type { Page } from "@playwright/test";
import { bringAxe, seriousFindings } from "./axe";
import { expect, open, PUBLIC, SIGNED_IN, test } from "./hub";

/** Looks at the page as it stands in both themes. */
async function expectNoFinding(page: Page, what: string): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
    expect.soft(await seriousFindings(page), `${what}, ${scheme}`).toEqual([]);
  }
}

test("pages have no serious finding in either theme", async ({ page }) => {
  await bringAxe(page);
  for (const path of [...SIGNED_IN, ...PUBLIC]) {
    await open(page, path);
    await expectNoFinding(page, path);
  }
});

test("a host and dialogs have no serious finding in either theme", async ({ page }) => {
  await bringAxe(page);
  await open(page, "/hosts");
  await page.locator("[data-row]").first().click();
  await expect(page.getByRole("region", { name: "Settings" })).toBeVisible();
  await expectNoFinding(page, "a host");
  await page.getByRole("button", { name: "Remove…" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await expect(page.getByRole("button", { name: "Remove host" })).toBeDisabled();
  await expectNoFinding(page, "removing");
  await open(page, "/hosts");
  await page.getByRole("button", { name: "Add host" }).first().click();
  await expect(page.getByRole("button", { name: "Make the command" })).toBeVisible();
  await expectNoFinding(page, "adding");
});

test("nothing is cut off at 320 px", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of [...SIGNED_IN, ...PUBLIC]) {
    await open(page, path);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(overflow, path).toBeLessThanOrEqual(0);
  }
});
