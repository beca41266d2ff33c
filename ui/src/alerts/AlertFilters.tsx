import "../styles/mantine-forms";
import { Button, NativeSelect } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { Severity } from "../api/model";
import { alertText } from "../messages/alerts";
import page from "../parts/Page.module.css";
import { sentenceCase } from "../parts/sentence-case";
import { type AlertSearch, readAlertSearch } from "./alert-search";

const route = getRouteApi("/frame/alerts");
const words = alertText.filters;
const SEVERITIES: Severity[] = ["critical", "warning", "info"];

export function AlertFilters() {
  const { kind, severity } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: { [Key in keyof AlertSearch]: string }) =>
    void navigate({
      search: ({ kind: _, severity: __, ...old }) => ({
        ...old,
        ...readAlertSearch({ kind, severity, ...change }),
      }),
      replace: true,
    });
  return (
    <search className={page.bar}>
      <NativeSelect
        aria-label={words.severity}
        value={severity ?? ""}
        onChange={(event) => set({ severity: event.currentTarget.value })}
        data={[
          { value: "", label: words.anySeverity },
          ...SEVERITIES.map((value) => ({ value, label: sentenceCase(alertText.severity[value]) })),
        ]}
      />
      <NativeSelect
        aria-label={words.kind}
        value={kind ?? ""}
        onChange={(event) => set({ kind: event.currentTarget.value })}
        data={[
          { value: "", label: words.anyKind },
          ...Object.entries(alertText.kinds).map(([value, label]) => ({ value, label: sentenceCase(label) })),
        ]}
      />
      {(kind || severity) && (
        <Button variant="default" onClick={() => set({ kind: "", severity: "" })}>
          {alertText.clear}
        </Button>
      )}
    </search>
  );
}
