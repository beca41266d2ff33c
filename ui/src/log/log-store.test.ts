import { expect, it } from "vitest";
import type { LogLine, LogPage } from "../api/model";
import { type LogRequest, LogStore } from "./log-store";

const line = (no: number): LogLine => ({ no, at: "2026-11-16T10:00:00Z", stream: "out", text: `line ${no}` });

/** A finished log of `total` lines, without those that `isKept` excludes. */
function finished(total: number, isStored: (no: number) => boolean = () => true) {
  const requests: LogRequest[] = [];
  const fetchLog = async (request: LogRequest): Promise<LogPage> => {
    requests.push(request);
    const first = request.tail ? total - request.tail + 1 : (request.after ?? 0) + 1;
    const lines: LogLine[] = [];
    for (let no = Math.max(1, first); no <= total && lines.length < (request.limit ?? 1000); no += 1) {
      if (isStored(no)) lines.push(line(no));
    }
    return { attempt: 1, lines, last: total, is_complete: true };
  };
  return { store: new LogStore(fetchLog), requests };
}

const now = async () => {};
const settle = () => new Promise((done) => setTimeout(done, 0));

it("loads the end first and older pages on demand", async () => {
  const { store, requests } = finished(1_000_000);
  await store.run(now);
  expect(store.total).toBe(1_000_000);
  expect(store.line(1_000_000)?.text).toBe("line 1000000");
  expect(store.line(500_000)).toBeUndefined();
  store.ensureLoaded(499_990, 500_010);
  await settle();
  expect(store.line(500_000)?.text).toBe("line 500000");
  expect(requests).toHaveLength(3);
});

it("requests a page once and evicts old pages", async () => {
  const { store, requests } = finished(1_000_000);
  await store.run(now);
  store.ensureLoaded(1, 10);
  store.ensureLoaded(1, 10);
  await settle();
  expect(requests).toHaveLength(2);
  for (let no = 1; no < 100_000; no += 500) store.ensureLoaded(no, no);
  await settle();
  expect(store.line(1)).toBeUndefined();
  expect(store.line(99_999)).toBeDefined();
});

it("returns null for lines that are not stored and undefined for lines not loaded", async () => {
  const { store } = finished(2000, (no) => no > 700);
  await store.run(now);
  store.ensureLoaded(501, 1000);
  await settle();
  expect(store.line(600)).toBeNull();
  expect(store.line(800)?.no).toBe(800);
});

it("follows a run until it is finished", async () => {
  const responses: LogPage[] = [
    { attempt: 1, lines: [line(1)], last: 1, is_complete: false },
    { attempt: 1, lines: [line(2), line(3)], last: 3, is_complete: false },
    { attempt: 1, lines: [], last: 3, is_complete: true },
  ];
  const requests: LogRequest[] = [];
  const store = new LogStore(async (request) => {
    requests.push(request);
    return responses.shift() as LogPage;
  });
  await store.run(now);
  expect(requests.map(({ after }) => after)).toEqual([undefined, 1, 3]);
  expect([store.total, store.isComplete, store.line(3)?.text]).toEqual([3, true, "line 3"]);
});

it("aborts the long poll while hidden and resumes at the same line", async () => {
  const requests: LogRequest[] = [];
  let activate = () => {};
  let active = Promise.resolve();
  const store = new LogStore((request, signal) => {
    requests.push(request);
    if (requests.length !== 2) {
      return Promise.resolve({
        attempt: 1,
        lines: [line(requests.length)],
        last: requests.length,
        is_complete: requests.length > 2,
      });
    }
    active = new Promise((done) => {
      activate = done;
    });
    return new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("given up"))));
  });
  const run = store.run(() => active);
  await settle();
  store.abortPoll();
  await settle();
  expect([requests.length, store.error]).toEqual([2, undefined]);
  activate();
  await run;
  expect(requests.map(({ after }) => after)).toEqual([undefined, 1, 1]);
  expect([store.total, store.isEnded, store.isComplete]).toEqual([3, true, true]);
});

it("requests late lines after the end of the run", async () => {
  const responses: LogPage[] = [
    { attempt: 1, lines: [], last: 0, is_complete: true },
    { attempt: 1, lines: [line(1)], last: 1, is_complete: true },
    { attempt: 1, lines: [], last: 1, is_complete: true },
  ];
  const store = new LogStore(
    async () => responses.shift() as LogPage,
    () => [0, 0],
  );
  await store.run(now);
  expect([store.total, store.isComplete, responses.length]).toEqual([1, true, 0]);
});
