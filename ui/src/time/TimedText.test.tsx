import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TimedText } from "./TimedText";

it("renders timestamps in a text as times", () => {
  const markup = renderToStaticMarkup(
    <TimedText>{": new disk (until 2020-01-01T00:00:00Z) at noon"}</TimedText>,
  );
  expect(markup).toMatch(
    /^: new disk \(until <time dateTime="2020-01-01T00:00:00\.000Z"[^>]*>[^<]+<\/time>\) at noon$/i,
  );
});

it("renders names in backticks as code, but not in plain text", () => {
  const text = "run `hostler runner`, not ` alone";
  expect(renderToStaticMarkup(<TimedText>{text}</TimedText>)).toBe(
    "run <code>hostler runner</code>, not ` alone",
  );
  expect(renderToStaticMarkup(<TimedText isPlain>{text}</TimedText>)).toBe(text);
});
