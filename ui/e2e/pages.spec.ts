import { bringAxe, seriousFindings } from "./axe";
import { expect, open, SCHEMES, test } from "./hub";

const SIGNED_IN = [
  "/hosts",
  "/admin/people",
  "/admin/tokens",
  "/admin/join-tokens",
  "/admin/audit",
  "/admin/org",
  "/admin/hub",
  "/d",
];
const PUBLIC = ["/login", "/s/not-a-secret", "/invite/not-a-secret"];

for (const scheme of SCHEMES) {
  test.describe(`${scheme} theme`, () => {
    test.use({ colorScheme: scheme });

    for (const path of [...SIGNED_IN, ...PUBLIC]) {
      test(`${path} has no serious finding`, async ({ page }) => {
        await bringAxe(page);
        await open(page, path);
        expect(await seriousFindings(page)).toEqual([]);
      });
    }

    test("a host and its dialogs have no serious finding", async ({ page }) => {
      await bringAxe(page);
      await open(page, "/hosts");
      await page.locator("[data-row]").first().click();
      await expect(page.getByRole("region", { name: "Settings" })).toBeVisible();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Remove…" }).click();
      await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
      await expect(page.getByRole("button", { name: "Remove host" })).toBeDisabled();
      expect(await seriousFindings(page)).toEqual([]);
    });

    test("the add-host dialog has no serious finding", async ({ page }) => {
      await bringAxe(page);
      await open(page, "/hosts");
      await page.getByRole("button", { name: "Add host" }).first().click();
      await expect(page.getByRole("button", { name: "Make the command" })).toBeVisible();
      expect(await seriousFindings(page)).toEqual([]);
    });
  });
}

test("nothing is cut off at 320 px", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of [...SIGNED_IN, ...PUBLIC]) {
    await open(page, path);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});
