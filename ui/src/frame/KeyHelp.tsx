import { keyText } from "../messages/keys";
import { Dialog } from "../parts/Dialog";
import styles from "./KeyHelp.module.css";

const ROWS: [string[], string][] = [
  [["Ctrl", "K"], keyText.palette],
  [["/"], keyText.filter],
  [["g", "o"], keyText.overview],
  [["g", "h"], keyText.hosts],
  [["g", "s"], keyText.servers],
  [["g", "j"], keyText.jobs],
  [["g", "t"], keyText.triggers],
  [["g", "l"], keyText.alerts],
  [["g", "e"], keyText.events],
  [["g", "d"], keyText.definitions],
  [["g", "p"], keyText.people],
  [["g", "a"], keyText.audit],
  [["c"], keyText.create],
  [["j"], keyText.next],
  [["k"], keyText.previous],
  [["Enter"], keyText.open],
  [["x"], keyText.select],
  [["Shift", "x"], keyText.range],
  [["r"], keyText.retry],
  [["Shift", "C"], keyText.cancel],
  [["."], keyText.menu],
  [["f"], keyText.follow],
  [["n"], keyText.hit],
  [["y"], keyText.link],
  [["p"], keyText.pause],
  [["u"], keyText.utc],
  [["?"], keyText.help],
];

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={keyText.title} onClose={onClose}>
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
      <p className="dim small">{keyText.note}</p>
    </Dialog>
  );
}
