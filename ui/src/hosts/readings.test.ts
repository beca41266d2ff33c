import { expect, it } from "vitest";
import { readings } from "./readings";

const last_metrics = {
  cpu_percent: 22.6,
  memory_used_bytes: 61,
  memory_total_bytes: 100,
  disks: [
    { mount: "/", used_bytes: 40, total_bytes: 100 },
    { mount: "/data", used_bytes: 97, total_bytes: 100 },
  ],
  uptime_seconds: 5,
};

it("readings takes the fullest disk", () => {
  expect(readings({ status: "online", last_metrics })).toEqual({ cpu: 23, memory: 61, disk: 97 });
});

it("readings is empty for disconnected hosts and without disks", () => {
  expect(readings({ status: "asleep", last_metrics }).cpu).toBeUndefined();
  expect(readings({ status: "online", last_metrics: null }).cpu).toBeUndefined();
  expect(readings({ status: "online", last_metrics: { ...last_metrics, disks: [] } }).disk).toBeUndefined();
});
