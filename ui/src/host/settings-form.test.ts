import { describe, expect, it } from "vitest";
import type { HostDetail } from "../api/model";
import { formOf, patchOf } from "./settings-form";

const host: HostDetail = {
  id: "01H",
  name: "web-1",
  status: "online",
  status_reason: "connected",
  last_heartbeat_at: null,
  runner_version: null,
  key_version: 1,
  last_metrics: null,
  labels: { env: "prod", gpu: "" },
  always_on: true,
  limits: { max_running: 2, jobs_per_minute: null },
  created_at: "",
  updated_at: "",
  machine: { os: "linux", os_version: "", arch: "", cores: 1 },
  session: null,
  pause: null,
  degraded_mark: null,
  offline_after_seconds: null,
  alert_after_seconds: 900,
  key_version_wanted: null,
  running: [],
  last_runs: [],
};

describe("patchOf", () => {
  it("is empty for an untouched form", () => {
    expect(patchOf(host, formOf(host))).toEqual({});
  });

  it("contains only changed fields, and null for emptied ones", () => {
    const form = {
      ...formOf(host),
      name: " web-2 ",
      labels: "env=dev",
      alwaysOn: false,
      maxRunning: "" as const,
      offlineAfter: 60,
    };
    expect(patchOf(host, form)).toEqual({
      name: "web-2",
      labels: { env: "dev", gpu: null },
      always_on: false,
      max_running: null,
      offline_after_seconds: 60,
    });
  });
});
