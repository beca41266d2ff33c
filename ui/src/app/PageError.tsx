import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { text } from "../messages";
import { ErrorBox } from "../parts/ErrorBox";
import { Card } from "../sign-in/Card";
import styles from "./PageError.module.css";

/** Error page for an exception while rendering. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <main className={styles.page}>
      <h1>{text.errors.heading}</h1>
      <ErrorBox error={error} onRetry={reset} />
    </main>
  );
}

export function PageNotFound() {
  return (
    <Card title={text.errors.notFoundTitle}>
      <p className="dim">{text.errors.notFoundHint}</p>
      <Link to="/">{text.errors.toOverview}</Link>
    </Card>
  );
}
