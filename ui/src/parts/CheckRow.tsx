import { selectText } from "../messages/select";
import { Check } from "./Check";
import type { Selection } from "./useSelection";

/** Chooses one row of a list; with Shift all from the last one. */
export function CheckRow({ selection, id, name }: { selection: Selection; id: string; name: string }) {
  return (
    <Check
      label={selectText.select(name)}
      isChecked={selection.has(id)}
      onToggle={(isRange) => selection.toggle(id, isRange)}
    />
  );
}

/** Chooses every row that is shown, or none. */
export function CheckAll({ selection, keys }: { selection: Selection; keys: string[] }) {
  const isAll = keys.length > 0 && keys.every(selection.has);
  return (
    <Check
      label={selectText.selectAll}
      isChecked={isAll}
      isPartly={!isAll && selection.size > 0}
      onToggle={() => selection.setAll(isAll ? [] : keys)}
    />
  );
}
