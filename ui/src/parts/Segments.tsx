import { useId } from "react";
import styles from "./Segments.module.css";

interface Props<T extends string> {
  label: string;
  /** Shows the label; otherwise it is for screen readers only. */
  hasLabel?: boolean;
  value: T;
  choices: readonly { value: T; label: string; count?: number | undefined }[];
  onChange: (value: T) => void;
}

/** Segmented control: one of a few visible choices. */
export function Segments<T extends string>({ label, hasLabel = false, value, choices, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset className={styles.set}>
      <legend className={hasLabel ? styles.label : "sr-only"}>{label}</legend>
      <div className={styles.segments}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={styles.segment}
            data-chosen={choice.value === value || undefined}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>{" "}
            {choice.count ? (
              <span className={`${styles.count} num`}>{choice.count.toLocaleString("en")}</span>
            ) : null}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
