import type { Page } from "@playwright/test";
import { injectAxe, seriousFindings } from "./axe";
import {
  call,
  createDefinition,
  enqueue,
  expect,
  open,
  PUBLIC,
  SIGNED_IN,
  test,
  uniqueName,
  waitForStatus,
} from "./hub";

// Each test checks many pages in two themes.
test.setTimeout(240_000);

/** Expects no serious accessibility finding on the current page in either theme. */
async function expectNoFinding(page: Page, what: string): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
    expect.soft(await seriousFindings(page), `${what}, ${scheme}`).toEqual([]);
  }
}

test("pages have no serious accessibility finding in either theme", async ({ page }) => {
  await injectAxe(page);
  for (const path of [...SIGNED_IN, ...PUBLIC]) {
    await open(page, path);
    await expectNoFinding(page, path);
  }
});

test("a host page and its dialogs have no serious accessibility finding in either theme", async ({
  page,
}) => {
  await injectAxe(page);
  await open(page, "/hosts");
  await page.locator("[data-row]").first().click();
  await expect(page.getByRole("region", { name: "Session" })).toBeVisible();
  await expectNoFinding(page, "a host");
  for (const tab of ["Servers", "Jobs", "Schedules", "Metrics", "Timeline", "Settings"]) {
    await page
      .getByRole("navigation", { name: "Views of this host" })
      .getByRole("link", { name: tab })
      .click();
    await expect(
      page.getByRole("link", { name: tab, exact: true, includeHidden: false }).last(),
    ).toBeVisible();
    await expectNoFinding(page, `a host, ${tab}`);
  }
  await page.getByRole("button", { name: "Remove…" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await expect(page.getByRole("button", { name: "Remove host" })).toBeDisabled();
  await expectNoFinding(page, "removing");
  await open(page, "/hosts");
  await page.getByRole("button", { name: "Add host" }).first().click();
  await expect(page.getByText(/^printf .* \| sh$/)).toBeVisible();
  await expectNoFinding(page, "adding");
  await page.getByRole("button", { name: "More options…" }).click();
  await expect(page.getByRole("button", { name: "Create command" })).toBeVisible();
  await expectNoFinding(page, "adding, with choices");
});

test("jobs, triggers and their dialogs have no serious accessibility finding in either theme", async ({
  page,
}) => {
  await injectAxe(page);
  await open(page, "/jobs");
  const key = await createDefinition(page, "axe", "echo fine; echo worse >&2; exit 2", {
    no_retry_exit_codes: [2],
  });
  const job = await enqueue(page, key);
  await waitForStatus(page, job, "failed");
  await open(page, `/jobs?filter=def:${key}`);
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByText("1 selected")).toBeVisible();
  await expectNoFinding(page, "a selected job");
  await open(page, `/jobs/${job}`);
  await expect(page.getByText("worse")).toBeVisible();
  await expectNoFinding(page, "a job");
  await page.getByRole("button", { name: "Retry…" }).click();
  await page.getByText("Edit payload").click();
  await expectNoFinding(page, "retrying");

  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: uniqueName("axe"),
    cron_expr: "0 2 * * *",
    timezone: "Europe/Berlin",
    definition_key: "hello",
    payload_template: {},
  });
  await open(page, `/triggers/${id}`);
  await expect(page.getByText("at 02:00 every day").first()).toBeVisible();
  await expectNoFinding(page, "a trigger");
  await open(page, `/triggers/${id}/edit`);
  await expectNoFinding(page, "editing a trigger");
  await open(page, "/alerts/channels");
  await page.getByRole("button", { name: "Add channel" }).click();
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused();
  await expectNoFinding(page, "adding a channel");
  await open(page, "/hosts");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "What are you looking for?" })).toBeFocused();
  await expectNoFinding(page, "the palette");
});

test("no page overflows at 320 px", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of [...SIGNED_IN, ...PUBLIC]) {
    await open(page, path);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(overflow, path).toBeLessThanOrEqual(0);
  }
});
