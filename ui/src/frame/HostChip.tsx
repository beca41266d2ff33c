import { Popover } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import styles from "./Header.module.css";
import { useHostChoice } from "./host-choice";

const HostPicker = lazy(() => import("./HostPicker"));

/** The one host that lists are about, or all of them. */
export function HostChip() {
  const { host } = useHostChoice();
  const [isOpen, setOpen] = useState(false);
  const shown = host ?? text.frame.hostAll;
  return (
    // No menu: a menu has no room for a field to type into.
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={styles.chip}
          data-boxed={host ? true : undefined}
          data-all={host ? undefined : true}
          aria-label={text.frame.hostChip(shown)}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="hosts" />
          <span className={styles.host}>{shown}</span>
          <Icon name="chevron" />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={text.frame.hostFind}>
        <Suspense>
          <HostPicker onChosen={() => setOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
