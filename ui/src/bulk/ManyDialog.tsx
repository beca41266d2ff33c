import "../styles/mantine-forms";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { bulkText } from "../messages/bulk";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { doMany, type Failure, type Subject } from "./do-many";
import styles from "./ManyDialog.module.css";

export interface ManyWords {
  title: (n: number) => string;
  effect: string;
  submit: (n: number) => string;
  done: (n: number) => string;
}

interface Props {
  words: ManyWords;
  subjects: Subject[];
  act: (id: string) => Promise<unknown>;
  /** Query keys of the lists to refetch. */
  lists: QueryKey[];
  isReady?: boolean;
  onDone: () => void;
  onClose: () => void;
  children?: ReactNode;
}

const SAMPLES = 5;

/** Confirmation dialog of a bulk action. Items that fail stay listed and can be retried. */
export function ManyDialog({
  words,
  subjects,
  act,
  lists,
  isReady = true,
  onDone,
  onClose,
  children,
}: Props) {
  const client = useQueryClient();
  const [left, setLeft] = useState(subjects);
  const [failed, setFailed] = useState<{ done: number; failures: Failure[] }>();
  return (
    <FormDialog
      title={words.title(left.length)}
      effect={words.effect}
      submit={failed ? bulkText.rest : words.submit(left.length)}
      isReady={isReady && left.length > 0}
      onClose={onClose}
      onSubmit={async () => {
        const outcome = await doMany(left, act);
        for (const queryKey of lists) void client.invalidateQueries({ queryKey });
        if (outcome.failures.length > 0) {
          setLeft(outcome.failures.map(({ subject }) => subject));
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
          {left.slice(0, SAMPLES).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {left.length > SAMPLES && <li className="dim">{bulkText.more(left.length - SAMPLES)}</li>}
          {left.length === 0 && <li className="dim">{bulkText.none}</li>}
        </ul>
      )}
      {children}
    </FormDialog>
  );
}
