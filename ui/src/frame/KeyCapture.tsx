import { useEffect, useRef, useState } from "react";
import { keyText } from "../messages/keys";
import { keyChoice } from "./bindings";
import styles from "./KeyHelp.module.css";
import { type Command, inTheWay } from "./keys";

interface Props {
  command: Command;
  onTaken: (keys: string) => void;
  onCancel: () => void;
}

/** How long a key that starts a chord waits for the second key. */
const SECOND_MS = 1200;

/** Records a new shortcut of one or two keys and reports conflicts. */
export function KeyCapture({ command, onTaken, onCancel }: Props) {
  const [begun, setBegun] = useState("");
  const [refused, setRefused] = useState<string>();
  const field = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    field.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);

  const take = (keys: string) => {
    setBegun("");
    const other = inTheWay(command, keys, keyChoice().bindings);
    if (other) setRefused(keyText.taken(keyText[other]));
    else onTaken(keys);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer.current);
    if (event.key === "Escape") return onCancel();
    // Ignores named keys such as "Shift" and "F5".
    if ([...event.key].length !== 1 || event.key === " ") return;
    if (begun) return take(`${begun} ${event.key}`);
    const isBeginning = Object.values(keyChoice().bindings).some((keys) => keys.startsWith(`${event.key} `));
    if (!isBeginning) return take(event.key);
    setBegun(event.key);
    timer.current = setTimeout(() => take(event.key), SECOND_MS);
  };
  return (
    <button
      ref={field}
      type="button"
      className={styles.capture}
      data-refused={refused ? true : undefined}
      onKeyDown={onKeyDown}
      onBlur={onCancel}
    >
      <span role="status">{begun ? `${begun} …` : (refused ?? keyText.press)}</span>
    </button>
  );
}
