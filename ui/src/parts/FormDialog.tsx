import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { text } from "../messages";
import { Dialog } from "./Dialog";
import { ErrorBox } from "./ErrorBox";
import styles from "./FormDialog.module.css";

interface Props {
  title: string;
  /** What will happen, in a sentence. */
  effect?: ReactNode;
  submit: string;
  isDangerous?: boolean;
  /** Off until the fields are complete. */
  isReady?: boolean;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  size?: number;
  children?: ReactNode;
}

/** Asks, acts, and stays open with the reason when acting failed. */
export function FormDialog(props: Props) {
  const {
    title,
    effect,
    submit,
    isDangerous = false,
    isReady = true,
    onSubmit,
    onClose,
    size,
    children,
  } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose} {...(size ? { size } : {})}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) void run();
        }}
      >
        {effect && <p className="dim">{effect}</p>}
        {children}
        {error !== undefined && <ErrorBox error={error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {text.common.cancel}
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={!isReady}
            {...(isDangerous ? { color: "red" } : {})}
            {...(children ? {} : { "data-autofocus": true })}
          >
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
