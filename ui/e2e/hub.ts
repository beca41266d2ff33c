import { test as base, expect, type Page } from "@playwright/test";

/** Path of the unused one-time sign-in link in `HOSTLER_E2E_LINK`, which `hostler open --print` prints. */
export function signInPath(): string {
  const link = process.env.HOSTLER_E2E_LINK;
  if (!link) throw new Error("set HOSTLER_E2E_LINK to a fresh sign-in link");
  return new URL(link).pathname;
}

/** A name that is unique across test runs. */
export function fresh(word: string): string {
  return `${word}-${Date.now().toString(36)}`;
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

/** A test that also fails on an uncaught error or a content policy violation of the page. */
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

/** Opens a page and waits for its heading and until no loading indicator is left. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading…" })).toHaveCount(0);
}

/** Sends an API request with the session of the page, which must be open. */
export async function call<T>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await page.evaluate(
    async ([how, where, what]) => {
      const response = await fetch(`/api/v1${where}`, {
        method: how as string,
        headers: { "content-type": "application/json", accept: "application/json" },
        ...(what === undefined ? {} : { body: JSON.stringify(what) }),
      });
      return { status: response.status, text: await response.text() };
    },
    [method, path, body] as const,
  );
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return (answer.text === "" ? undefined : JSON.parse(answer.text)) as T;
}

/** Creates a definition that runs a shell line, and returns its key. */
export async function define(page: Page, word: string, line: string, rest: object = {}): Promise<string> {
  const key = fresh(word);
  await call(page, "POST", "/admin/jobs/definitions", {
    key,
    description: `For the test of ${word}.`,
    argv: ["sh", "-c", line],
    arg_schema: { type: "object", additionalProperties: false, properties: {} },
    ...rest,
  });
  return key;
}

export async function enqueue(page: Page, definition_key: string, rest: object = {}): Promise<string> {
  return (await call<{ id: string }>(page, "POST", "/jobs", { definition_key, ...rest })).id;
}

/** Name of a connected host. */
export async function hostHere(page: Page): Promise<string> {
  const { items } = await call<{ items: { name: string }[] }>(page, "GET", "/hosts?status=online,degraded");
  const [host] = items;
  if (!host) throw new Error("the hub needs a connected host");
  return host.name;
}

/** Creates a server that runs a shell line, and returns its name. */
export async function serve(page: Page, word: string, line: string, rest: object = {}): Promise<string> {
  const name = fresh(word);
  const host = await hostHere(page);
  await call(page, "POST", "/servers", { name, host, argv: ["sh", "-c", line], ...rest });
  return name;
}

/** Waits until a job has this status. */
export async function reach(page: Page, job: string, status: string): Promise<void> {
  const now = async () => (await call<{ status: string }>(page, "GET", `/jobs/${job}`)).status;
  await expect.poll(now, { timeout: 20_000 }).toBe(status);
}

export { expect };
