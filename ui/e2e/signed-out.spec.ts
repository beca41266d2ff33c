import { expect, signInPath, test } from "./hub";
import { Machine } from "./machine";

// These tests run without a session.
test.use({ storageState: { cookies: [], origins: [] } });

test("pages redirect to the sign-in page and back", async ({ page }) => {
  for (const path of ["/hosts?status=online", "/admin/audit", "/d/ABCD-1234"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
    expect(new URL(page.url()).searchParams.get("next")).toBe(path);
  }
});

test("a wrong password shows an error", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill("nobody@example.net");
  await page.getByRole("textbox", { name: "Password" }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("login_failed");
});

test("a one-time link signs in only after a click", async ({ page }) => {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  const machine = await Machine.create();
  try {
    machine.start("up", "--listen", "127.0.0.1:0");
    const link = (await machine.waitForOutput(/Sign in:\s+\S+/)).split(/\s+/).at(-1) ?? "";
    await page.goto(link);
    const button = page.getByRole("button", { name: "Sign in" });
    await expect(button).toBeVisible();
    expect(posts).toEqual([]);
    await button.click();
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    expect(page.url()).not.toContain("/s/");
  } finally {
    await machine.remove();
  }
});

// The session of the worker used the link.
test("a used sign-in link shows an error and links to the sign-in page", async ({ page, session }) => {
  expect(session).toBeTruthy();
  await page.goto(signInPath());
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("link_invalid");
  await page.getByRole("link", { name: "Sign in with a password" }).click();
  await expect(page.getByLabel("Email")).toBeVisible();
});
