import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { backdate } from "./backdate";
import { call, createDefinition, enqueue, expect, open, test, uniqueName, waitForStatus } from "./hub";
import { argumentsOf, Machine } from "./machine";

// Machines join, go to sleep and leave.
test.setTimeout(120_000);

const machines: Machine[] = [];
const joined: string[] = [];

async function newMachine(): Promise<Machine> {
  const machine = await Machine.create();
  machines.push(machine);
  return machine;
}

test.afterEach(async ({ page }) => {
  for (const machine of machines.splice(0)) await machine.remove();
  for (const name of joined.splice(0)) {
    await call(page, "DELETE", `/hosts/${name}`, { cancel_jobs: true, confirm: name }).catch(() => undefined);
  }
});

/** Starts a webhook receiver that records the notifications of the hub. */
async function startReceiver(): Promise<{ received: string[]; url: string; close: () => void }> {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      received.push(body);
      response.end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  const { port } = receiver.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/`, close: () => void receiver.close() };
}

/** Creates the join command in the dialog and runs it. The caller starts the runner. */
async function addHost(page: Page, machine: Machine, name: string, mode?: string): Promise<void> {
  await open(page, "/hosts");
  await page.getByRole("button", { name: "Add host" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a host" });
  if (mode) {
    await dialog.getByRole("button", { name: "More options…" }).click();
    await dialog.getByLabel("24×7").selectOption(mode);
    await dialog.getByRole("button", { name: "Create command" }).click();
  }
  await dialog.getByText("Hostler is installed").click();
  const line = await dialog.getByText(/hostler join \S+ \S+/).innerText();
  joined.push(name);
  await machine.run(...argumentsOf(line), "--name", name);
}

test("a second machine joins with the shown command and runs a job", async ({ page }) => {
  const machine = await newMachine();
  const name = uniqueName("second");
  await open(page, "/");
  await page
    .getByRole("link", { name: /^Hosts/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Add host" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a host" });
  joined.push(name);
  machine.shell(await dialog.getByText(/^printf .* \| sh$/).innerText(), name);
  await expect(dialog.getByText(`${name} joined`)).toBeVisible({ timeout: 20_000 });
  await dialog.getByRole("link", { name: "Run hello on this host" }).click();
  await page.getByRole("button", { name: "Run job" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "hello" })).toBeVisible();
  await expect(page.getByRole("log").getByText(/Hello/)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("main").getByRole("link", { name }).first()).toBeVisible();
});

test("jobs of a sleeping machine wait and run when it is back", async ({ page }) => {
  const machine = await newMachine();
  const name = uniqueName("laptop");
  await addHost(page, machine, name, "no");
  const runner = machine.start("runner");
  await open(page, `/hosts/${name}`);
  const head = page.getByRole("main");
  await expect(head.getByText("online", { exact: true })).toBeVisible({ timeout: 20_000 });
  const { offline_after_seconds } = await call<{ offline_after_seconds: number }>(page, "GET", "/org");
  await call(page, "PATCH", "/org", { offline_after_seconds: 2 });
  try {
    await machine.kill(runner);
    await expect(head.getByText(/^asleep/).first()).toBeVisible({ timeout: 30_000 });
    await expect(head).toContainText(/asleep · last seen .+ · will catch up on return/);
    const job = await enqueue(page, "hello", { target: { host: name } });
    await expect
      .poll(async () => (await call<{ reason: string }>(page, "GET", `/jobs/${job}/why`)).reason)
      .toBe("host_asleep");
    machine.start("runner");
    await expect(head.getByText("online", { exact: true })).toBeVisible({ timeout: 30_000 });
    await waitForStatus(page, job, "succeeded");
  } finally {
    await call(page, "PATCH", "/org", { offline_after_seconds });
  }
});

test("missed runs of a sleeping machine are caught up with one run", async ({ page }) => {
  const machine = await newMachine();
  const name = uniqueName("laptop");
  await addHost(page, machine, name, "no");
  const runner = machine.start("runner");
  await open(page, `/hosts/${name}?tab=schedules`);
  const main = page.getByRole("main");
  await expect(main.getByText("online", { exact: true })).toBeVisible({ timeout: 20_000 });
  const { offline_after_seconds } = await call<{ offline_after_seconds: number }>(page, "GET", "/org");
  await call(page, "PATCH", "/org", { offline_after_seconds: 2 });
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label: uniqueName("backup"),
    cron_expr: "* * * * * *",
    timezone: "UTC",
    definition_key: "hello",
    target: { host: name },
  });
  try {
    const succeeded = () =>
      call<{ items: { succeeded_at: string | null }[] }>(page, "GET", `/hosts/${name}/schedules`).then(
        ({ items }) => items[0]?.succeeded_at ?? null,
      );
    await expect.poll(succeeded, { timeout: 30_000 }).not.toBeNull();
    await machine.kill(runner);
    await expect(main.getByText(/^asleep/).first()).toBeVisible({ timeout: 30_000 });
    const fires = () =>
      call<{ items: { status: string }[] }>(page, "GET", `/jobs/triggers/${id}/history`).then(({ items }) =>
        items.map(({ status }) => status),
      );
    await expect.poll(async () => (await fires()).includes("asleep"), { timeout: 30_000 }).toBe(true);
    await expect(main.getByRole("img", { name: /Last 30 days: .*1 missed/ })).toBeVisible({
      timeout: 30_000,
    });

    machine.start("runner");
    await expect(main.getByText(/checking for missed runs/)).toBeVisible({ timeout: 30_000 });
    await expect(main.getByText("catch-up: 1 run started")).toBeVisible({ timeout: 30_000 });
  } finally {
    await call(page, "PATCH", "/org", { offline_after_seconds });
    await call(page, "DELETE", `/jobs/triggers/${id}`);
  }
});

test("a schedule that has not run for a week on a sleeping machine opens an alert", async ({ page }) => {
  const machine = await newMachine();
  const name = uniqueName("laptop");
  await addHost(page, machine, name, "no");
  machine.start("runner");
  const label = uniqueName("backup");
  const { id } = await call<{ id: string }>(page, "POST", "/jobs/triggers", {
    label,
    cron_expr: "0 3 * * *",
    timezone: "UTC",
    definition_key: "hello",
    target: { host: name },
  });
  try {
    // A schedule counts as stale only after its first success.
    await call(page, "POST", `/jobs/triggers/${id}/fire`, {});
    await open(page, `/hosts/${name}?tab=schedules`);
    const row = page.getByRole("row").filter({ hasText: label });
    await expect(row.getByText("alert", { exact: false })).toBeVisible({ timeout: 30_000 });
    await backdate("trigger_host", "succeeded_at", "trigger_id", id, 8);
    await expect(row.getByText(/stale since/)).toBeVisible({ timeout: 30_000 });
    await open(page, "/alerts");
    const alert = page.getByRole("listitem").filter({ hasText: name });
    await expect(alert.first()).toContainText(label, { timeout: 60_000 });
  } finally {
    await call(page, "DELETE", `/jobs/triggers/${id}`);
  }
});

test("an alert is delivered to a channel, acknowledged and resolved", async ({ page }) => {
  const { received, url, close } = await startReceiver();
  const name = uniqueName("receiver");
  try {
    await open(page, "/alerts/channels");
    await page.getByRole("button", { name: "Add channel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Type", { exact: true }).selectOption("webhook");
    await dialog.getByRole("textbox", { name: "URL" }).fill(url);
    await dialog.getByRole("button", { name: "Add channel" }).click();
    const channel = page.getByRole("row").filter({ hasText: name });
    await channel.getByRole("button", { name: "Send test" }).click();
    await expect(page.getByText(/^Delivered in/)).toBeVisible();
    expect(received).toHaveLength(1);

    const key = await createDefinition(page, "broken", "exit 3", { no_retry_exit_codes: [3] });
    await waitForStatus(page, await enqueue(page, key), "failed");
    await expect.poll(() => received.some((body) => body.includes(key)), { timeout: 60_000 }).toBe(true);
    await open(page, "/alerts");
    const alert = page.getByRole("listitem").filter({ hasText: key });
    await alert.getByRole("button", { name: "Acknowledge…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Acknowledge alert" }).click();
    await page.getByText("Acknowledged", { exact: true }).first().click();
    await alert.getByRole("button", { name: "Resolve…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resolve alert" }).click();
    await page.getByText("Resolved", { exact: true }).first().click();
    await expect(alert).toContainText("resolved");
    await open(page, "/alerts/deliveries");
    await expect(page.getByRole("row").filter({ hasText: name }).first()).toBeVisible();
  } finally {
    await call(page, "DELETE", `/channels/${name}`);
    close();
  }
});

test("an always-on machine that goes offline opens an alert, which resolves when it may sleep", async ({
  page,
}) => {
  const { received, url, close } = await startReceiver();
  const machine = await newMachine();
  const name = uniqueName("nas");
  await addHost(page, machine, name, "yes");
  const runner = machine.start("runner");
  await open(page, `/hosts/${name}?tab=settings`);
  const head = page.getByRole("main");
  await expect(head.getByText("online", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(head.getByText("24×7", { exact: true })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Always on (24×7)" })).toBeChecked();
  const channel = await call<{ id: string }>(page, "POST", "/channels", {
    name: uniqueName("silence"),
    config: { kind: "webhook", url, secret: `whsec_${randomBytes(24).toString("base64")}` },
  });
  try {
    await call(page, "PATCH", `/hosts/${name}`, { offline_after_seconds: 2, alert_after_seconds: 3 });
    await machine.kill(runner);
    await expect(head.getByText("offline", { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect.poll(() => received.some((body) => body.includes(name)), { timeout: 60_000 }).toBe(true);
    await page.getByRole("checkbox", { name: "Always on (24×7)" }).uncheck();
    await expect(page.getByText("1 open offline alert will be resolved.")).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(head.getByText("asleep", { exact: true })).toBeVisible({ timeout: 15_000 });
    await expect(head.getByText("24×7", { exact: true })).toHaveCount(0);
    await open(page, "/alerts?status=resolved");
    await expect(page.getByRole("listitem").filter({ hasText: name }).first()).toContainText("resolved");
    await open(page, "/admin/audit?action=host.mode_updated");
    await expect(page.getByRole("row").filter({ hasText: name }).first()).toBeVisible();
  } finally {
    await call(page, "DELETE", `/channels/${channel.id}`);
    close();
  }
});

test("a machine without a hub shows standalone mode", async ({ browser }) => {
  const machine = await newMachine();
  machine.start("runner", "--ui", "--listen", "127.0.0.1:0");
  const link = await machine.waitForOutput(/http:\S+\/s\/\S+/);
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Standalone mode: showing this machine's own data")).toBeVisible();
  await context.close();
});
