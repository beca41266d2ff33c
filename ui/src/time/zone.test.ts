import { describe, expect, it } from "vitest";
import { isZone, localZone, zoneName } from "./zone";

describe("zones", () => {
  it("resolves each choice", () => {
    expect(zoneName("utc", "Europe/Berlin")).toBe("UTC");
    expect(zoneName("org", "Europe/Berlin")).toBe("Europe/Berlin");
    expect(zoneName("local", "Europe/Berlin")).toBe(localZone());
  });

  it("survives a zone this browser does not know", () => {
    expect(zoneName("org", "Mars/Olympus")).toBe("UTC");
  });

  it("tells choices from other words", () => {
    expect(isZone("utc")).toBe(true);
    expect(isZone("CET")).toBe(false);
    expect(isZone(undefined)).toBe(false);
  });
});
