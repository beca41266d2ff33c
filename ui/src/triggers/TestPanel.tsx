import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Trigger, WouldMake } from "../api/model";
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
  const [written, setWritten] = useState<string>();
  const own = written === undefined ? undefined : readJson(written);
  const test = useMutation({ mutationFn: (event: unknown) => api.testTrigger(trigger.id, event) });
  return (
    <Panel title={triggerText.test} aside={triggerText.testNote}>
      <div className={styles.would}>
        {written !== undefined && (
          <JsonField label={triggerText.fireEvent} value={written} onChange={setWritten} rows={4} />
        )}
        <div className={styles.buttons}>
          {written === undefined ? (
            <>
              <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
                {triggerText.testDo}
              </Button>
              <Button variant="subtle" onClick={() => setWritten("{\n}")}>
                {triggerText.testWith}
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              loading={test.isPending}
              disabled={own?.error !== undefined}
              onClick={() => test.mutate(own?.value)}
            >
              {triggerText.test}
            </Button>
          )}
        </div>
        {test.error && <ErrorBox error={test.error} />}
        {test.data && <Would result={test.data} />}
      </div>
    </Panel>
  );
}

function Would({ result }: { result: WouldMake }) {
  const { would_have_fired: fired, events_looked_at: looked } = result;
  return (
    <div className={styles.would} role="status">
      {typeof fired === "number" && typeof looked === "number" && (
        <p>{triggerText.wouldFire(fired, looked)}</p>
      )}
      {result.jobs.map((job) => (
        <div key={`${job.target}-${job.dedupe_key}`} className={styles.would}>
          <p className="dim">
            {job.refused
              ? triggerText.wouldNot(job.refused)
              : triggerText.wouldMake(result.definition_key, job.target)}
          </p>
          {!job.refused && <pre className={styles.sample}>{writeJson(job.payload ?? {})}</pre>}
          {job.held_by && (
            <p className="dim">
              {triggerText.heldBy}{" "}
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
