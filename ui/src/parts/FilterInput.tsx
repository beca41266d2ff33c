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
  /** The one that `/` goes to. */
  isFirst?: boolean;
}

/** Long enough for a word to be finished, short enough to feel live. */
const SETTLE_MS = 250;

/** A field of a filter that lives in the address: follows it, and changes it when typing settles. */
export function FilterInput({ label, placeholder, icon, value, onChange, isFirst = false }: Props) {
  const [typed, setTyped] = useState(value);
  const settle = useDebouncedCallback(onChange, SETTLE_MS);
  // A space at the end is trimmed for the address, but must stay for the word that follows.
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
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}
