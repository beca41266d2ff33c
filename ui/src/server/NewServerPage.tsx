import "../styles/mantine-forms";
import { Checkbox } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { may, refusal } from "../app/roles";
import { useSession } from "../app/session";
import { formText as words } from "../messages/server-form";
import { serversText } from "../messages/servers";
import { Breadcrumb } from "../parts/Breadcrumb";
import { CopyButton } from "../parts/CopyButton";
import { ErrorBox } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import run from "../run/RunPage.module.css";
import { HostChoice } from "../run/TargetField";
import { setRequestedJob } from "../servers/requested-jobs";
import { useServerApi, useServerChange } from "../servers/useServers";
import { commandOf } from "./cli";
import { MainPanels, MorePanels } from "./FieldPanels";
import styles from "./Form.module.css";
import { type Fields, TextField } from "./fields";
import { DEFAULTS, errorsByPointer, formOf, isComplete, type ServerForm, settingsOf } from "./server-form";

const route = getRouteApi("/frame/servers/new");

/** Creates a server and optionally starts it. */
export function NewServerPage() {
  useTitle(words.newTitle);
  return (
    <>
      <Breadcrumb to="/servers" label={words.back} />
      <div className={page.head}>
        <h1>{words.newTitle}</h1>
      </div>
      <div className={run.page}>
        <Form />
      </div>
    </>
  );
}

function Form() {
  const { role } = useSession();
  const api = useServerApi();
  const apply = useServerChange();
  const navigate = useNavigate();
  const { host: preselectedHost = "" } = route.useSearch();
  const [form, setForm] = useState<ServerForm>(() => ({
    ...formOf(DEFAULTS, "", preselectedHost),
    source: may(role, "super_admin") ? "argv" : "definition",
  }));
  const set = useCallback((change: Partial<ServerForm>) => setForm((old) => ({ ...old, ...change })), []);
  const [isStarted, setStarted] = useState(true);
  const create = useMutation({
    mutationFn: async () => {
      const server = await api.create({ name: form.name.trim(), host: form.host, ...settingsOf(form) });
      if (isStarted) {
        const { id } = await api.control(server.id, "start");
        if (id) setRequestedJob(server.id, id);
      }
      return server;
    },
    onSuccess: (server) => {
      apply(server);
      toast(words.created(server.name));
      const tab = isStarted ? "console" : "overview";
      void navigate({ to: "/servers/$server", params: { server: server.name }, search: { tab } });
    },
  });
  const fields: Fields = { form, set, errors: errorsByPointer(create.error) };
  const refused = refusal(role, "admin") ?? (isComplete(form) ? undefined : words.incomplete);
  const command = commandOf(form, isStarted);
  return (
    <form
      noValidate
      className={run.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!refused) create.mutate();
      }}
    >
      <MainPanels fields={fields} error={create.error}>
        <div className={page.pair}>
          <TextField
            fields={fields}
            name="name"
            label={words.name}
            pointer="/name"
            hint={words.nameHint}
            required
          />
          <HostChoice
            note={serversText.hostNotReady}
            value={form.host}
            onChange={(next) => set({ host: next })}
          />
        </div>
      </MainPanels>
      <details className={styles.fold}>
        <summary>{words.moreSettings}</summary>
        <div className={styles.folded}>
          <MorePanels fields={fields} />
        </div>
      </details>
      <div className={run.cli}>
        <span className="dim small">{words.cli}</span>
        <code>{command}</code>
        <CopyButton value={command} variant="subtle" />
      </div>
      {create.error && <ErrorBox error={create.error} />}
      <div className={page.formEnd}>
        <Checkbox
          label={words.start}
          checked={isStarted}
          onChange={(event) => setStarted(event.currentTarget.checked)}
        />
        <GatedButton type="submit" refused={refused} loading={create.isPending}>
          {words.create}
        </GatedButton>
      </div>
    </form>
  );
}
