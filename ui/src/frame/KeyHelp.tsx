import { text } from "../messages";
import { Dialog } from "../parts/Dialog";
import styles from "./KeyHelp.module.css";

const ROWS: [string[], string][] = [
  [["/"], text.keys.filter],
  [["g", "h"], text.keys.hosts],
  [["g", "p"], text.keys.people],
  [["g", "a"], text.keys.audit],
  [["j"], text.keys.next],
  [["k"], text.keys.previous],
  [["Enter"], text.keys.open],
  [["u"], text.keys.utc],
  [["?"], text.keys.help],
];

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text.keys.title} onClose={onClose}>
      <dl className={styles.keys}>
        {ROWS.map(([keys, what]) => (
          <div key={what} className={styles.row}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="dim small">{text.keys.note}</p>
    </Dialog>
  );
}
