import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Hub for the development server; `npm run build` does not need it. */
const hub = process.env.HOSTLER_DEV_HUB ?? "http://127.0.0.1:7420";

export default defineConfig({
  plugins: [react()],
  // Relative, so that the hub can serve the files under any prefix.
  base: "./",
  // The hub replaces the placeholder with a fresh nonce in every response.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    manifest: true,
    // A data: URL would need font-src data: in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      "^/(api|openapi\\.json|docs|(in|ping)/)": {
        target: hub,
        ws: true,
        changeOrigin: true,
        // The hub accepts changes only from its own origin, so the proxy sends that origin.
        headers: { origin: new URL(hub).origin },
      },
    },
  },
  test: {
    // Tests that need a DOM name their environment; it costs a second a file.
    environment: "node",
    // A process and a module graph for each file took seven times as long; no test changes the state of a module.
    isolate: false,
    // The browser specs under e2e belong to Playwright.
    include: ["src/**/*.test.{ts,tsx}"],
  },
});
