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
import { Breadcrumb } from "../parts/Breadcrumb";
import { ErrorBox } from "../parts/ErrorBox";
import { JsonField } from "../parts/JsonField";
import { readJson, writeJson } from "../parts/json";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { Changes } from "./Changes";
import styles from "./DefinitionPage.module.css";
import { EXAMPLE, editableFields } from "./definition-form";

const words = definitionText.editor;
const route = getRouteApi("/frame/admin/definitions/$key/edit");

export function NewDefinitionPage() {
  return <Editor title={words.newTitle} initial={EXAMPLE} />;
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
            initial={found ? editableFields(found) : EXAMPLE}
            {...(found ? { definition: found } : {})}
          />
        );
      }}
    </QueryState>
  );
}

interface EditorProps {
  title: string;
  initial: Record<string, unknown>;
  definition?: Definition;
}

/** Editor for all fields as JSON, with a review of the changes before saving. */
function Editor({ title, initial, definition }: EditorProps) {
  useTitle(title);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState(() => writeJson(initial));
  const { value, error } = readJson(text);
  const send = (isDry: boolean) => {
    const body = { ...(value as Record<string, unknown>), ...(isDry ? { dry_run: true } : {}) };
    return definition ? api.patchDefinition(definition.key, body) : api.putDefinition(body);
  };
  const review = useMutation({ mutationFn: () => send(true) });
  const save = useMutation({
    mutationFn: () => send(false),
    onSuccess: (put) => {
      void client.invalidateQueries({ queryKey: keys.everyDefinition });
      toast(words.saved(put.definition.key, put.definition.version));
      void navigate({ to: "/admin/definitions/$key", params: { key: put.definition.key } });
    },
  });
  const requestError = review.error ?? save.error;
  return (
    <>
      <Breadcrumb to="/admin/definitions" label={definitionText.back} />
      <div className={page.head}>
        <h1>{title}</h1>
      </div>
      <form
        className={styles.editor}
        onSubmit={(event) => {
          event.preventDefault();
          review.mutate();
        }}
      >
        <JsonField
          label={words.json}
          description={words.note}
          rows={18}
          value={text}
          onChange={(next) => {
            setText(next);
            review.reset();
          }}
        />
        {requestError && <ErrorBox error={requestError} />}
        {review.data && (
          <Panel title={words.changes}>
            {review.data.changes.length === 0 && !review.data.is_new ? (
              <p className="dim">{words.nothing}</p>
            ) : (
              <Changes changes={review.data.changes} />
            )}
          </Panel>
        )}
        <div className={page.formEnd}>
          <Button type="submit" variant="default" disabled={error !== undefined} loading={review.isPending}>
            {words.check}
          </Button>
          <Button
            disabled={!review.data || error !== undefined}
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
