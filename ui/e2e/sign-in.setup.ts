import { expect, signInPath, test } from "./hub";

test("signs in by a one-time link, and only by a press", async ({ page }) => {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  await page.goto(signInPath());
  const button = page.getByRole("button", { name: "Sign in" });
  await expect(button).toBeVisible();
  expect(posts).toEqual([]);
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  expect(page.url()).not.toContain("/s/");
  await page.context().storageState({ path: "test-results/session.json" });
});
