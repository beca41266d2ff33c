import { expect, it } from "vitest";
import type { Alert, Notice } from "../api/model";
import { latestDeliveries } from "./alert-deliveries";

const alert = { kind: "host_offline", subject_name: "db-2", created_at: "2026-11-16T11:00:00Z" } as Alert;
const notice = (channel: string, rest: Partial<Notice>) =>
  ({
    channel,
    kind: "host_offline",
    title: "host offline: db-2",
    text: "",
    status: "sent",
    tries: 1,
    created_at: "2026-11-16T11:00:01Z",
    ...rest,
  }) as Notice;

it("latestDeliveries takes the latest notification per channel", () => {
  const sent = latestDeliveries(alert, [
    notice("pager", { status: "due", tries: 2, last_error: "refused" }),
    notice("pager", { status: "sent" }),
    notice("ops", {}),
  ]);
  expect(sent).toEqual([
    { channel: "pager", status: "due", tries: 2, error: "refused" },
    { channel: "ops", status: "sent", tries: 1, error: undefined },
  ]);
});

it("latestDeliveries ignores other alerts and older notifications", () => {
  expect(
    latestDeliveries(alert, [
      notice("ops", { title: "host offline: db-21" }),
      notice("ops", { kind: "dead_letter" }),
      notice("ops", { created_at: "2026-11-16T10:00:00Z" }),
    ]),
  ).toEqual([]);
  expect(
    latestDeliveries(alert, [notice("ops", { title: "host offline: 2 alerts", text: "db-1, db-2" })]),
  ).toHaveLength(1);
});
