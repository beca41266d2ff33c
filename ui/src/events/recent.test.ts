import { expect, it } from "vitest";
import type { LiveEvent } from "../api/model";
import { latest, matchesPrefix, mergeEvents } from "./recent";

const event = (cursor: number) => ({ type: "a.b", at: "", cursor, data: {} }) as LiveEvent;

it("latest reads pages up to the newest events", async () => {
  const pages = new Map<number | undefined, { items: LiveEvent[]; next: number | null }>([
    [undefined, { items: [event(1), event(2)], next: 2 }],
    [2, { items: [event(3)], next: 3 }],
    [3, { items: [], next: null }],
  ]);
  const read = async (cursor: number | undefined) => pages.get(cursor) ?? { items: [] };
  expect((await latest(read, 2)).map(({ cursor }) => cursor)).toEqual([3, 2]);
});

it("matchesPrefix compares prefixes of event types", () => {
  expect(matchesPrefix({ type: "job.created" }, "host.,job.")).toBe(true);
  expect(matchesPrefix({ type: "job_run.started" }, "job.")).toBe(false);
  expect(matchesPrefix({ type: "x" }, undefined)).toBe(true);
  expect(matchesPrefix({ type: "hello" }, undefined)).toBe(false);
});

it("mergeEvents removes duplicates of live and stored events", () => {
  expect(mergeEvents([event(3), event(2)], [event(2), event(1)]).map(({ cursor }) => cursor)).toEqual([3]);
  const other = (n: number) => ({ ...event(n), data: { n } });
  expect(mergeEvents([other(3), other(2)], [other(2), other(1)]).map(({ cursor }) => cursor)).toEqual([
    3, 2, 1,
  ]);
});
