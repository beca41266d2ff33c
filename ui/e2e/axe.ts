import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Must come before the page is opened: the content policy blocks script tags added later. */
export async function injectAxe(page: Page): Promise<void> {
  await page.addInitScript({ path: axePath });
}

/** Serious and critical accessibility findings of the current page. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const results = await page.evaluate<AxeResults>(() => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    return axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
  });
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary}`),
    );
}
