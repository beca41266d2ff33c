import "../styles/mantine-forms";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import type { Server } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { text } from "../messages";
import { formText as words } from "../messages/server-form";
import { ErrorBox } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { toast } from "../parts/toasts";
import run from "../run/RunPage.module.css";
import { useServerApi, useServerChange } from "../servers/useServers";
import { MainPanels, MorePanels } from "./FieldPanels";
import { type Fields, TextField } from "./fields";
import { MovePanel } from "./MovePanel";
import { RemovePanel } from "./RemovePanel";
import { errorsByPointer, formOf, isComplete, patchOf, type ServerForm } from "./server-form";

/** Settings of a server, with move and removal. */
export default function ServerSettings({ server }: { server: Server }) {
  const { role } = useSession();
  const refused = refusal(role, "admin") ?? (server.is_hosts_own ? words.hostsOwn : undefined);
  return (
    <div className={run.page}>
      <SettingsForm server={server} refused={refused} />
      <MovePanel server={server} refused={refused} />
      <RemovePanel server={server} refused={refused} />
    </div>
  );
}

function SettingsForm({ server, refused }: { server: Server; refused: string | undefined }) {
  const api = useServerApi();
  const apply = useServerChange();
  const navigate = useNavigate();
  // Snapshot from opening the form, so that live changes do not count as edits of the user.
  const [opened, setOpened] = useState(server);
  const [form, setForm] = useState(() => formOf(server.spec, server.name, server.host));
  const set = useCallback((change: Partial<ServerForm>) => setForm((old) => ({ ...old, ...change })), []);
  const patch = patchOf(opened, form);
  const isChanged = Object.keys(patch).length > 0;
  const save = useMutation({
    mutationFn: () => api.patch(server.id, patch),
    onSuccess: async (changed) => {
      setOpened(changed);
      setForm(formOf(changed.spec, changed.name, changed.host));
      apply(changed);
      toast(text.common.saved);
      if (changed.name !== server.name) {
        await navigate({
          to: "/servers/$server",
          params: { server: changed.name },
          search: { tab: "settings" },
          replace: true,
        });
      }
    },
  });
  const fields: Fields = {
    form,
    set,
    errors: errorsByPointer(save.error),
    isReadOnly: refused !== undefined,
  };
  return (
    <form
      noValidate
      className={run.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!refused && isChanged && isComplete(form)) save.mutate();
      }}
    >
      <p className="dim">{refused ?? words.takesEffect}</p>
      <MainPanels fields={fields} error={save.error}>
        <TextField fields={fields} name="name" label={words.name} pointer="/name" />
      </MainPanels>
      <MorePanels fields={fields} />
      {save.error && <ErrorBox error={save.error} />}
      <div className={page.formEnd}>
        <GatedButton
          type="submit"
          variant={isChanged ? "filled" : "default"}
          refused={refused}
          loading={save.isPending}
          disabled={!isChanged || !isComplete(form)}
        >
          {text.common.save}
        </GatedButton>
      </div>
    </form>
  );
}
