import { defineConfig } from "@playwright/test";

/** The specs run against a running hub; README.md lists the environment variables. */
export default defineConfig({
  testDir: "e2e",
  workers: 1,
  retries: 0,
  timeout: 60_000,
  // The sign-in link works once: the first spec stores the session for the others.
  projects: [
    { name: "sign-in", testMatch: "sign-in.setup.ts" },
    {
      name: "journeys",
      testMatch: "*.spec.ts",
      dependencies: ["sign-in"],
      use: { storageState: "test-results/session.json" },
    },
  ],
  use: {
    baseURL: process.env.HOSTLER_E2E_URL ?? "http://127.0.0.1:7420",
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: process.env.HOSTLER_CHROMIUM ?? "/usr/bin/chromium" },
  },
});
