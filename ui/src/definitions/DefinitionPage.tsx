import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { QueryState } from "../admin/QueryState";
import { api } from "../api/api";
import { keys } from "../api/keys";
import type { Definition } from "../api/model";
import host from "../host/HostPage.module.css";
import { creatorName } from "../jobs/creator-name";
import { StatusLabel } from "../jobs/JobMark";
import { text } from "../messages";
import { definitionText } from "../messages/definitions";
import { triggerText } from "../messages/triggers";
import { Breadcrumb } from "../parts/Breadcrumb";
import { EmptyState } from "../parts/EmptyState";
import { Icon } from "../parts/Icon";
import { writeJson } from "../parts/json";
import page from "../parts/Page.module.css";
import { DetailList, Panel } from "../parts/Panel";
import { useTitle } from "../parts/useTitle";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import { Changes } from "./Changes";
import styles from "./DefinitionPage.module.css";

const route = getRouteApi("/frame/admin/definitions/$key");
const words = definitionText.detail;

export function DefinitionPage() {
  const { key } = route.useParams();
  useTitle(key);
  const definitions = useQuery({ queryKey: keys.everyDefinition, queryFn: api.everyDefinition });
  return (
    <>
      <Breadcrumb to="/admin/definitions" label={definitionText.back} />
      <QueryState query={definitions}>
        {({ items }) => {
          const found = items.find((each) => each.key === key);
          return found ? (
            <Detail definition={found} />
          ) : (
            <>
              <h1 className="sr-only">{key}</h1>
              <EmptyState title={definitionText.notFound} hint={definitionText.notFoundHint} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}

function Detail({ definition }: { definition: Definition }) {
  const navigate = useNavigate();
  const { key } = definition;
  return (
    <>
      <div className={host.head}>
        <div className={host.title}>
          <h1>{key}</h1>
          <span className="dim">{definitionText.versionOf(definition.version)}</span>
          <StatusLabel
            status={definition.is_active ? "succeeded" : "canceled"}
            label={definition.is_active ? triggerText.on : triggerText.off}
          />
        </div>
        <div className={host.actions}>
          <Link to="/jobs" search={{ filter: `def:${key}` }}>
            {definitionText.jobs}
          </Link>
          <Button
            variant="default"
            leftSection={<Icon name="play" />}
            onClick={() => void navigate({ to: "/run", search: { def: key } })}
          >
            {definitionText.run}
          </Button>
          <Button
            variant="default"
            leftSection={<Icon name="edit" />}
            onClick={() => void navigate({ to: "/admin/definitions/$key/edit", params: { key } })}
          >
            {definitionText.edit}
          </Button>
        </div>
      </div>
      <div className={page.panels}>
        <Panel title={definitionText.details}>
          <DetailList rows={rowsOf(definition)} />
        </Panel>
        <Panel title={definitionText.command}>
          <pre className={styles.code}>{writeJson(definition.argv)}</pre>
        </Panel>
        <Panel title={definitionText.schema}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
          <pre className={styles.code} tabIndex={0}>
            {writeJson(definition.arg_schema)}
          </pre>
        </Panel>
      </div>
      <Versions definition={key} />
    </>
  );
}

function rowsOf(definition: Definition): [string, ReactNode][] {
  const { backoff } = definition;
  const list = (names: (string | number)[]) => (names.length > 0 ? names.join(", ") : words.none);
  return [
    [words.description, definition.description],
    [words.timeout, duration(definition.timeout_seconds * 1000)],
    [words.attempts, definition.max_attempts],
    [words.backoff, words.backoffOf(duration(backoff.initial_ms), duration(backoff.cap_ms))],
    [words.noRetry, list(definition.no_retry_exit_codes)],
    [words.onLost, onLostText(definition)],
    [words.queue, definition.queue],
    [words.selector, definition.selector ?? words.anyHost],
    [words.limit, definition.max_running ?? text.common.noLimit],
    [words.rate, definition.jobs_per_minute ?? text.common.noLimit],
    [words.secrets, list(definition.secrets)],
    [words.environment, list(definition.env_allow)],
    [words.settable, list(definition.env_settable)],
    [words.user, definition.user ?? words.runnersUser],
    [words.orgs, (definition.orgs as string[] | null | undefined)?.join(", ") ?? words.allOrgs],
  ];
}

function onLostText({ on_lost: policy }: Definition): string {
  return policy ? (words.onLostPolicies[policy] ?? policy) : words.targetDefault;
}

function Versions({ definition }: { definition: string }) {
  const history = useQuery({
    queryKey: keys.definitionHistory(definition),
    queryFn: () => api.definitionHistory(definition),
  });
  return (
    <section aria-labelledby="versions">
      <div className={page.section}>
        <h2 id="versions">{definitionText.history}</h2>
      </div>
      <QueryState query={history}>
        {({ items }) => (
          <div className={styles.versions}>
            {items.map((version) => (
              <Panel
                key={version.version}
                title={definitionText.versionOf(version.version)}
                aside={
                  <>
                    {creatorName(version.created_by)} · <Time at={version.created_at} />
                  </>
                }
              >
                {version.version === 1 ? (
                  <p className="dim">{definitionText.first}</p>
                ) : (
                  <Changes changes={version.changes} />
                )}
              </Panel>
            ))}
          </div>
        )}
      </QueryState>
    </section>
  );
}
