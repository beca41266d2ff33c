import { useEffect, useRef } from "react";
import styles from "./Check.module.css";

interface Props {
  label: string;
  isChecked: boolean;
  isPartly?: boolean;
  /** `isRange`: Shift was held. */
  onToggle: (isRange: boolean) => void;
}

/** A native checkbox for rows, because a list has hundreds of them. */
export function Check({ label, isChecked, isPartly = false, onToggle }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <label className={styles.check}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}
