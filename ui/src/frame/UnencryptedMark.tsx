import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { Tooltip } from "../parts/Tooltip";
import styles from "./Header.module.css";
import { isLoopback } from "./loopback";

/** Header mark for pages loaded over plain HTTP from another machine. */
export default function UnencryptedMark() {
  if (location.protocol !== "http:" || isLoopback(location.hostname)) return null;
  return (
    <Tooltip label={text.frame.unencryptedNote}>
      <span className={styles.notice}>
        <Icon name="unlocked" />
        {text.frame.unencrypted}
        <span className="sr-only">{text.frame.unencryptedNote}</span>
      </span>
    </Tooltip>
  );
}
