import "../styles/mantine-forms";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { bulkText } from "../messages/bulk";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import styles from "./BulkActionDialog.module.css";
import { type Failure, runBulkAction, type Subject } from "./run-bulk-action";

export interface BulkActionWords {
  title: (n: number) => string;
  effect: string;
  submit: (n: number) => string;
  done: (n: number) => string;
}

interface Props {
  words: BulkActionWords;
  /** "1 failed host". */
  failedText: (n: number) => string;
  subjects: Subject[];
  action: (id: string) => Promise<unknown>;
  /** Query keys of the lists to refetch. */
  lists: QueryKey[];
  isReady?: boolean;
  onDone: () => void;
  onClose: () => void;
  children?: ReactNode;
}

const SAMPLES = 5;

/** Confirmation dialog of a bulk action. Items that fail stay listed and can be retried. */
export function BulkActionDialog({
  words,
  failedText,
  subjects,
  action,
  lists,
  isReady = true,
  onDone,
  onClose,
  children,
}: Props) {
  const client = useQueryClient();
  const [pending, setPending] = useState(subjects);
  const [failed, setFailed] = useState<{ done: number; failures: Failure[] }>();
  return (
    <FormDialog
      title={words.title(pending.length)}
      effect={words.effect}
      submit={failed ? bulkText.retryFailed(failedText(pending.length)) : words.submit(pending.length)}
      isReady={isReady && pending.length > 0}
      onClose={onClose}
      onSubmit={async () => {
        const outcome = await runBulkAction(pending, action);
        for (const queryKey of lists) void client.invalidateQueries({ queryKey });
        if (outcome.failures.length > 0) {
          setPending(outcome.failures.map(({ subject }) => subject));
          setFailed(outcome);
          return;
        }
        toast(words.done(outcome.done));
        onDone();
        onClose();
      }}
    >
      {failed ? (
        <div className={styles.failed} role="alert">
          <p>{bulkText.someFailed(failed.done, failed.failures.length)}</p>
          <ul className={styles.names}>
            {failed.failures.slice(0, SAMPLES).map(({ subject, why }) => (
              <li key={subject.id}>{bulkText.failure(subject.name, why)}</li>
            ))}
          </ul>
        </div>
      ) : (
        <ul className={styles.names} aria-label={bulkText.samples}>
          {pending.slice(0, SAMPLES).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {pending.length > SAMPLES && <li className="dim">{bulkText.more(pending.length - SAMPLES)}</li>}
          {pending.length === 0 && <li className="dim">{bulkText.none}</li>}
        </ul>
      )}
      {children}
    </FormDialog>
  );
}
