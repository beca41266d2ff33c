import { text } from "../messages";
import styles from "./RunnerVersion.module.css";
import { compareVersions } from "./versions";

interface Props {
  version: string | null | undefined;
  newest: string | undefined;
}

/** The runner's version, marked when other hosts of the org have a newer one. */
export function RunnerVersion({ version, newest }: Props) {
  if (!version) return <span className="faint">{text.common.none}</span>;
  const isOlder = newest !== undefined && compareVersions(version, newest) < 0;
  return (
    <span className={`${styles.version} num`} data-older={isOlder || undefined}>
      {version}
      {isOlder && (
        <>
          <span aria-hidden="true" title={text.hosts.olderRunner(newest)}>
            {" ↑"}
          </span>
          <span className="sr-only">{text.hosts.olderRunner(newest)}</span>
        </>
      )}
    </span>
  );
}
