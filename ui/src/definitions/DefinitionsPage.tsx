import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import styles from "../alerts/AlertsPage.module.css";
import { api } from "../api/api";
import { keys } from "../api/keys";
import type { Definition } from "../api/model";
import { definitionText } from "../messages/definitions";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Toggle } from "../parts/Toggle";
import { showError, toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import { payloadNames } from "./definition-form";

const words = definitionText.columns;

export function DefinitionsPage() {
  useTitle(definitionText.title);
  const navigate = useNavigate();
  const definitions = useQuery({ queryKey: keys.everyDefinition, queryFn: api.everyDefinition });
  return (
    <>
      <div className={page.head}>
        <h1>{definitionText.title}</h1>
        <Button
          data-create
          leftSection={<Icon name="plus" />}
          onClick={() => void navigate({ to: "/admin/definitions/new" })}
        >
          {definitionText.create}
        </Button>
      </div>
      <p className={page.intro}>{definitionText.intro}</p>
      <QueryState query={definitions}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={definitionText.none} />
          ) : (
            <DefinitionTable definitions={items} />
          )
        }
      </QueryState>
    </>
  );
}

function DefinitionTable({ definitions }: { definitions: Definition[] }) {
  const client = useQueryClient();
  const reload = () => void client.invalidateQueries({ queryKey: keys.everyDefinition });
  const change = useMutation({
    mutationFn: ({ key, is_active }: Definition) => api.patchDefinition(key, { is_active: !is_active }),
    onSuccess: ({ definition }) => {
      reload();
      const { key, is_active } = definition;
      toast(is_active ? definitionText.switchedOn(key) : definitionText.switchedOff(key), () => {
        void api.patchDefinition(key, { is_active: !is_active }).then(reload, showError);
      });
    },
    onError: showError,
  });
  return (
    <DataTable
      rows={definitions}
      keyOf={({ id }) => id}
      columns={[
        {
          head: words.key,
          cell: (definition) => (
            <span className={styles.named}>
              <Toggle
                label={definitionText.active(definition.key)}
                isOn={definition.is_active}
                onToggle={() => change.mutate(definition)}
              />
              <Link to="/admin/definitions/$key" params={{ key: definition.key }} data-row>
                {definition.key}
              </Link>
            </span>
          ),
        },
        {
          head: words.payload,
          cell: ({ arg_schema }) => <span className="dim">{payloadNames(arg_schema)}</span>,
          isLong: true,
        },
        {
          head: words.timeout,
          cell: ({ timeout_seconds }) => <span className="num">{duration(timeout_seconds * 1000)}</span>,
          isRight: true,
        },
        {
          head: words.attempts,
          cell: ({ max_attempts }) => <span className="num">{max_attempts}</span>,
          isRight: true,
        },
        { head: words.queue, cell: ({ queue }) => queue },
        { head: words.version, cell: ({ version }) => <span className="num">{version}</span>, isRight: true },
        {
          head: words.changed,
          cell: ({ updated_at }) => <Time at={updated_at} />,
          isRight: true,
          isTight: true,
        },
      ]}
    />
  );
}
