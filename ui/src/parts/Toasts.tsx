import { text } from "../messages";
import { TimedText } from "../time/TimedText";
import { Icon } from "./Icon";
import styles from "./Toasts.module.css";
import { dismiss, useToasts } from "./toasts";

/** Toasts in a polite live region, which is always mounted so that screen readers announce additions. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <div className={styles.stack} role="status">
      {toasts.map(({ id, message, undo, link }) => (
        <div key={id} className={styles.toast}>
          <span className={styles.message}>
            <TimedText>{message}</TimedText>
          </span>
          {(undo || link) && (
            <button
              type="button"
              className={styles.undo}
              onClick={() => {
                dismiss(id);
                (undo ?? link?.go)?.();
              }}
            >
              {undo ? text.common.undo : link?.label}
            </button>
          )}
          <button
            type="button"
            className={styles.close}
            onClick={() => dismiss(id)}
            aria-label={text.common.dismiss}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
