import type { Page } from "@playwright/test";
import { injectAxe, seriousFindings } from "./axe";
import { connectedHost, expect, open, test } from "./hub";

/** Replaces the metrics of the hub with fixed series, because a fresh hub measures different values each time. */
async function measured(page: Page): Promise<void> {
  await page.route(/\/(metrics|jobs\/series)\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const after = query.get("after") ?? "";
    const sineWave = (base: number, amplitude: number) =>
      Array.from({ length: 60 }, (_, index) =>
        index > 20 && index < 25 ? null : base + amplitude * Math.sin(index / 6),
      );
    const series = [
      { name: "cpu", unit: "ratio", values: sineWave(0.4, 0.2) },
      { name: "memory", unit: "ratio", values: sineWave(0.6, 0.1) },
      { name: "load", unit: "count", values: sineWave(1.5, 1) },
      { name: "enqueued", unit: "count", values: sineWave(10, 5) },
      { name: "succeeded", unit: "count", values: sineWave(8, 5) },
      { name: "wait_p50", unit: "seconds", values: sineWave(1, 0.5) },
    ];
    await route.fulfill({ json: { after, before: query.get("before"), step_s: 60, series } });
  });
}

test("the charts of a host have text alternatives, a table view, and a range in the URL", async ({
  page,
}) => {
  await injectAxe(page);
  await measured(page);
  await open(page, "/hosts");
  const host = await connectedHost(page);
  await open(page, `/hosts/${host}?tab=metrics`);
  const cpu = page.getByRole("region", { name: "CPU" });
  await expect(cpu.getByRole("img")).toHaveAttribute("aria-label", /CPU: last \d+%, lowest 20%, highest 60%/);
  await expect(page.getByRole("region", { name: "Fullest disk" })).toContainText(
    "No data for this time range.",
  );

  // The charts share one crosshair.
  await cpu.locator(".u-over").hover();
  await expect(cpu).not.toContainText("now");
  await expect(page.getByRole("region", { name: "Memory" })).not.toContainText("now");

  await cpu.getByRole("button", { name: "As table" }).click();
  await expect(cpu.getByRole("row")).toHaveCount(61);
  await page.getByText("24 hours").click();
  await expect(page).toHaveURL(/range=24h/);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect.soft(await seriousFindings(page), scheme).toEqual([]);
  }
});

test("the overview shows the throughput chart and fits 320 px", async ({ page }) => {
  await measured(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, "/?range=7d");
  const jobs = page.getByRole("region", { name: "Throughput" });
  await expect(jobs.getByRole("img").first()).toHaveAttribute(
    "aria-label",
    /enqueued: last .*; succeeded: last/,
  );
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
