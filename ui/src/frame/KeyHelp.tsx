import { Button } from "@mantine/core";
import { useState } from "react";
import { keyText } from "../messages/keys";
import { Dialog } from "../parts/Dialog";
import { shortcut } from "../parts/shortcut";
import { Toggle } from "../parts/Toggle";
import { updateKeyChoice, useKeyChoice } from "./bindings";
import { KeyCapture } from "./KeyCapture";
import styles from "./KeyHelp.module.css";
import { type Command, DEFAULT_KEYS } from "./keys";

const GROUPS: [string, Command[]][] = [
  [
    keyText.groups.go,
    [
      "overview",
      "hosts",
      "servers",
      "jobs",
      "triggers",
      "alerts",
      "events",
      "definitions",
      "people",
      "audit",
    ],
  ],
  [keyText.groups.rows, ["next", "previous", "select", "range", "menu"]],
  [keyText.groups.jobs, ["retry", "cancel", "attemptBefore", "attemptAfter"]],
  [keyText.groups.output, ["follow", "hitNext", "hitBefore", "unfold"]],
  [keyText.groups.page, ["filter", "create", "link", "pause", "utc", "help"]],
];

/** Keyboard help with editable shortcuts. */
export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const { isOff, bindings } = useKeyChoice();
  const [changed, setChanged] = useState<Command>();
  const isDefault = (Object.keys(DEFAULT_KEYS) as Command[]).every(
    (each) => bindings[each] === DEFAULT_KEYS[each],
  );
  const row = (command: Command) => (
    <div key={command} className={styles.row}>
      <dt>{keyText[command]}</dt>
      <dd>
        {changed === command ? (
          <KeyCapture
            command={command}
            onCapture={(keys) => {
              updateKeyChoice({ bindings: { ...bindings, [command]: keys } });
              setChanged(undefined);
            }}
            onCancel={() => setChanged(undefined)}
          />
        ) : (
          <button
            type="button"
            className={styles.keys}
            aria-label={keyText.change(keyText[command])}
            aria-description={bindings[command]}
            onClick={() => setChanged(command)}
          >
            <Keys keys={bindings[command]} />
          </button>
        )}
      </dd>
    </div>
  );
  return (
    <Dialog title={keyText.title} onClose={onClose} size={720}>
      <div className={styles.head}>
        <Toggle label={keyText.isOn} isOn={!isOff} onToggle={() => updateKeyChoice({ isOff: !isOff })} />
        <span>{keyText.isOn}</span>
        {!isDefault && (
          <Button variant="subtle" onClick={() => updateKeyChoice({ bindings: DEFAULT_KEYS })}>
            {keyText.reset}
          </Button>
        )}
      </div>
      <div className={styles.groups} data-off={isOff || undefined}>
        {GROUPS.map(([title, commands]) => (
          <section key={title} className={styles.group}>
            <h3>{title}</h3>
            <dl>{commands.map(row)}</dl>
          </section>
        ))}
        <section className={styles.group}>
          <h3>{keyText.groups.everywhere}</h3>
          <dl>
            <Fixed label={keyText.palette} keys={shortcut("K")} />
            <Fixed label={keyText.open} keys="Enter" />
          </dl>
        </section>
      </div>
      <p className="dim small">{keyText.note}</p>
    </Dialog>
  );
}

/** Shortcuts that cannot be changed. */
function Fixed({ label, keys }: { label: string; keys: string }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd className={styles.fixed}>
        {keys.split(" ").map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}

/** Renders each key as on a keyboard. */
function Keys({ keys }: { keys: string }) {
  const parts = keys.split(" ").flatMap((key) => (/^\p{Lu}$/u.test(key) ? [keyText.shift, key] : [key]));
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same key can appear twice
    <kbd key={index}>{part}</kbd>
  ));
}
