import { expect, open, test } from "./hub";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

test("on a phone the main pages are in a bar and the others behind More", async ({ page }) => {
  await open(page, "/jobs");
  const bar = page.getByRole("navigation", { name: "Main" });
  await expect(bar.getByRole("link", { name: /^Jobs/ })).toBeInViewport();
  await expect(bar.getByRole("link", { name: "Servers" })).toBeHidden();
  await bar.getByRole("button", { name: "More" }).click();
  await expect(bar.getByRole("link", { name: "Audit" })).toBeInViewport();
  await bar.getByRole("link", { name: "Servers" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Servers" })).toBeVisible();
  await expect(bar.getByRole("link", { name: "Audit" })).toBeHidden();
});
