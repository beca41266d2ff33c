import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { Tip } from "../parts/Tip";
import styles from "./Header.module.css";
import { isLoopback } from "./loopback";

/** Header mark for pages loaded over plain HTTP from another machine. */
export default function PlainMark() {
  if (location.protocol !== "http:" || isLoopback(location.hostname)) return null;
  return (
    <Tip label={text.frame.plainNote}>
      <span className={styles.plain}>
        <Icon name="unlocked" />
        {text.frame.plain}
        <span className="sr-only">{text.frame.plainNote}</span>
      </span>
    </Tip>
  );
}
