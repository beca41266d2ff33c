import "../styles/mantine-forms";
import { NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import type { Definition, Job, JobRequest } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { shortId } from "../jobs/job-status";
import { runText } from "../messages/run";
import { CopyButton } from "../parts/CopyButton";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { randomKey } from "../parts/random-key";
import { Skeleton } from "../parts/Skeleton";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { instantOf } from "../time/local";
import { useZoneName } from "../time/zone";
import { runCommandLine } from "./cli";
import { PayloadFields } from "./PayloadFields";
import { usePayloadForm } from "./payload-form";
import styles from "./RunPage.module.css";
import { sortDefinitions } from "./sort-definitions";
import { TargetField } from "./TargetField";
import { ANY_TARGET, isTargetComplete, jobTargetOf, type TargetForm, targetFormOf } from "./target";

const route = getRouteApi("/frame/run");

/** Creates a job from a definition, or as a copy of an earlier job. */
export function RunPage() {
  useTitle(runText.title);
  const { org, api } = useSession();
  const { def, from } = route.useSearch();
  const navigate = route.useNavigate();
  const definitions = useQuery({ queryKey: keys.definitions(org.slug), queryFn: api.definitions });
  const model = useQuery({
    queryKey: keys.job(org.slug, from ?? ""),
    queryFn: () => api.job(from ?? ""),
    enabled: from !== undefined,
  });
  const isWaiting = from !== undefined && model.isPending;
  return (
    <>
      <div className={page.head}>
        <h1>{runText.title}</h1>
      </div>
      <QueryState query={definitions}>
        {({ items }) => {
          const active = sortDefinitions(items.filter(({ is_active }) => is_active));
          const key = def ?? model.data?.definition_key;
          const selected = active.find((each) => each.key === key);
          if (active.length === 0) {
            return (
              <EmptyState title={runText.none}>
                <p>{runText.noneHint}</p>
              </EmptyState>
            );
          }
          return (
            <div className={styles.page}>
              <Select
                label={runText.definition}
                placeholder={runText.definitionHint}
                searchable
                data={active.map((each) => each.key)}
                value={selected?.key ?? null}
                onChange={(next) =>
                  void navigate({
                    search: ({ def: _, from: __, ...old }) => (next ? { ...old, def: next } : old),
                    replace: true,
                  })
                }
              />
              {isWaiting && <Skeleton rows={3} />}
              {!isWaiting && selected && (
                <RunForm key={`${selected.key}-${from ?? ""}`} definition={selected} like={model.data} />
              )}
              {!isWaiting && !selected && <Choices definitions={active} />}
            </div>
          );
        }}
      </QueryState>
    </>
  );
}

/** All definitions, while none is chosen. */
function Choices({ definitions }: { definitions: Definition[] }) {
  const navigate = route.useNavigate();
  return (
    <ul className={styles.choices}>
      {definitions.map(({ key, description }) => (
        <li key={key}>
          <button
            type="button"
            data-row
            onClick={() => void navigate({ search: (old) => ({ ...old, def: key }) })}
          >
            <strong>{key}</strong>
            <span>{description}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function RunForm({ definition, like }: { definition: Definition; like: Job | undefined }) {
  const { api, role } = useSession();
  const navigate = useNavigate();
  const zone = useZoneName();
  const { on, host } = route.useSearch();
  // Target of the link, else of the copied job, else the host chosen in the header.
  const named = on ?? (like ? undefined : host);
  const [targetForm, setTargetForm] = useState<TargetForm>(
    named ? { ...ANY_TARGET, kind: "host", host: named } : targetFormOf(like?.target),
  );
  const [when, setWhen] = useState("");
  const [priority, setPriority] = useState(like?.priority ?? 100);
  const [dedupe, setDedupe] = useState("");
  const [hasTried, setTried] = useState(false);
  // One idempotency key per form, so that a retry after a lost response creates no second job.
  const [idempotencyKey, renew] = useState(randomKey);

  const create = useMutation({
    mutationFn: (body: JobRequest) => api.createJob(body, idempotencyKey),
    onSuccess: ({ id, deduplicated }) => {
      if (!id) return;
      toast(deduplicated ? runText.exists(shortId(id)) : runText.created(shortId(id)));
      void navigate({ to: "/jobs/$job", params: { job: id } });
    },
    onError: () => renew(randomKey()),
  });
  const form = usePayloadForm(definition, like?.payload, create.error);
  const target = jobTargetOf(targetForm);
  const isReady = form.isValid && isTargetComplete(targetForm);

  const submit = () => {
    setTried(true);
    if (!isReady) return;
    create.mutate({
      definition_key: definition.key,
      payload: form.payload,
      ...(target ? { target } : {}),
      ...(when ? { scheduled_for: instantOf(when, zone) } : {}),
      ...(priority === 100 ? {} : { priority }),
      ...(dedupe.trim() ? { dedupe_key: dedupe.trim() } : {}),
    });
  };

  const command = runCommandLine(definition.key, form.payload, targetForm);
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {definition.description && <p className="dim">{definition.description}</p>}
      <Panel title={runText.payload}>
        <div className={page.form}>
          <PayloadFields form={form} label={runText.payload} showErrors={hasTried} />
        </div>
      </Panel>
      <Panel title={runText.target}>
        <TargetField target={targetForm} onChange={setTargetForm} />
      </Panel>
      <Panel title={runText.more}>
        <div className={page.pair}>
          <TextInput
            type="datetime-local"
            label={runText.when}
            description={runText.whenHint(zone)}
            value={when}
            onChange={(event) => setWhen(event.currentTarget.value)}
          />
          <NumberInput
            label={runText.priority}
            description={runText.priorityHint}
            allowDecimal={false}
            value={priority}
            onChange={(value) => typeof value === "number" && setPriority(value)}
          />
          <TextInput
            label={runText.dedupe}
            description={runText.dedupeHint}
            value={dedupe}
            onChange={(event) => setDedupe(event.currentTarget.value)}
          />
        </div>
      </Panel>
      <div className={styles.cli}>
        <span className="dim small">{runText.cli}</span>
        <code>{command}</code>
        <CopyButton value={command} variant="subtle" />
      </div>
      {create.error && <ErrorBox error={create.error} />}
      {hasTried && !isReady && (
        <p role="alert" className={styles.wrong}>
          {runText.fixErrors}
        </p>
      )}
      <div className={page.formEnd}>
        <GatedButton
          type="submit"
          refused={refusal(role, "operator")}
          loading={create.isPending}
          leftSection={<Icon name="play" />}
        >
          {runText.submit}
        </GatedButton>
      </div>
    </form>
  );
}
