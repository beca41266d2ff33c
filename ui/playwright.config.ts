import { defineConfig } from "@playwright/test";
import { hubs } from "./e2e/hubs";

/** The specs run against running hubs, one for each worker; README.md lists the environment variables. */
export default defineConfig({
  testDir: "e2e",
  workers: hubs().length,
  retries: 0,
  timeout: 60_000,
  reporter: [["dot"], ["json", { outputFile: "test-results/report.json" }]],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env.HOSTLER_CHROMIUM ?? "/usr/bin/chromium",
      // With hinting, the headless shell moves letters to whole pixels and closes gaps between words.
      args: process.env.HOSTLER_PICTURES ? ["--font-render-hinting=none"] : [],
    },
  },
});
