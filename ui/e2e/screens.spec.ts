import { copyFile } from "node:fs/promises";
import type { Page, Request } from "@playwright/test";
import { text } from "../src/messages";
import {
  call,
  createDefinition,
  createServer,
  enqueue,
  expect,
  open,
  SIGNED_IN,
  test,
  waitForStatus,
} from "./hub";

test.setTimeout(240_000);

/** Folder for the pictures of the documents. */
const PICTURES = process.env.HOSTLER_PICTURES;
test.skip(!PICTURES, "`make pictures` takes them");

/** Takes pictures for review and for the documents. It checks nothing. */
test("takes pictures of every screen in both themes", async ({ page }) => {
  await open(page, "/");
  const backup = await createDefinition(
    page,
    "backup-home",
    "for folder in documents music photos projects; do for number in 1 2 3 4 5 6 7 8 9 10; do echo copied $folder/2026-$number; done; done",
    { description: "Copies the home folders to the backup disk" },
  );
  const fail = await createDefinition(page, "sync-photos", "echo connection reset by peer >&2; exit 2", {
    description: "Copies new photos to the archive",
    no_retry_exit_codes: [2],
  });
  const quick = ["renew-certificates", "vacuum-database", "check-disks"];
  for (const key of quick) {
    const definition = await createDefinition(page, key, "echo done", { description: "Runs every night" });
    await waitForStatus(page, await enqueue(page, definition), "succeeded");
  }
  const job = await enqueue(page, backup);
  await waitForStatus(page, job, "succeeded");
  await waitForStatus(page, await enqueue(page, fail), "failed");
  const { id: trigger } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: "Nightly backup",
    cron_expr: "30 2 * * *",
    timezone: "Europe/Berlin",
    definition_key: backup,
    payload_template: {},
  });
  const server = await createServer(page, "survival", "echo ready; while read line; do echo $line; done");
  await call(page, "POST", `/servers/${server}/start`, {});
  await expect
    .poll(async () => (await call<{ state: string }>(page, "GET", `/servers/${server}`)).state, {
      timeout: 20_000,
    })
    .toBe("running");
  const [host] = (await call<{ items: { name: string }[] }>(page, "GET", "/hosts")).items;
  const paths = [
    ...SIGNED_IN,
    `/jobs/${job}`,
    `/triggers/${trigger}`,
    `/triggers/${trigger}/edit`,
    `/hosts/${host?.name}`,
    `/servers/${server}?tab=console`,
  ];
  const DOCUMENTED = new Set(["/", `/jobs/${job}`, "/servers", "/triggers/new"]);
  const waitForNetworkIdle = networkIdle(page);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const path of paths) {
      await open(page, path);
      await waitForNetworkIdle();
      await expect(page.getByRole("status", { name: text.common.loading })).toHaveCount(0);
      if (path === "/") {
        // The alerts and the charts load after their page.
        await expect(page.getByRole("button", { name: "Acknowledge…" })).toBeVisible();
        await expect(page.getByText("Wait before start")).toBeVisible();
      }
      // The log loads after its page.
      if (path === `/jobs/${job}`) await expect(page.getByText("copied projects/2026-10")).toBeVisible();
      const name = `${nameOf(path, [job, trigger, server])}-${scheme}.png`;
      await page.screenshot({ path: `test-results/screens/${name}` });
      if (DOCUMENTED.has(path)) await copyFile(`test-results/screens/${name}`, `${PICTURES}/${name}`);
    }
  }
  await call(page, "DELETE", `/jobs/triggers/${trigger}`);
  await call(page, "DELETE", `/servers/${server}?cancel_jobs=true`);
  expect(paths.length).toBeGreaterThan(20);
});

/** Returns a function that waits until the page has no open requests, long polls aside. */
function networkIdle(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  const isCounted = (request: Request) => !/[?&]wait=/.test(request.url());
  page.on("request", (request) => isCounted(request) && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return async () => {
    let idleChecks = 0;
    // A loaded part of the page requests its rows a moment later, so three checks in a row must find no request.
    await expect
      .poll(
        () => {
          idleChecks = open.size === 0 ? idleChecks + 1 : 0;
          return idleChecks;
        },
        { intervals: [60] },
      )
      .toBeGreaterThanOrEqual(3);
  };
}

/** Turns "/jobs/01M…" into "jobs-one", so that file names do not change between runs. */
function nameOf(path: string, ids: string[]): string {
  const generic = ids.reduce((name, id) => name.replace(id, "one"), path);
  return generic.replace(/[^a-z]+/gi, "-").replace(/^-|-$/g, "") || "overview";
}
