import { Fragment, type ReactNode } from "react";
import { text } from "../messages";
import { CheckAll, CheckRow } from "./CheckRow";
import styles from "./DataTable.module.css";
import table from "./Table.module.css";
import { useNarrow } from "./useNarrow";
import type { Selection } from "./useSelection";

interface Column<T> {
  head: string;
  cell: (row: T) => ReactNode;
  isRight?: boolean;
  /** As narrow as its content. */
  isTight?: boolean;
  /** Takes a full line on a card. */
  isLong?: boolean;
  /** Whether the cell is empty for a row; cards omit it then. */
  isEmpty?: (row: T) => boolean;
}

interface Props<T> {
  rows: T[];
  keyOf: (row: T) => string;
  /** The first column is the row header. */
  columns: Column<T>[];
  actions?: (row: T) => ReactNode;
  /** Expanded content under a row. */
  detail?: (row: T) => ReactNode;
  /** Selected rows by key; absent if rows cannot be selected. */
  selection?: Selection;
  /** Name of a row for its checkbox label. */
  nameOf?: (row: T) => string;
}

/** A table; on narrow screens one card per row. */
export function DataTable<T>(props: Props<T>) {
  return useNarrow() ? <Cards {...props} /> : <Wide {...props} />;
}

function Wide<T>({ rows, keyOf, columns, actions, detail, selection, nameOf = keyOf }: Props<T>) {
  const classOf = ({ isRight, isTight }: Column<T>) =>
    [isRight && table.right, isTight && table.tight].filter(Boolean).join(" ");
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={table.tight}>
                <CheckAll selection={selection} keys={rows.map(keyOf)} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.head} scope="col" className={classOf(column)}>
                {column.head}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="sr-only">{text.common.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const under = detail?.(row);
            return (
              <Fragment key={keyOf(row)}>
                <tr
                  className={styles.row}
                  data-open={under ? true : undefined}
                  data-selected={selection?.has(keyOf(row)) || undefined}
                >
                  {selection && (
                    <td className={table.tight}>
                      <CheckRow selection={selection} id={keyOf(row)} name={nameOf(row)} />
                    </td>
                  )}
                  {columns.map((column, index) => (
                    <td key={column.head} className={`${classOf(column)} ${index === 0 ? table.name : ""}`}>
                      {column.cell(row)}
                    </td>
                  ))}
                  {actions && (
                    <td className={table.tight}>
                      <div className={table.actions}>{actions(row)}</div>
                    </td>
                  )}
                </tr>
                {under && (
                  <tr>
                    <td
                      colSpan={columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)}
                      className={styles.under}
                    >
                      {under}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Cards<T>({ rows, keyOf, columns, actions, detail, selection, nameOf = keyOf }: Props<T>) {
  const [name, ...rest] = columns;
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={styles.card}>
          <div className={styles.top}>
            {selection && <CheckRow selection={selection} id={keyOf(row)} name={nameOf(row)} />}
            <span className={table.name}>{name?.cell(row)}</span>
            {actions && <span className={table.actions}>{actions(row)}</span>}
          </div>
          <dl className={styles.facts}>
            {rest
              .filter((column) => !column.isEmpty?.(row))
              .map((column) => (
                <div key={column.head} className={styles.fact} data-long={column.isLong || undefined}>
                  <dt>{column.head}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
          </dl>
          {detail?.(row)}
        </li>
      ))}
    </ul>
  );
}
