import styles from "./TokenStateMark.module.css";
import { type TokenState, tokenStateText } from "./token-state";

export function TokenStateMark({ state }: { state: TokenState }) {
  return (
    <span className={styles.mark} data-state={state}>
      {tokenStateText(state)}
    </span>
  );
}
