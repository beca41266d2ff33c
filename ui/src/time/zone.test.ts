import { describe, expect, it } from "vitest";
import { isZone, localZone, zoneName } from "./zone";

describe("zones", () => {
  it("resolves each choice", () => {
    expect(zoneName("utc", "Europe/Berlin")).toBe("UTC");
    expect(zoneName("org", "Europe/Berlin")).toBe("Europe/Berlin");
    expect(zoneName("local", "Europe/Berlin")).toBe(localZone());
  });

  it("falls back to UTC for an unknown zone", () => {
    expect(zoneName("org", "Mars/Olympus")).toBe("UTC");
  });

  it("recognizes valid choices", () => {
    expect(isZone("utc")).toBe(true);
    expect(isZone("CET")).toBe(false);
    expect(isZone(undefined)).toBe(false);
  });
});
