import { Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./JsonField.module.css";
import { readJson } from "./json";

interface Props {
  label: string;
  description?: ReactNode;
  value: string;
  onChange: (value: string) => void;
  /** Validation error of the hub. */
  error?: string | undefined;
  readOnly?: boolean;
  rows?: number;
}

/** Text area for JSON that is checked while typing. */
export function JsonField({ label, description, value, onChange, error, readOnly = false, rows = 6 }: Props) {
  const parseError = readJson(value).error;
  return (
    <Textarea
      className={styles.json}
      label={label}
      description={description}
      value={value}
      rows={Math.max(rows, Math.min(24, value.split("\n").length))}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      readOnly={readOnly}
      error={parseError ?? error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
