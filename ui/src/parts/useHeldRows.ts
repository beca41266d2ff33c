import { useRef } from "react";
import { useAtTop } from "./useAtTop";

/** While somebody reads further down, rows that come wait: what is there stays where it is, and is kept up to date. */
export function useHeldRows<T extends { id: string }>(rows: T[]): { shown: T[]; fresh: number } {
  const isAtTop = useAtTop();
  const known = useRef<ReadonlySet<string>>(new Set());
  if (isAtTop) known.current = new Set(rows.map(({ id }) => id));
  const shown = rows.filter(({ id }) => known.current.has(id));
  return { shown, fresh: rows.length - shown.length };
}
