import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { selectText } from "../messages/select";
import styles from "./SelectionBar.module.css";
import type { Selection } from "./useSelection";

/** Bar with the number of selected rows and their actions. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  return (
    <section className={styles.bar} aria-label={selectText.selected(selection.size)}>
      <strong>{selectText.selected(selection.size)}</strong>
      {children}
      <Button variant="subtle" onClick={() => selection.setAll([])}>
        {selectText.clear}
      </Button>
    </section>
  );
}
