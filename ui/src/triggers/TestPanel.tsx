import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Trigger, TriggerTestResult } from "../api/model";
import { useSession } from "../app/session";
import { shortId } from "../jobs/job-status";
import { triggerText } from "../messages/triggers";
import { ErrorBox } from "../parts/ErrorBox";
import { JsonField } from "../parts/JsonField";
import { readJson, writeJson } from "../parts/json";
import { Panel } from "../parts/Panel";
import styles from "./TriggersPage.module.css";

/** Dry run of an event rule with the last or a given event. */
export function TestPanel({ trigger }: { trigger: Trigger }) {
  const { api } = useSession();
  const [text, setText] = useState<string>();
  const parsed = text === undefined ? undefined : readJson(text);
  const test = useMutation({ mutationFn: (event: unknown) => api.testTrigger(trigger.id, event) });
  return (
    <Panel title={triggerText.test} aside={triggerText.testNote}>
      <div className={styles.result}>
        {text !== undefined && (
          <JsonField label={triggerText.fireEvent} value={text} onChange={setText} rows={4} />
        )}
        <div className={styles.buttons}>
          {text === undefined ? (
            <>
              <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
                {triggerText.testDo}
              </Button>
              <Button variant="subtle" onClick={() => setText("{\n}")}>
                {triggerText.testWith}
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              loading={test.isPending}
              disabled={parsed?.error !== undefined}
              onClick={() => test.mutate(parsed?.value)}
            >
              {triggerText.test}
            </Button>
          )}
        </div>
        {test.error && <ErrorBox error={test.error} />}
        {test.data && <TestResult result={test.data} />}
      </div>
    </Panel>
  );
}

function TestResult({ result }: { result: TriggerTestResult }) {
  const { would_have_fired: fired, events_examined: checked } = result;
  return (
    <div className={styles.result} role="status">
      {typeof fired === "number" && typeof checked === "number" && (
        <p>{triggerText.wouldFire(fired, checked)}</p>
      )}
      {result.jobs.map((job) => (
        <div key={`${job.target}-${job.dedupe_key}`} className={styles.result}>
          <p className="dim">
            {job.refused
              ? triggerText.wouldNotRun(job.refused)
              : triggerText.wouldRun(result.definition_key, job.target)}
          </p>
          {!job.refused && <pre className={styles.sample}>{writeJson(job.payload ?? {})}</pre>}
          {job.held_by && (
            <p className="dim">
              {triggerText.existingJob}{" "}
              <Link to="/jobs/$job" params={{ job: job.held_by }} className="id">
                {shortId(job.held_by)}
              </Link>
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
