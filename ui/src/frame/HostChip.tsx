import { Menu } from "@mantine/core";
import { lazy, Suspense } from "react";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import styles from "./Header.module.css";
import { useHostChoice } from "./host-choice";

const HostPicker = lazy(() => import("./HostPicker"));

/** The one host that lists are about, or all of them. */
export function HostChip() {
  const { host } = useHostChoice();
  const shown = host ?? text.frame.hostAll;
  return (
    <Menu>
      <Menu.Target>
        <button
          type="button"
          className={styles.chip}
          data-boxed={host ? true : undefined}
          data-all={host ? undefined : true}
          aria-label={text.frame.hostChip(shown)}
        >
          <Icon name="hosts" />
          <span className={styles.host}>{shown}</span>
          <Icon name="chevron" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Suspense>
          <HostPicker />
        </Suspense>
      </Menu.Dropdown>
    </Menu>
  );
}
