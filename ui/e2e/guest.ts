import type { Browser, BrowserContext, Page } from "@playwright/test";
import { call, expect, uniqueName } from "./hub";

interface Guest {
  context: BrowserContext;
  page: Page;
  user: string;
}

/** Invites a second user with this role, who accepts in a browser context of their own. */
export async function invite(
  page: Page,
  browser: Browser,
  role: "viewer" | "operator" | "admin",
): Promise<Guest> {
  const email = `${uniqueName(role)}@example.net`;
  const { url } = await call<{ url: string }>(page, "POST", "/invitations", { email, role });
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    baseURL: new URL(page.url()).origin,
  });
  const guest = await context.newPage();
  await guest.goto(new URL(url).pathname);
  await guest.getByLabel("Your name").fill("Eve Example");
  await guest.getByRole("textbox", { name: "Choose a password" }).fill("a long enough password");
  await guest.getByRole("button", { name: "Join" }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const members = await call<{ items: { email: string; user_id: string }[] }>(page, "GET", "/members");
  const user = members.items.find((member) => member.email === email)?.user_id ?? "";
  return { context, page: guest, user };
}
