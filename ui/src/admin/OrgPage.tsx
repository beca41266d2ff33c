import "../styles/mantine-forms";
import { NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Org } from "../api/model";
import { may, refusal } from "../app/roles";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { ErrorBox } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { ZoneSelect } from "../parts/ZoneSelect";
import { daysOf, FINAL_STATUSES, patchOf, retentionOf, retentionOfDays } from "./org-form";
import { QueryState } from "./QueryState";
import { SummaryPanel } from "./SummaryPanel";

const words = adminText.org;

export function OrgPage() {
  useTitle(words.title);
  const { org, api } = useSession();
  const settings = useQuery({ queryKey: keys.settings(org.slug), queryFn: api.org });
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
      </div>
      <QueryState query={settings}>
        {(data) => (
          <div className={page.panels}>
            <SettingsForm key={data.updated_at} org={data} />
            <SummaryPanel createdAt={data.created_at} />
          </div>
        )}
      </QueryState>
    </>
  );
}

function SettingsForm({ org }: { org: Org }) {
  const { api, role } = useSession();
  const client = useQueryClient();
  const [form, setForm] = useState(org);
  const patch = patchOf(org, form);
  const isChanged = Object.keys(patch).length > 0;
  const isReadOnly = !may(role, "admin");
  const save = useMutation({
    mutationFn: () => api.patchOrg(patch),
    onSuccess: (saved) => {
      client.setQueryData(keys.settings(org.slug), saved);
      // The header shows the name and the time zone of the organization.
      void client.invalidateQueries({ queryKey: keys.me });
      toast(text.common.saved);
    },
  });
  const set = (change: Partial<Org>) => setForm((old) => ({ ...old, ...change }));
  return (
    <Panel title={org.name} aside={refusal(role, "admin")}>
      <form
        className={page.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.mutate();
        }}
      >
        <TextInput label={words.slug} description={words.slugNote} readOnly value={org.slug} />
        <TextInput
          label={words.name}
          readOnly={isReadOnly}
          value={form.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <ZoneSelect
          label={words.timezone}
          isReadOnly={isReadOnly}
          value={form.timezone}
          onChange={(timezone) => set({ timezone })}
        />
        <div className={page.pair}>
          <NumberInput
            label={words.offlineAfter}
            description={words.offlineNote}
            min={1}
            allowDecimal={false}
            readOnly={isReadOnly}
            value={form.offline_after_seconds}
            onChange={(value) => typeof value === "number" && set({ offline_after_seconds: value })}
          />
          <NumberInput
            label={words.alertAfter}
            description={words.alertNote}
            min={1}
            allowDecimal={false}
            readOnly={isReadOnly}
            value={form.alert_after_seconds}
            onChange={(value) => typeof value === "number" && set({ alert_after_seconds: value })}
          />
        </div>
        <fieldset className={page.group}>
          <legend>{words.retentionTitle}</legend>
          <div className={page.form}>
            {[FINAL_STATUSES.slice(0, 2), FINAL_STATUSES.slice(2)].map((pair) => (
              <div key={pair[0]} className={page.pair}>
                {pair.map((status) => (
                  <NumberInput
                    key={status}
                    label={words.retention[status]}
                    placeholder={words.retentionDefault}
                    min={1 / 24}
                    max={3650}
                    decimalScale={3}
                    readOnly={isReadOnly}
                    value={daysOf(retentionOf(form, status))}
                    onChange={(value) => set(retentionOfDays(status, value))}
                  />
                ))}
              </div>
            ))}
          </div>
        </fieldset>
        {save.error && <ErrorBox error={save.error} />}
        <div className={page.formEnd}>
          <GatedButton
            type="submit"
            refused={refusal(role, "admin")}
            variant={isChanged ? "filled" : "default"}
            loading={save.isPending}
            disabled={!isChanged}
          >
            {text.common.save}
          </GatedButton>
        </div>
      </form>
    </Panel>
  );
}
