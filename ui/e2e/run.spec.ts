import { call, createDefinition, expect, open, test } from "./hub";

test("the run form is generated from the schema and validates its rules", async ({ page }) => {
  await open(page, "/run");
  const key = await createDefinition(page, "form", 'echo "$0 $1"', {
    argv: ["sh", "-c", 'echo "$0 $1"', "{{ provider }}", "{{ mode }}"],
    arg_schema: {
      type: "object",
      additionalProperties: false,
      required: ["provider"],
      properties: {
        provider: { type: "string", minLength: 2, description: "Which one." },
        mode: { type: "string", enum: ["fast", "full"], default: "fast" },
        limit: { type: "integer", minimum: 1, maximum: 10 },
      },
    },
  });
  await open(page, "/run");
  await page.getByRole("button", { name: new RegExp(key) }).click();
  await page.getByRole("button", { name: "Run job" }).click();
  await expect(page.getByText("Required", { exact: true })).toBeVisible();
  await page.getByLabel("provider").fill("nas");
  await page.getByLabel("limit").fill("99");
  await expect(page.getByText("Must be at most 10")).toBeVisible();
  await page.getByLabel("limit").fill("5");
  await page.getByLabel("mode").selectOption("full");
  await expect(page.getByText(`hostler run ${key} provider=nas limit=5 mode=full -f`)).toBeVisible();
  await page.getByText("JSON", { exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Payload" })).toHaveValue(/"provider": "nas"/);
  await page.getByRole("button", { name: "Run job" }).click();
  await expect(page.getByRole("log").getByText("nas full")).toBeVisible({ timeout: 15_000 });

  await page.getByRole("button", { name: "Run a copy…" }).click();
  await expect(page.getByLabel("provider")).toHaveValue("nas");
});

test("an unsupported schema is entered as JSON and validated by the hub", async ({ page }) => {
  await open(page, "/run");
  const key = await createDefinition(page, "odd", "true", {
    arg_schema: {
      type: "object",
      additionalProperties: false,
      properties: { list: { type: "array", items: { type: "object" } }, size: { type: "integer" } },
    },
  });
  await open(page, `/run?def=${key}`);
  const field = page.getByRole("textbox", { name: "Payload" });
  await field.fill('{"size": "big"}');
  await page.getByRole("button", { name: "Run job" }).click();
  await expect(page.getByRole("alert")).toContainText("payload_invalid");
  await field.fill('{"size": 3, "list": [{}]}');
  await page.getByRole("button", { name: "Run job" }).click();
  await expect(page.getByRole("heading", { level: 1, name: key })).toBeVisible();
});

test("a job is started and its output read by keyboard alone", async ({ page }) => {
  await open(page, "/");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "What are you looking for?" })).toBeFocused();
  await page.keyboard.type("hello");
  await expect(page.getByRole("option", { name: /^Run hello/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("name")).toBeVisible();
  await page.getByLabel("name").focus();
  await page.keyboard.type("keys");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log").getByText(/Hello, keys!/)).toBeVisible({ timeout: 15_000 });
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "hello" })).toBeVisible();
  expect((await call<{ items: unknown[] }>(page, "GET", "/jobs?limit=1")).items).toHaveLength(1);
});
