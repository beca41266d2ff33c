import { test as base, expect, type Page } from "@playwright/test";

/** The path of a fresh one-time link, as `hostler open --print` prints it: `HOSTLER_E2E_LINK=http://…/s/<secret>`. */
export function signInPath(): string {
  const link = process.env.HOSTLER_E2E_LINK;
  if (!link) throw new Error("set HOSTLER_E2E_LINK to a fresh sign-in link");
  return new URL(link).pathname;
}

/** A word no earlier run has used. */
export function fresh(word: string): string {
  return `${word}-${Date.now().toString(36)}`;
}

export const SIGNED_IN = [
  "/hosts",
  "/admin/people",
  "/admin/tokens",
  "/admin/join-tokens",
  "/admin/audit",
  "/admin/org",
  "/admin/hub",
  "/d",
];
export const PUBLIC = ["/login", "/s/not-a-secret", "/invite/not-a-secret", "/no/such/page"];

/** Tells faults of a page: what it threw, and where it broke the content policy. */
export async function watch(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  await page.exposeFunction("reportViolation", (what: string) => faults.push(`policy: ${what}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report = (window as unknown as { reportViolation: (what: string) => void }).reportViolation;
      report(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return faults;
}

/** A test that fails when the page had faults. */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ page }, use) => {
      const faults = await watch(page);
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
