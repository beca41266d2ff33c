import { useEffect, useRef, useState } from "react";
import { keyText } from "../messages/keys";
import { keyChoice } from "./bindings";
import styles from "./KeyHelp.module.css";
import { type Command, conflictingCommand } from "./keys";

interface Props {
  command: Command;
  onCapture: (keys: string) => void;
  onCancel: () => void;
}

/** How long a key that starts a chord waits for the second key. */
const SECOND_MS = 1200;

/** Records a new shortcut of one or two keys and reports conflicts. */
export function KeyCapture({ command, onCapture, onCancel }: Props) {
  const [prefix, setPrefix] = useState("");
  const [conflict, setConflict] = useState<string>();
  const field = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    field.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);

  const finish = (keys: string) => {
    setPrefix("");
    const other = conflictingCommand(command, keys, keyChoice().bindings);
    if (other) setConflict(keyText.taken(keyText[other]));
    else onCapture(keys);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer.current);
    if (event.key === "Escape") return onCancel();
    // Ignores named keys such as "Shift" and "F5".
    if ([...event.key].length !== 1 || event.key === " ") return;
    if (prefix) return finish(`${prefix} ${event.key}`);
    const isPrefix = Object.values(keyChoice().bindings).some((keys) => keys.startsWith(`${event.key} `));
    if (!isPrefix) return finish(event.key);
    setPrefix(event.key);
    timer.current = setTimeout(() => finish(event.key), SECOND_MS);
  };
  return (
    <button
      ref={field}
      type="button"
      className={styles.capture}
      data-refused={conflict ? true : undefined}
      onKeyDown={onKeyDown}
      onBlur={onCancel}
    >
      <span role="status">{prefix ? `${prefix} …` : (conflict ?? keyText.press)}</span>
    </button>
  );
}
