import { call, connectedHost, enqueue, expect, open, test } from "./hub";

test("a host with another primary hub is read-only and names that hub", async ({ page }) => {
  await open(page, "/hosts");
  const [host] = (await call<{ items: { name: string }[] }>(page, "GET", "/hosts")).items;
  const hub = "http://10.0.0.5:7411";
  // The API response for a host with another primary hub.
  await page.route(/\/api\/.*\/hosts\/[^/?]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), primary_hub: hub } });
  });
  await open(page, `/hosts/${host?.name}`);
  const why = `The primary hub ${hub} manages this host. It is read-only here, because this hub only mirrors it.`;
  await expect(page.getByText(why).first()).toBeVisible();
  for (const name of ["Run job", "Pause…"]) {
    const button = page.getByRole("button", { name });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(button).toHaveAttribute("aria-description", why);
  }
});

test("a job and a schedule of a host with another primary hub are read-only", async ({ page }) => {
  await open(page, "/jobs");
  const name = await connectedHost(page);
  const job = await enqueue(page, "hello", { target: { host: name } });
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: "There",
    cron_expr: "30 2 * * *",
    timezone: "UTC",
    definition_key: "hello",
    payload_template: {},
    target: { host: name },
  });
  const hub = "http://10.0.0.5:7411";
  await page.route(/\/api\/.*\/hosts\/[^/?]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), primary_hub: hub } });
  });
  const why = `${hub} is the primary hub of host ${name}. Its jobs and schedules are read-only here. Change them on that hub.`;
  for (const [path, button] of [
    [`/jobs/${job}`, "Run a copy…"],
    [`/triggers/${id}`, "Run now…"],
  ] as const) {
    await open(page, path);
    await expect(page.getByText(why).first()).toBeVisible();
    await expect(page.getByRole("button", { name: button })).toHaveAttribute("aria-description", why);
  }
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});
