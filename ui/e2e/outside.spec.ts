import { createHmac } from "node:crypto";
import { expect, fresh, open, test } from "./hub";

test("a program reports to its address, and its history says what it said", async ({ page, request }) => {
  const label = fresh("nas backup");
  await open(page, "/triggers/pings");
  await page.getByRole("button", { name: "Watch a program" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Label" }).fill(label);
  await dialog.getByRole("button", { name: "Make the address" }).click();
  const url = await dialog.getByText(/^http\S+\/ping\/\S+$/).innerText();
  await expect(dialog.getByText(`curl -fsS -m 10 --retry 3 -o /dev/null ${url}`)).toBeVisible();
  await page.keyboard.press("Escape");
  const row = page.getByRole("row").filter({ hasText: label });
  await expect(row).toContainText("not heard yet");

  const address = new URL(url).pathname;
  expect((await request.post(`${address}/3`, { data: "<b>disk full</b>" })).status()).toBe(200);
  expect((await request.get(address)).status()).toBe(200);
  await page.reload();
  await expect(row).toContainText("up");
  await row.getByRole("button", { name: "History" }).click();
  await expect(page.getByText("exit 3")).toBeVisible();
  await expect(page.getByText("<b>disk full</b>")).toBeVisible();

  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove ping" }).click();
  await expect(row).toHaveCount(0);
  expect((await request.get(address)).status()).toBe(404);
});

test("a signed message to a hook becomes an event, an unsigned one is refused and said", async ({
  page,
  request,
}) => {
  const name = fresh("shop");
  const event = `${name.replace("-", ".")}`;
  await open(page, "/triggers/hooks");
  await page.getByRole("button", { name: "Add hook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Event" }).fill(event);
  await dialog.getByLabel("Signed as").selectOption({ label: "GitHub" });
  await dialog.getByRole("button", { name: "Make the address" }).click();
  const url = await dialog.getByText(/^http\S+\/in\/\S+$/).innerText();
  const secret = await dialog.locator("code").nth(1).innerText();
  await page.keyboard.press("Escape");

  const address = new URL(url).pathname;
  const data = '{"order":7}';
  const row = page.getByRole("row").filter({ hasText: name });
  expect((await request.post(address, { data })).status()).toBeGreaterThanOrEqual(400);
  await page.reload();
  await expect(row).toContainText("Last refused");
  const signature = `sha256=${createHmac("sha256", secret).update(data).digest("hex")}`;
  const headers = {
    "content-type": "application/json",
    "x-github-delivery": fresh("delivery"),
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
