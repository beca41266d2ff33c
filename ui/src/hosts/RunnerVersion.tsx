import { text } from "../messages";
import styles from "./RunnerVersion.module.css";
import { isOlder } from "./versions";

interface Props {
  version: string | null | undefined;
  newest: string | undefined;
}

/** The runner version, marked if the hub or another host has a newer one. */
export function RunnerVersion({ version, newest }: Props) {
  if (!version) return <span className="faint">{text.common.none}</span>;
  return (
    <span className={`${styles.version} num`}>
      {version}
      {newest !== undefined && isOlder(version, newest) && (
        <span className={styles.chip} title={text.hosts.olderRunner(newest)}>
          {text.hosts.updateNeeded}
        </span>
      )}
    </span>
  );
}
