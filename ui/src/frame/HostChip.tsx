import { lazy, useRef, useState } from "react";
import { text } from "../messages";
import { Floating } from "../parts/Floating";
import { Icon } from "../parts/Icon";
import styles from "./Header.module.css";
import { useHostChoice } from "./host-choice";

const HostPicker = lazy(() => import("./HostPicker"));

/** Header button that limits all lists to one host. */
export function HostChip() {
  const { host } = useHostChoice();
  const [isOpen, setOpen] = useState(false);
  const chip = useRef<HTMLButtonElement>(null);
  const label = host ?? text.frame.hostAll;
  const close = (isEscape: boolean) => {
    setOpen(false);
    if (isEscape) chip.current?.focus();
  };
  return (
    <>
      <button
        ref={chip}
        type="button"
        className={styles.chip}
        data-boxed={host ? true : undefined}
        data-all={host ? undefined : true}
        aria-label={text.frame.hostChip(label)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="hosts" />
        <span className={styles.host}>{label}</span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        // A dialog, because a menu cannot contain a text field.
        <Floating
          role="dialog"
          aria-label={text.frame.hostFind}
          anchor={chip}
          onClose={close}
          onShown={(box) => box.querySelector("input")?.focus()}
        >
          <HostPicker onChosen={() => close(true)} />
        </Floating>
      )}
    </>
  );
}
