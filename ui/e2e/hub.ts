import { existsSync } from "node:fs";
import { type Browser, test as base, expect, type Page } from "@playwright/test";
import { ownHub } from "./hubs";

/** Path of the one-time sign-in link of this worker's hub. */
export function signInPath(): string {
  return new URL(ownHub().link).pathname;
}

/** A name that is unique across test runs. In pictures it has no suffix: their hub is new. */
export function uniqueName(prefix: string): string {
  return process.env.HOSTLER_PICTURES ? prefix : `${prefix}-${Date.now().toString(36)}`;
}

export const SIGNED_IN = [
  "/",
  "/wall",
  "/hosts",
  "/servers",
  "/servers?filter=state:running",
  "/servers/new",
  "/jobs",
  "/events",
  "/batches",
  "/run",
  "/run?def=hello",
  "/triggers",
  "/triggers/new",
  "/alerts",
  "/alerts/channels",
  "/alerts/rules",
  "/alerts/maintenance",
  "/alerts/deliveries",
  "/admin/definitions",
  "/admin/definitions/hello",
  "/admin/definitions/hello/edit",
  "/admin/workers",
  "/admin/sync",
  "/admin/people",
  "/admin/tokens",
  "/admin/join-tokens",
  "/admin/audit",
  "/admin/org",
  "/admin/hub",
  "/d",
  "/admin/secrets",
  "/admin/limits",
  "/triggers/pings",
  "/triggers/hooks",
  "/triggers?view=day",
  "/triggers?view=week",
];
export const PUBLIC = ["/login", "/s/not-a-secret", "/invite/not-a-secret", "/no/such/page"];

/** Collects uncaught errors and content policy violations of a page. */
export async function collectPageErrors(page: Page): Promise<string[]> {
  const pageErrors: string[] = [];
  page.on("pageerror", (error) => pageErrors.push(`error: ${error.message}`));
  await page.exposeFunction("reportViolation", (value: string) => pageErrors.push(`policy: ${value}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report = (window as unknown as { reportViolation: (value: string) => void }).reportViolation;
      report(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return pageErrors;
}

const baseURL = () => new URL(ownHub().link).origin;

/** Signs in with the one-time link and stores the session. A worker that replaces a failed one finds it there. */
async function signIn(browser: Browser): Promise<string> {
  const path = `test-results/session-${process.env.TEST_PARALLEL_INDEX}.json`;
  if (existsSync(path)) return path;
  const page = await browser.newPage({ baseURL: baseURL(), storageState: { cookies: [], origins: [] } });
  await page.goto(signInPath());
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.context().storageState({ path });
  await page.close();
  return path;
}

/**
 * A test with a session at this worker's hub. It also fails on an uncaught error or a content policy violation of the
 * page.
 */
export const test = base.extend<{ pageErrors: string[] }, { session: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
  baseURL: ({}, use) => use(baseURL()),
  session: [async ({ browser }, use) => use(await signIn(browser)), { scope: "worker" }],
  storageState: ({ session }, use) => use(session),
  pageErrors: [
    async ({ page }, use) => {
      const pageErrors = await collectPageErrors(page);
      await use(pageErrors);
      expect(pageErrors).toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens a page and waits for its heading and until no loading indicator is left. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading…" })).toHaveCount(0);
}

/** Sends an API request with the session of the page, which must be open. */
export async function call<T>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const result = await page.evaluate(
    async ([httpMethod, apiPath, value]) => {
      const response = await fetch(`/api/v1${apiPath}`, {
        method: httpMethod as string,
        headers: { "content-type": "application/json", accept: "application/json" },
        ...(value === undefined ? {} : { body: JSON.stringify(value) }),
      });
      return { status: response.status, text: await response.text() };
    },
    [method, path, body] as const,
  );
  if (result.status >= 400) throw new Error(`${method} ${path}: ${result.status} ${result.text}`);
  return (result.text === "" ? undefined : JSON.parse(result.text)) as T;
}

/** Creates a definition that runs a shell line, and returns its key. */
export async function createDefinition(
  page: Page,
  prefix: string,
  line: string,
  fields: object = {},
): Promise<string> {
  const key = uniqueName(prefix);
  await call(page, "POST", "/admin/jobs/definitions", {
    key,
    description: `For the test of ${prefix}.`,
    argv: ["sh", "-c", line],
    arg_schema: { type: "object", additionalProperties: false, properties: {} },
    ...fields,
  });
  return key;
}

export async function enqueue(page: Page, definition_key: string, fields: object = {}): Promise<string> {
  return (await call<{ id: string }>(page, "POST", "/jobs", { definition_key, ...fields })).id;
}

/** Name of a connected host. */
export async function connectedHost(page: Page): Promise<string> {
  const { items } = await call<{ items: { name: string }[] }>(page, "GET", "/hosts?status=online,degraded");
  const [host] = items;
  if (!host) throw new Error("the hub needs a connected host");
  return host.name;
}

/** Creates a server that runs a shell line, and returns its name. */
export async function createServer(
  page: Page,
  prefix: string,
  line: string,
  fields: object = {},
): Promise<string> {
  const name = uniqueName(prefix);
  const host = await connectedHost(page);
  await call(page, "POST", "/servers", { name, host, argv: ["sh", "-c", line], ...fields });
  return name;
}

/** Waits until a job has this status. */
export async function waitForStatus(page: Page, job: string, status: string): Promise<void> {
  const now = async () => (await call<{ status: string }>(page, "GET", `/jobs/${job}`)).status;
  await expect.poll(now, { timeout: 20_000 }).toBe(status);
}

export { expect };
