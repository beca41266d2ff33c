import { selectText } from "../messages/select";
import { Check } from "./Check";
import type { Selection } from "./useSelection";

/** Checkbox of a row; Shift selects the range from the last toggled row. */
export function CheckRow({ selection, id, name }: { selection: Selection; id: string; name: string }) {
  return (
    <Check
      label={selectText.select(name)}
      isChecked={selection.has(id)}
      onToggle={(isRange) => selection.toggle(id, isRange)}
    />
  );
}

/** Checkbox that selects all shown rows or none. */
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
