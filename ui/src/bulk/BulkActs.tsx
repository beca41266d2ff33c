import { type ReactNode, Suspense, useState } from "react";
import { GatedButton } from "../parts/GatedButton";
import { SelectionBar } from "../parts/SelectionBar";
import type { Selection } from "../parts/useSelection";
import type { Subject } from "./do-many";

export interface BulkDialogProps<Act extends string> {
  act: Act;
  subjects: Subject[];
  onDone: () => void;
  onClose: () => void;
}

interface Props<Act extends string> {
  selection: Selection;
  /** All listed rows. */
  rows: Subject[];
  acts: Record<Act, { ask: string }>;
  /** Reason why the action is not allowed; `undefined` if it is. */
  refused: (act: Act) => string | undefined;
  dialog: (props: BulkDialogProps<Act>) => ReactNode;
}

/** Bulk action buttons for the selected rows; each opens a dialog. */
export function BulkActs<Act extends string>({ selection, rows, acts, refused, dialog }: Props<Act>) {
  // The selection at the time of the click, because rows may leave the list while the dialog is open.
  const [asked, setAsked] = useState<{ act: Act; subjects: Subject[] }>();
  if (selection.size === 0 && !asked) return null;
  const ask = (act: Act) => setAsked({ act, subjects: rows.filter(({ id }) => selection.has(id)) });
  return (
    <>
      <SelectionBar selection={selection}>
        {(Object.keys(acts) as Act[]).map((act) => (
          <GatedButton key={act} variant="default" refused={refused(act)} onClick={() => ask(act)}>
            {acts[act].ask}
          </GatedButton>
        ))}
      </SelectionBar>
      {asked && (
        <Suspense>
          {dialog({
            ...asked,
            onDone: () => selection.setAll([]),
            onClose: () => setAsked(undefined),
          })}
        </Suspense>
      )}
    </>
  );
}
