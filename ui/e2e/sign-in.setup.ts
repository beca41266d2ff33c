import { expect, signInPath, test } from "./hub";

test("a one-time link signs in only after a click", async ({ page }) => {
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
