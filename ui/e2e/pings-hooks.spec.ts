import { createHmac } from "node:crypto";
import { expect, open, test, uniqueName } from "./hub";

test("a ping records reports with exit code and body", async ({ page, request }) => {
  const label = uniqueName("nas backup");
  await open(page, "/triggers/pings");
  await page.getByRole("button", { name: "Create ping" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(label);
  await dialog.getByRole("button", { name: "Create ping" }).click();
  const url = await dialog.getByText(/^http\S+\/ping\/\S+$/).innerText();
  await expect(dialog.getByText(`curl -fsS -m 10 --retry 3 -o /dev/null ${url}`)).toBeVisible();
  await page.keyboard.press("Escape");
  const row = page.getByRole("row").filter({ hasText: label });
  await expect(row).toContainText("no reports yet");

  const address = new URL(url).pathname;
  expect((await request.post(`${address}/3`, { data: "<b>disk full</b>" })).status()).toBe(200);
  expect((await request.get(address)).status()).toBe(200);
  await page.reload();
  await expect(row).toContainText("up");
  await row.getByRole("button", { name: "Show history" }).click();
  await expect(page.getByText("exit 3")).toBeVisible();
  await expect(page.getByText("<b>disk full</b>")).toBeVisible();

  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove ping" }).click();
  await expect(row).toHaveCount(0);
  expect((await request.get(address)).status()).toBe(404);
});

test("a hook turns a signed message into an event and rejects an unsigned one", async ({ page, request }) => {
  const name = uniqueName("shop");
  const event = `${name.replace("-", ".")}`;
  await open(page, "/triggers/hooks");
  await page.getByRole("button", { name: "Add hook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Event" }).fill(event);
  await dialog.getByLabel("Signature").selectOption({ label: "GitHub" });
  await dialog.getByRole("button", { name: "Add hook" }).click();
  const url = await dialog.getByText(/^http\S+\/in\/\S+$/).innerText();
  const secret = await dialog.locator("code").nth(1).innerText();
  await page.keyboard.press("Escape");

  const address = new URL(url).pathname;
  const data = '{"order":7}';
  const row = page.getByRole("row").filter({ hasText: name });
  expect((await request.post(address, { data })).status()).toBeGreaterThanOrEqual(400);
  await page.reload();
  await expect(row).toContainText("Last rejected");
  const signature = `sha256=${createHmac("sha256", secret).update(data).digest("hex")}`;
  const headers = {
    "content-type": "application/json",
    "x-github-delivery": uniqueName("delivery"),
    "x-github-event": "push",
    "x-hub-signature-256": signature,
  };
  expect((await request.post(address, { data, headers })).status()).toBe(200);
  await page.reload();
  await row.getByRole("link", { name: event }).click();
  await expect(page.getByText("order=7")).toBeVisible();

  await open(page, "/triggers/hooks");
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove hook" }).click();
  await expect(row).toHaveCount(0);
});
