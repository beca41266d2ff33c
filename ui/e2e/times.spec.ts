import type { Locator } from "@playwright/test";
import { call, expect, open, test, uniqueName } from "./hub";

test.use({ timezoneId: "Europe/Berlin" });

test("a time tooltip shows the viewer's zone, UTC and the schedule's zone", async ({ page }) => {
  await open(page, "/triggers");
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: uniqueName("planned"),
    cron_expr: "0 2 * * *",
    timezone: "America/New_York",
    definition_key: "hello",
    payload_template: {},
  });
  await open(page, `/triggers/${id}`);
  const tip = page.getByRole("tooltip");
  // Content that loads later may move the element away from the pointer, so the hover is retried.
  const pointAt = (time: Locator, formatted: (iso: string) => string | RegExp) =>
    expect(async () => {
      await page.mouse.move(5, 5);
      await time.hover();
      const iso = (await time.getAttribute("datetime")) ?? "";
      await expect(tip).toContainText(formatted(iso), { timeout: 1000 });
    }).toPass({ timeout: 20_000 });
  await pointAt(page.locator('time[data-zone="America/New_York"]').first(), () => "America/New_York");
  await expect(tip).toContainText(/America\/New_York\s*\w{3} \d+ \w{3,4} \d{4} 02:00:00/);
  await expect(tip).toContainText(/Europe\/Berlin\s*\w{3} \d+ \w{3,4} \d{4} 0[78]:00:00/);
  await expect(tip).toContainText(/UTC\s*\w{3} \d+ \w{3,4} \d{4} 0[67]:00:00/);
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);

  await open(page, "/hosts");
  await pointAt(page.locator("main time").first(), (iso) => iso.slice(11, 19));
  await page.mouse.move(5, 5);
  await expect(tip).toHaveCount(0);
  await call(page, "DELETE", `/jobs/triggers/${id}`);
});
