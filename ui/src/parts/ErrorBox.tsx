import { Button } from "@mantine/core";
import { ApiError, sentence } from "../api/client";
import { text } from "../messages";
import { TimedText } from "../time/TimedText";
import { CopyButton } from "./CopyButton";
import styles from "./ErrorBox.module.css";
import { Icon } from "./Icon";

interface Props {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

/** An error with its hint, code and request ID. */
export function ErrorBox({ error, onRetry }: Props) {
  const { detail, hint, requestId, code } = describe(error);
  const details = [detail, hint, `code ${code}`, requestId && `${text.errors.requestId} ${requestId}`]
    .filter(Boolean)
    .join("\n");
  return (
    <div className={styles.box} role="alert">
      <Icon name="alert" />
      <div className={styles.words}>
        <p className={styles.detail}>
          <TimedText>{detail}</TimedText>
        </p>
        {hint && (
          <p>
            <TimedText>{hint}</TimedText>
          </p>
        )}
        <p className={styles.code}>
          <span className="id">{code}</span>
          {requestId && (
            <>
              {" · "}
              {text.errors.requestId} <span className="id">{requestId}</span>
            </>
          )}
        </p>
      </div>
      <div className={styles.actions}>
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {text.common.retry}
          </Button>
        )}
        <CopyButton value={details} label={text.errors.copyDetails} variant="subtle" />
      </div>
    </div>
  );
}

/** Returns the error to show. With data on the page, the ribbon already shows that the hub is unreachable. */
export function errorToShow(error: Error | null, isShown: boolean): Error | null {
  return isShown && error instanceof ApiError && error.isUnreachable ? null : error;
}

function describe(error: unknown) {
  if (error instanceof ApiError) {
    const { detail, hint, request_id: requestId, code } = error.problem;
    return { detail: sentence(detail), hint: hint && sentence(hint), requestId, code };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    detail: text.errors.unexpected,
    hint: text.errors.unexpectedHint,
    requestId: undefined,
    code: message,
  };
}
