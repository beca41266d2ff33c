import type { Loop } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import styles from "./LoopsTable.module.css";

const words = adminText.hub;

export function LoopsTable({ loops }: { loops: Loop[] }) {
  return (
    <DataTable
      rows={loops}
      keyOf={(loop) => loop.name}
      columns={[
        { head: words.loop, cell: (loop) => loop.name },
        {
          head: words.state,
          cell: (loop) => (
            <span className={styles.state} data-state={loop.state}>
              {words.states[loop.state]}
            </span>
          ),
        },
        { head: words.passes, isRight: true, cell: (loop) => <Count value={loop.passes} /> },
        { head: words.errors, isRight: true, cell: (loop) => <Count value={loop.errors} isBad /> },
        { head: words.panics, isRight: true, cell: (loop) => <Count value={loop.panics} isBad /> },
        {
          head: words.duration,
          isRight: true,
          cell: (loop) => (typeof loop.last_ms === "number" ? duration(loop.last_ms) : text.common.none),
        },
        {
          head: words.last,
          isRight: true,
          cell: (loop) => <Time at={loop.last_at} none={text.common.never} />,
        },
        { head: words.next, isRight: true, cell: (loop) => <Time at={loop.next_at} /> },
      ]}
      detail={(loop) => loop.last_error}
    />
  );
}

function Count({ value, isBad = false }: { value: number; isBad?: boolean }) {
  return (
    <span className={`num ${isBad && value > 0 ? styles.bad : "dim"}`}>{value.toLocaleString("en")}</span>
  );
}
