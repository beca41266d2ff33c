import { call, enqueue, expect, hostHere, open, test } from "./hub";

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

test("a job and a schedule of a host whose work comes from another hub are only shown too", async ({
  page,
}) => {
  await open(page, "/jobs");
  const name = await hostHere(page);
  const job = await enqueue(page, "hello", { target: { host: name } });
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: "There",
    cron_expr: "30 2 * * *",
    timezone: "UTC",
    definition_key: "hello",
    payload_template: {},
    target: { host: name },
  });
  const home = "http://10.0.0.5:7411";
  await page.route(/\/api\/.*\/hosts\/[^/?]+$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), home } });
  });
  const why = `Its work comes from ${home}: this hub is a mirror, and only shows it.`;
  for (const [path, button] of [
    [`/jobs/${job}`, "Run again…"],
    [`/triggers/${id}`, "Fire now…"],
  ] as const) {
    await open(page, path);
    await expect(page.getByText(why).first()).toBeVisible();
    await expect(page.getByRole("button", { name: button })).toHaveAttribute("aria-description", why);
  }
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});
