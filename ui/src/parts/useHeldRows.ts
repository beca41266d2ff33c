import { useRef } from "react";
import { useReading } from "./useReading";

/** Holds back new rows while the user reads; shown rows keep their place and are updated. */
export function useHeldRows<T extends { id: string }>(rows: T[]): { shown: T[]; newCount: number } {
  const isReading = useReading();
  const known = useRef<ReadonlySet<string>>(new Set());
  if (!isReading) known.current = new Set(rows.map(({ id }) => id));
  const shown = rows.filter(({ id }) => known.current.has(id));
  return { shown, newCount: rows.length - shown.length };
}
