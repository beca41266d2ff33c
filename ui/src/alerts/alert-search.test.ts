import { expect, it } from "vitest";
import { readAlertSearch } from "./alert-search";

it("readAlertSearch drops invalid parameters", () => {
  expect(readAlertSearch({ status: "acked", kind: "host_offline", severity: "warning" })).toEqual({
    status: "acked",
    kind: "host_offline",
    severity: "warning",
  });
  expect(readAlertSearch({ status: "no", kind: 7, severity: "loud" })).toEqual({});
});
