import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { text } from "../messages";
import { Dialog } from "./Dialog";
import { ErrorBox } from "./ErrorBox";
import styles from "./FormDialog.module.css";

interface Props {
  title: string;
  /** One sentence about the effect of the action. */
  effect?: ReactNode;
  submit: string;
  /** Label of the button that closes the dialog. */
  dismiss?: string;
  isDangerous?: boolean;
  /** Whether the submit button is enabled. */
  isReady?: boolean;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  size?: number;
  children?: ReactNode;
}

/** Form dialog that runs an action and stays open with the error if it fails. */
export function FormDialog(props: Props) {
  const {
    title,
    effect,
    submit,
    dismiss = text.common.cancel,
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
            {dismiss}
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
