import { describe, expect, it } from "vitest";
import { absolute, bytes, duration, full, percent, relative, relativeOrAbsolute, timeOfDay } from "./format";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const ago = (seconds: number) => NOW - seconds * 1000;

describe("relative", () => {
  it.each([
    [0, "now"],
    [-1, "now"],
    [3, "3 s ago"],
    [59, "59 s ago"],
    [60, "1 min ago"],
    [18 * 60 + 59, "18 min ago"],
    [9 * 3600, "9 h ago"],
    [3 * 86_400, "3 d ago"],
    [-42, "in 42 s"],
  ])("%i seconds before now is %s", (seconds, words) => {
    expect(relative(ago(seconds), NOW)).toBe(words);
  });
});

describe("absolute", () => {
  it("uses the zone", () => {
    expect(absolute(ago(0), "UTC", NOW)).toBe("15 Nov 12:00");
    expect(absolute(ago(0), "America/New_York", NOW)).toBe("15 Nov 07:00");
  });

  it("shows the year if it is not the current one in that zone", () => {
    const newYear = Date.parse("2027-01-01T00:30:00Z");
    expect(absolute(newYear, "UTC", NOW)).toBe("1 Jan 2027 00:30");
    expect(absolute(newYear, "America/New_York", NOW)).toBe("31 Dec 19:30");
  });
});

it("timeOfDay includes seconds", () => {
  expect(timeOfDay(ago(-7), "America/New_York")).toBe("07:00:07");
});

describe("relativeOrAbsolute", () => {
  it("is absolute after a day", () => {
    expect(relativeOrAbsolute(ago(86_399), "UTC", NOW)).toBe("23 h ago");
    expect(relativeOrAbsolute(ago(86_400), "UTC", NOW)).toBe("14 Nov 12:00");
  });
});

describe("duration", () => {
  it.each([
    [-5, "0 ms"],
    [812, "812 ms"],
    [42_000, "42 s"],
    [372_000, "6 min 12 s"],
    [3_600_000, "1 h"],
    [93_600_000, "1 d 2 h"],
  ])("%i ms is %s", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});

describe("sizes", () => {
  it("keeps three digits", () => {
    expect(bytes(512)).toBe("512 B");
    expect(bytes(16_777_216_000)).toBe("15.6 GiB");
    expect(bytes(500 * 1024 ** 3)).toBe("500 GiB");
  });

  it("does not divide by zero", () => {
    expect(percent(5, 0)).toBe(0);
    expect(percent(61, 100)).toBe(61);
  });
});

describe("full", () => {
  it("shows weekday, date, year and seconds", () => {
    expect(full(Date.parse("2026-11-16T07:00:05Z"), "America/New_York")).toBe("Mon 16 Nov 2026 02:00:05");
  });
});
