import { type ReactNode, Suspense, useState } from "react";
import { GatedButton } from "../parts/GatedButton";
import { SelectionBar } from "../parts/SelectionBar";
import type { Selection } from "../parts/useSelection";
import type { Subject } from "./run-bulk-action";

export interface BulkDialogProps<Action extends string> {
  action: Action;
  subjects: Subject[];
  onDone: () => void;
  onClose: () => void;
}

interface Props<Action extends string> {
  selection: Selection;
  /** All listed rows. */
  rows: Subject[];
  actions: Record<Action, { button: string }>;
  /** Reason why the action is not allowed; `undefined` if it is. */
  refused: (action: Action) => string | undefined;
  dialog: (props: BulkDialogProps<Action>) => ReactNode;
}

/** Bulk action buttons for the selected rows; each opens a dialog. */
export function BulkActions<Action extends string>({
  selection,
  rows,
  actions,
  refused,
  dialog,
}: Props<Action>) {
  // The selection at the time of the click, because rows may leave the list while the dialog is open.
  const [openDialog, setOpenDialog] = useState<{ action: Action; subjects: Subject[] }>();
  if (selection.size === 0 && !openDialog) return null;
  const openFor = (action: Action) =>
    setOpenDialog({ action, subjects: rows.filter(({ id }) => selection.has(id)) });
  return (
    <>
      <SelectionBar selection={selection}>
        {(Object.keys(actions) as Action[]).map((action) => (
          <GatedButton
            key={action}
            variant="default"
            refused={refused(action)}
            onClick={() => openFor(action)}
          >
            {actions[action].button}
          </GatedButton>
        ))}
      </SelectionBar>
      {openDialog && (
        <Suspense>
          {dialog({
            ...openDialog,
            onDone: () => selection.setAll([]),
            onClose: () => setOpenDialog(undefined),
          })}
        </Suspense>
      )}
    </>
  );
}
