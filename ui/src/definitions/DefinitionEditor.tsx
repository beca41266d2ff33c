import "../styles/mantine-forms";
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { QueryState } from "../admin/QueryState";
import { api } from "../api/api";
import { keys } from "../api/keys";
import type { Definition } from "../api/model";
import { definitionText } from "../messages/definitions";
import { ErrorBox } from "../parts/ErrorBox";
import { JsonField } from "../parts/JsonField";
import { readJson, writeJson } from "../parts/json";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { Trail } from "../parts/Trail";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { Changes } from "./Changes";
import styles from "./DefinitionPage.module.css";
import { EXAMPLE, editable } from "./definition-form";

const words = definitionText.editor;
const route = getRouteApi("/frame/admin/definitions/$key/edit");

export function NewDefinitionPage() {
  return <Editor title={words.newTitle} start={EXAMPLE} />;
}

export function EditDefinitionPage() {
  const { key } = route.useParams();
  const definitions = useQuery({
    queryKey: keys.everyDefinition,
    queryFn: api.everyDefinition,
    refetchOnWindowFocus: false,
  });
  return (
    <QueryState query={definitions}>
      {({ items }) => {
        const found = items.find((each) => each.key === key);
        return (
          <Editor
            key={key}
            title={words.editTitle(key)}
            start={found ? editable(found) : EXAMPLE}
            {...(found ? { definition: found } : {})}
          />
        );
      }}
    </QueryState>
  );
}

interface EditorProps {
  title: string;
  start: Record<string, unknown>;
  definition?: Definition;
}

/** Editor for all fields as JSON, with a review of the changes before saving. */
function Editor({ title, start, definition }: EditorProps) {
  useTitle(title);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [written, setWritten] = useState(() => writeJson(start));
  const { value, error } = readJson(written);
  const send = (isDry: boolean) => {
    const body = { ...(value as Record<string, unknown>), ...(isDry ? { dry_run: true } : {}) };
    return definition ? api.patchDefinition(definition.key, body) : api.putDefinition(body);
  };
  const look = useMutation({ mutationFn: () => send(true) });
  const save = useMutation({
    mutationFn: () => send(false),
    onSuccess: (put) => {
      void client.invalidateQueries({ queryKey: keys.everyDefinition });
      toast(words.saved(put.definition.key, put.definition.version));
      void navigate({ to: "/admin/definitions/$key", params: { key: put.definition.key } });
    },
  });
  const fault = look.error ?? save.error;
  return (
    <>
      <Trail to="/admin/definitions" label={definitionText.back} />
      <div className={page.head}>
        <h1>{title}</h1>
      </div>
      <form
        className={styles.editor}
        onSubmit={(event) => {
          event.preventDefault();
          look.mutate();
        }}
      >
        <JsonField
          label={words.json}
          description={words.note}
          rows={18}
          value={written}
          onChange={(next) => {
            setWritten(next);
            look.reset();
          }}
        />
        {fault && <ErrorBox error={fault} />}
        {look.data && (
          <Panel title={words.changes}>
            {look.data.changes.length === 0 && !look.data.is_new ? (
              <p className="dim">{words.nothing}</p>
            ) : (
              <Changes changes={look.data.changes} />
            )}
          </Panel>
        )}
        <div className={page.formEnd}>
          <Button type="submit" variant="default" disabled={error !== undefined} loading={look.isPending}>
            {words.check}
          </Button>
          <Button
            disabled={!look.data || error !== undefined}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {words.save}
          </Button>
        </div>
      </form>
    </>
  );
}
