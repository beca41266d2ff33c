import { test as base, expect, type Page } from "@playwright/test";

/** A fresh one-time link, as `hostler open` prints it: `HOSTLER_E2E_LINK=http://…/s/<secret>`. */
export function signInLink(): string {
  const link = process.env.HOSTLER_E2E_LINK;
  if (!link) throw new Error("set HOSTLER_E2E_LINK to a fresh sign-in link");
  return link;
}

export const SCHEMES = ["light", "dark"] as const;

/** A test that fails when the page broke the content policy or threw. */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
      await page.exposeFunction("reportViolation", (what: string) => faults.push(`policy: ${what}`));
      await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
          const report = (window as unknown as { reportViolation: (what: string) => void }).reportViolation;
          report(`${event.violatedDirective} ${event.blockedURI}`);
        });
      });
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until the page shows its heading and nothing is being loaded. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading…" })).toHaveCount(0);
}

export { expect };
