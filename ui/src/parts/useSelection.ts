import { useCallback, useMemo, useRef, useState } from "react";

export interface Selection {
  size: number;
  ids: string[];
  has: (id: string) => boolean;
  /** `isRange` toggles all rows from the last toggled one. */
  toggle: (id: string, isRange: boolean) => void;
  setAll: (ids: string[]) => void;
}

/** Selected rows; rows that leave the list are deselected. */
export function useSelection(rowIds: string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const order = useRef(rowIds);
  order.current = rowIds;
  const last = useRef<string>(undefined);
  const toggle = useCallback((id: string, isRange: boolean) => {
    const before = last.current;
    last.current = id;
    setSelected((old) => toggleRows(old, order.current, id, isRange ? before : undefined));
  }, []);
  return useMemo(() => {
    const ids = rowIds.filter((id) => selected.has(id));
    const visible = new Set(ids);
    return {
      size: ids.length,
      ids,
      has: (id) => visible.has(id),
      toggle,
      setAll: (all) => setSelected(new Set(all)),
    };
  }, [rowIds, selected, toggle]);
}

/** Toggles `id`, or gives all rows from `from` to `id` its new state. */
export function toggleRows(
  selected: ReadonlySet<string>,
  order: string[],
  id: string,
  from: string | undefined,
): ReadonlySet<string> {
  const next = new Set(selected);
  const isOn = !selected.has(id);
  const [a, b] = [order.indexOf(from ?? id), order.indexOf(id)];
  const range = a < 0 ? [id] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
  for (const each of range) {
    if (isOn) next.add(each);
    else next.delete(each);
  }
  return next;
}
