import { jobPageText } from "../messages/job-page";
import { CopyButton } from "../parts/CopyButton";
import { writeJson } from "../parts/json";
import { Panel } from "../parts/Panel";
import styles from "./JobPage.module.css";

/** A formatted JSON value with a copy button. */
export function PayloadPanel({ title, value }: { title: string; value: unknown }) {
  const isEmpty =
    value === null ||
    value === undefined ||
    (typeof value === "object" && Object.keys(value as object).length === 0);
  const json = writeJson(value);
  return (
    <Panel title={title} {...(isEmpty ? {} : { aside: <CopyButton value={json} variant="subtle" /> })}>
      {isEmpty ? (
        <p className="dim">{jobPageText.noPayload}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <pre className={styles.json} tabIndex={0}>
          {json}
        </pre>
      )}
      {json.includes("•••") && <p className="faint small">{jobPageText.redacted}</p>}
    </Panel>
  );
}
