import { Checkbox, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOpenAlerts } from "../alerts/useAlerts";
import { keys } from "../api/keys";
import type { HostDetail } from "../api/model";
import { may, refusal } from "../app/roles";
import { useSession } from "../app/session";
import { parseLabels } from "../hosts/labels";
import { text } from "../messages";
import { hostText } from "../messages/host";
import { ErrorBox } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { Tooltip } from "../parts/Tooltip";
import { toast } from "../parts/toasts";
import styles from "./HostPage.module.css";
import { formOf, patchOf, type SettingsForm } from "./settings-form";
import { useHostChange } from "./useHostChange";

const words = hostText.host;

export function SettingsPanel({ host }: { host: HostDetail }) {
  const { org, role, api } = useSession();
  const apply = useHostChange();
  const navigate = useNavigate();
  const settings = useQuery({ queryKey: keys.settings(org.slug), queryFn: api.org });
  // Snapshot from opening the form, so that live changes do not count as edits of the user.
  const [opened, setOpened] = useState(host);
  const [form, setForm] = useState(() => formOf(host));
  const canManage = may(role, "admin");
  const canOperate = may(role, "operator");
  const patch = patchOf(opened, form);
  const labels = parseLabels(form.labels);
  const isChanged = Object.keys(patch).length > 0;

  const save = useMutation({
    mutationFn: () => api.patchHost(host.id, patch),
    onSuccess: async (changed) => {
      setOpened(changed);
      setForm(formOf(changed));
      apply(changed);
      toast(text.common.saved);
      if (changed.name !== host.name) {
        await navigate({ to: "/hosts/$host", params: { host: changed.name }, replace: true });
      }
    },
  });

  const set = (change: Partial<SettingsForm>) => setForm((old) => ({ ...old, ...change }));
  const number = (
    key: "maxRunning" | "perMinute" | "offlineAfter" | "alertAfter",
    label: string,
    none: string,
  ) => (
    <NumberInput
      label={label}
      placeholder={none}
      min={1}
      allowDecimal={false}
      allowNegative={false}
      readOnly={!canManage}
      value={form[key]}
      onChange={(value) => set({ [key]: typeof value === "number" ? value : "" })}
    />
  );
  const orgDefault = (seconds: number | undefined) =>
    seconds === undefined ? "" : text.common.orgDefault(String(seconds));

  return (
    <Panel title={words.settings} aside={refusal(role, "admin")} isWide>
      <form
        className={page.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && labels.labels) save.mutate();
        }}
      >
        <div className={page.pair}>
          <TextInput
            label={words.name}
            readOnly={!canManage}
            spellCheck={false}
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label={words.labels}
            placeholder={hostText.add.labelsSample}
            readOnly={!canManage}
            spellCheck={false}
            value={form.labels}
            error={labels.problem}
            onChange={(event) => set({ labels: event.currentTarget.value })}
          />
        </div>
        <Tooltip label={canOperate ? undefined : text.needs.operator}>
          <div>
            <Checkbox
              label={words.alwaysOn}
              description={words.alwaysOnNote}
              disabled={!canOperate}
              checked={form.alwaysOn}
              onChange={(event) => set({ alwaysOn: event.currentTarget.checked })}
            />
            {host.always_on && !form.alwaysOn && <OfflineAlerts host={host} />}
          </div>
        </Tooltip>
        <div className={page.pair}>
          {number("maxRunning", words.maxRunning, text.common.noLimit)}
          {number("perMinute", words.perMinute, text.common.noLimit)}
        </div>
        <div className={page.pair}>
          {number("offlineAfter", words.offlineAfter, orgDefault(settings.data?.offline_after_seconds))}
          {number("alertAfter", words.alertAfter, orgDefault(settings.data?.alert_after_seconds))}
        </div>
        {save.error && <ErrorBox error={save.error} />}
        <div className={page.formEnd}>
          <GatedButton
            type="submit"
            variant={isChanged ? "filled" : "default"}
            refused={refusal(role, "operator")}
            loading={save.isPending}
            disabled={!isChanged || !labels.labels}
          >
            {text.common.save}
          </GatedButton>
        </div>
      </form>
    </Panel>
  );
}

/** Note that switching off "always on" resolves the open offline alerts. */
function OfflineAlerts({ host }: { host: HostDetail }) {
  const alerts = useOpenAlerts().data?.items ?? [];
  const open = alerts.filter(({ kind, subject_id }) => kind === "host_offline" && subject_id === host.id);
  if (open.length === 0) return null;
  return <p className={styles.note}>{words.resolvesAlerts(open.length)}</p>;
}
