import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import styles from "./FilterInput.module.css";
import { Icon, type IconName } from "./Icon";

interface Props {
  label: string;
  placeholder: string;
  icon: IconName;
  value: string;
  onChange: (value: string) => void;
  /** Focused by the `/` shortcut. */
  isFirst?: boolean;
}

/** Debounce time: long enough to finish a word, short enough to feel live. */
const DEBOUNCE_MS = 250;

/** Text field of a filter in the URL: follows the URL, and changes it after the debounce time. */
export function FilterInput({ label, placeholder, icon, value, onChange, isFirst = false }: Props) {
  const [typed, setTyped] = useState(value);
  const debouncedChange = useDebouncedCallback(onChange, DEBOUNCE_MS);
  // The URL has no trailing space, but the field keeps it for the next word.
  useEffect(() => setTyped((old) => (old.trim() === value ? old : value)), [value]);
  return (
    <TextInput
      type="search"
      className={styles.field}
      aria-label={label}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      leftSection={<Icon name={icon} />}
      {...(isFirst ? { "data-filter": true, rightSection: <kbd>/</kbd> } : {})}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        debouncedChange(event.currentTarget.value.trim());
      }}
    />
  );
}
