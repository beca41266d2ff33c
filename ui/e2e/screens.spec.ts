import { call, define, enqueue, expect, open, reach, SIGNED_IN, test } from "./hub";

test.setTimeout(240_000);

/** Pictures for people to look at, and for the documents; they judge nothing. */
test("every screen in both themes", async ({ page }) => {
  await open(page, "/");
  const talk = await define(
    page,
    "backup-home",
    "i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo scanning folder $i; done",
  );
  const fail = await define(page, "sync-photos", "echo connection reset by peer >&2; exit 2", {
    no_retry_exit_codes: [2],
  });
  const job = await enqueue(page, talk);
  await reach(page, job, "succeeded");
  await reach(page, await enqueue(page, fail), "failed");
  const { id: trigger } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: "Nightly backup",
    cron_expr: "30 2 * * *",
    timezone: "Europe/Berlin",
    definition_key: "hello",
    payload_template: {},
  });
  const [host] = (await call<{ items: { name: string }[] }>(page, "GET", "/hosts")).items;
  const paths = [
    ...SIGNED_IN,
    `/jobs/${job}`,
    `/triggers/${trigger}`,
    `/triggers/${trigger}/edit`,
    `/hosts/${host?.name}`,
  ];
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const path of paths) {
      await open(page, path);
      await page.screenshot({ path: `test-results/screens/${nameOf(path, [job, trigger])}-${scheme}.png` });
    }
  }
  await call(page, "DELETE", `/jobs/triggers/${trigger}`);
  expect(paths.length).toBeGreaterThan(20);
});

/** "/jobs/01M…" becomes "jobs-one": names that stay the same from run to run. */
function nameOf(path: string, ids: string[]): string {
  const plain = ids.reduce((name, id) => name.replace(id, "one"), path);
  return plain.replace(/[^a-z]+/gi, "-").replace(/^-|-$/g, "") || "overview";
}
