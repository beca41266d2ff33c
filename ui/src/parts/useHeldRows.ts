import { useRef } from "react";
import { useReading } from "./useReading";

/** While somebody reads, rows that come wait: what is there stays where it is, and is kept up to date. */
export function useHeldRows<T extends { id: string }>(rows: T[]): { shown: T[]; fresh: number } {
  const isReading = useReading();
  const known = useRef<ReadonlySet<string>>(new Set());
  if (!isReading) known.current = new Set(rows.map(({ id }) => id));
  const shown = rows.filter(({ id }) => known.current.has(id));
  return { shown, fresh: rows.length - shown.length };
}
