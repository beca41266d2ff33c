import "../styles/mantine-forms";
import { Select, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import type { Definition, Trigger } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { triggerText } from "../messages/triggers";
import { Breadcrumb } from "../parts/Breadcrumb";
import { ErrorBox } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { Segments } from "../parts/Segments";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { PayloadFields } from "../run/PayloadFields";
import { usePayloadForm } from "../run/payload-form";
import { TargetField } from "../run/TargetField";
import { useZoneName } from "../time/zone";
import { EventFields } from "./EventFields";
import { blankForm, formOf, isComplete, requestOf, type TriggerForm } from "./form";
import { OptionFields } from "./OptionFields";
import { ScheduleFields, SchedulePreview } from "./ScheduleFields";
import { useFiredToast } from "./TriggerDialogs";
import styles from "./TriggersPage.module.css";
import { useTriggerChange } from "./useTriggerChange";

const words = triggerText.editor;

/** Page that creates or edits a trigger. */
export function TriggerEditor({ trigger }: { trigger?: Trigger }) {
  const title = trigger ? words.editTitle(trigger.label) : words.newTitle;
  useTitle(title);
  const { org, api } = useSession();
  const definitions = useQuery({ queryKey: keys.definitions(org.slug), queryFn: api.definitions });
  return (
    <>
      <Breadcrumb to="/triggers" label={triggerText.back} />
      <div className={page.head}>
        <h1>{title}</h1>
      </div>
      <QueryState query={definitions}>
        {({ items }) => (
          <Form definitions={items.filter(({ is_active }) => is_active)} {...(trigger ? { trigger } : {})} />
        )}
      </QueryState>
    </>
  );
}

function Form({ trigger, definitions }: { trigger?: Trigger; definitions: Definition[] }) {
  const { org, api, role } = useSession();
  const navigate = useNavigate();
  const zone = useZoneName();
  const apply = useTriggerChange();
  const fired = useFiredToast();
  const [form, setForm] = useState<TriggerForm>(() =>
    trigger ? formOf(trigger, zone) : blankForm(org.timezone),
  );
  const set = (change: Partial<TriggerForm>) => setForm((old) => ({ ...old, ...change }));
  const definition = definitions.find(({ key }) => key === form.definition);
  const [payload, setPayload] = useState<{ value: unknown; isValid: boolean }>({
    value: trigger?.payload_template ?? {},
    isValid: true,
  });
  const save = useMutation({
    mutationFn: async ({ isFired }: { isFired: boolean }) => {
      const body = requestOf(form, payload.value, zone);
      const saved = trigger ? await api.patchTrigger(trigger.id, body) : await api.createTrigger(body);
      return { saved, result: isFired ? await api.fireTrigger(saved.id) : undefined };
    },
    onSuccess: ({ saved, result }) => {
      apply(saved);
      if (result) fired(result.jobs, result.refused);
      else toast(words.saved(saved.label));
      void navigate({ to: "/triggers/$trigger", params: { trigger: saved.id } });
    },
  });
  const refused = refusal(role, "admin") ?? (isComplete(form) ? undefined : words.incomplete);

  return (
    <form
      noValidate
      className={styles.columns}
      onSubmit={(event) => {
        event.preventDefault();
        if (!refused && payload.isValid) save.mutate({ isFired: false });
      }}
    >
      <div className={styles.column}>
        <Panel title={triggerText.when}>
          <div className={page.form}>
            <TextInput
              label={words.label}
              placeholder={words.labelHint}
              required
              value={form.label}
              onChange={(event) => set({ label: event.currentTarget.value })}
              {...(trigger ? {} : { autoFocus: true })}
            />
            {!trigger && (
              <Segments
                hasLabel
                label={words.kind}
                value={form.kind}
                onChange={(kind) => set({ kind })}
                choices={[
                  { value: "schedule", label: words.byClock },
                  { value: "event", label: words.byEvent },
                ]}
              />
            )}
            {form.kind === "schedule" ? (
              <ScheduleFields form={form} onChange={set} />
            ) : (
              <EventFields form={form} onChange={set} />
            )}
          </div>
        </Panel>
        <Panel title={words.what}>
          <div className={page.form}>
            <Select
              label={words.definition}
              required
              searchable
              data={definitions.map(({ key }) => key)}
              value={form.definition || null}
              onChange={(key) => {
                set({ definition: key ?? "" });
                setPayload({ value: {}, isValid: true });
              }}
            />
            {definition && (
              <Template
                key={definition.key}
                definition={definition}
                initial={payload.value}
                error={save.error}
                showErrors={save.isError}
                onChange={setPayload}
              />
            )}
          </div>
        </Panel>
        <Panel title={words.where}>
          <div className={page.form}>
            <TargetField target={form.target} onChange={(target) => set({ target })} />
            {form.target.kind === "selector" && (
              <Segments
                hasLabel
                label={words.spread}
                value={form.spread}
                onChange={(spread) => set({ spread })}
                choices={[
                  { value: "any", label: words.spreadAny },
                  { value: "each", label: words.spreadEach },
                ]}
              />
            )}
          </div>
        </Panel>
        <OptionFields form={form} onChange={set} zone={zone} />
        {save.error && <ErrorBox error={save.error} />}
        <div className={page.formEnd}>
          <GatedButton
            variant="default"
            refused={refused}
            onClick={() => payload.isValid && save.mutate({ isFired: true })}
          >
            {words.saveFire}
          </GatedButton>
          <GatedButton type="submit" refused={refused} loading={save.isPending}>
            {words.save}
          </GatedButton>
        </div>
      </div>
      <div className={styles.column}>
        {form.kind === "schedule" && <SchedulePreview cron={form.cron} timezone={form.timezone} />}
      </div>
    </form>
  );
}

interface TemplateProps {
  definition: Definition;
  initial: unknown;
  error: unknown;
  showErrors: boolean;
  onChange: (payload: { value: unknown; isValid: boolean }) => void;
}

/** Payload of the jobs. Reported to the parent on change, because the fields depend on the definition. */
function Template({ definition, initial, error, showErrors, onChange }: TemplateProps) {
  const form = usePayloadForm(definition, initial, error);
  const serialized = JSON.stringify(form.payload);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the serialized payload shows whether it changed
  useEffect(
    () => onChange({ value: form.payload, isValid: form.isValid }),
    [serialized, form.isValid, onChange],
  );
  return (
    <>
      <PayloadFields form={form} label={words.payload} showErrors={showErrors} />
      <p className="faint small">{words.payloadNote}</p>
    </>
  );
}
