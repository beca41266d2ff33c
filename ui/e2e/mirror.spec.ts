import { call, expect, open, test } from "./hub";

test("a host whose work comes from another hub is only shown, and says from which", async ({ page }) => {
  await open(page, "/hosts");
  const [host] = (await call<{ items: { name: string }[] }>(page, "GET", "/hosts")).items;
  const home = "http://10.0.0.5:7411";
  // As the hub tells it of a host whose home is another one.
  await page.route(/\/api\/.*\/hosts\/[^/?]+$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), home } });
  });
  await open(page, `/hosts/${host?.name}`);
  const why = `Its work comes from ${home}: this hub is a mirror, and only shows it.`;
  await expect(page.getByText(why).first()).toBeVisible();
  for (const name of ["Run job", "Pause…"]) {
    const button = page.getByRole("button", { name });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(button).toHaveAttribute("aria-description", why);
  }
});
