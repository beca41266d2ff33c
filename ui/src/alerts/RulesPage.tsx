import "../styles/mantine-forms";
import { NativeSelect, NumberInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import type { AlertRule, AlertRuleRequest, Severity } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { alertText } from "../messages/alerts";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { sentenceCase } from "../parts/sentence-case";
import { Toggle } from "../parts/Toggle";
import { showError, toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { duration } from "../time/format";
import styles from "./AlertsPage.module.css";
import { AlertsTabs } from "./AlertsTabs";
import { SeverityMark } from "./SeverityMark";

const words = alertText.rule;

export function RulesPage() {
  useTitle(alertText.rules);
  const { org, api } = useSession();
  const [edited, setEdited] = useState<AlertRule>();
  const rules = useQuery({ queryKey: keys.alertRules(org.slug), queryFn: api.alertRules });
  return (
    <>
      <div className={page.head}>
        <h1>{alertText.title}</h1>
        <AlertsTabs />
      </div>
      <QueryState query={rules}>{({ items }) => <RuleTable rules={items} onEdit={setEdited} />}</QueryState>
      {edited && <RuleDialog rule={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

/** Fields missing in the request are reset to their default, so a change sends the whole rule. */
function fullRule(rule: AlertRule): AlertRuleRequest {
  const { is_enabled, severity, for_seconds, clear_seconds, repeat_seconds, threshold_seconds } = rule;
  return {
    is_enabled,
    severity,
    for_seconds,
    clear_seconds,
    repeat_seconds: repeat_seconds ?? null,
    threshold_seconds: threshold_seconds ?? null,
  };
}

function RuleTable({ rules, onEdit }: { rules: AlertRule[]; onEdit: (rule: AlertRule) => void }) {
  const { org, api, role } = useSession();
  const client = useQueryClient();
  const refused = refusal(role, "admin");
  const reload = () => void client.invalidateQueries({ queryKey: keys.alertRules(org.slug) });
  const change = useMutation({
    mutationFn: (rule: AlertRule) =>
      api.putAlertRule(rule.kind, { ...fullRule(rule), is_enabled: !rule.is_enabled }),
    onSuccess: (changed, before) => {
      reload();
      const kind = alertText.kinds[changed.kind] ?? changed.kind;
      toast(changed.is_enabled ? words.switchedOn(kind) : words.switchedOff(kind), () => {
        void api.putAlertRule(before.kind, fullRule(before)).then(reload, showError);
      });
    },
    onError: showError,
  });
  const seconds = (value: number | null | undefined) =>
    typeof value === "number" ? (
      <span className="num">{value === 0 ? words.immediately : duration(value * 1000)}</span>
    ) : (
      <span className="faint">{words.never}</span>
    );
  return (
    <DataTable
      rows={rules}
      keyOf={({ kind }) => kind}
      columns={[
        {
          head: words.kind,
          cell: (rule) => (
            <span className={styles.named} title={alertText.kindNotes[rule.kind]}>
              <Toggle
                label={words.on(alertText.kinds[rule.kind] ?? rule.kind)}
                isOn={rule.is_enabled}
                refused={refused}
                onToggle={() => change.mutate(rule)}
              />
              {alertText.kinds[rule.kind] ?? rule.kind}
              {!rule.is_default && <span className={styles.chip}>{words.changed}</span>}
            </span>
          ),
        },
        { head: words.severity, cell: ({ severity }) => <SeverityMark severity={severity} /> },
        { head: words.firesAfter, cell: ({ for_seconds }) => seconds(for_seconds), isRight: true },
        { head: words.clear, cell: ({ clear_seconds }) => seconds(clear_seconds), isRight: true },
        { head: words.repeat, cell: ({ repeat_seconds }) => seconds(repeat_seconds), isRight: true },
        {
          head: words.threshold,
          cell: ({ threshold_seconds }) =>
            typeof threshold_seconds === "number" ? (
              seconds(threshold_seconds)
            ) : (
              <span className="faint">–</span>
            ),
          isRight: true,
        },
      ]}
      actions={(rule) => (
        <GatedButton variant="default" refused={refused} onClick={() => onEdit(rule)}>
          {words.edit}
        </GatedButton>
      )}
    />
  );
}

function RuleDialog({ rule, onClose }: { rule: AlertRule; onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const [form, setForm] = useState(fullRule(rule));
  const field = (name: "for_seconds" | "clear_seconds" | "repeat_seconds" | "threshold_seconds") => ({
    min: 0,
    allowDecimal: false,
    value: form[name] ?? "",
    onChange: (value: number | string) =>
      setForm((old) => ({ ...old, [name]: typeof value === "number" ? value : null })),
  });
  return (
    <FormDialog
      title={words.editTitle(alertText.kinds[rule.kind] ?? rule.kind)}
      effect={alertText.kindNotes[rule.kind]}
      submit={words.saveDo}
      onClose={onClose}
      onSubmit={async () => {
        await api.putAlertRule(rule.kind, form);
        void client.invalidateQueries({ queryKey: keys.alertRules(org.slug) });
        toast(words.saved);
        onClose();
      }}
    >
      <NativeSelect
        label={words.severity}
        value={form.severity ?? rule.severity}
        onChange={(event) => {
          const severity = event.currentTarget.value as Severity;
          setForm((old) => ({ ...old, severity }));
        }}
        data={Object.entries(alertText.severity).map(([value, label]) => ({
          value,
          label: sentenceCase(label),
        }))}
        data-autofocus
      />
      <NumberInput label={words.firesAfter} description={words.forHint} {...field("for_seconds")} />
      <NumberInput label={words.clear} description={words.clearHint} {...field("clear_seconds")} />
      <NumberInput label={words.repeat} description={words.repeatHint} {...field("repeat_seconds")} />
      {typeof rule.threshold_seconds === "number" && (
        <NumberInput
          label={words.threshold}
          description={words.thresholdHint}
          {...field("threshold_seconds")}
        />
      )}
    </FormDialog>
  );
}
