import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { text } from "../messages";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox } from "../parts/ErrorBox";
import styles from "./PageError.module.css";

/** The last net: a page that threw. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <main className={styles.page}>
      <h1>{text.errors.heading}</h1>
      <ErrorBox error={error} onRetry={reset} />
    </main>
  );
}

export function NotFound() {
  return (
    <main>
      <h1 className="sr-only">{text.errors.notFoundTitle}</h1>
      <EmptyState title={text.errors.notFoundTitle}>
        <p>{text.errors.notFoundHint}</p>
        <Link to="/hosts">{text.errors.toHosts}</Link>
      </EmptyState>
    </main>
  );
}
