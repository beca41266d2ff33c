import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, open, test } from "./hub";
import { Machine } from "./machine";

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

test.use({ storageState: { cookies: [], origins: [] } });

test("a hub under a sub-path supports sign-in, live updates and deep links", async ({ page }) => {
  const machine = await Machine.create();
  try {
    const port = await freePort();
    const root = `http://127.0.0.1:${port}/fleet`;
    machine.start("up", "--listen", `127.0.0.1:${port}`, "--advertise", root);
    const link = (await machine.waitForOutput(/Sign in:\s+\S+/)).split(/\s+/).at(-1) ?? "";
    expect(link).toContain("/fleet/s/");
    await open(page, link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await expect(page).toHaveURL(`${root}/`);
    await expect(page.getByText("live", { exact: true })).toBeVisible();

    await open(page, `${root}/run?def=hello`);
    await page.getByRole("button", { name: "Run job" }).click();
    await expect(page).toHaveURL(/\/fleet\/jobs\/[0-9A-Z]{26}/);
    await expect(page.getByRole("log").getByText("Hello, world!")).toBeVisible({ timeout: 20_000 });
    // A deep link, after a reload.
    await page.reload();
    await expect(page.getByText("succeeded").first()).toBeVisible();
    await page.getByRole("link", { name: "Hosts" }).first().click();
    await expect(page).toHaveURL(`${root}/hosts`);
  } finally {
    await machine.remove();
  }
});
