import { lazy, Suspense, useState } from "react";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { GatedButton } from "../parts/GatedButton";
import { SelectionBar } from "../parts/SelectionBar";
import type { Selection } from "../parts/useSelection";
import type { BulkAction } from "./BulkDialog";

const BulkDialog = lazy(() => import("./BulkDialog"));

/** Bulk actions on the selected jobs or on all matching jobs. */
export default function BulkBar({ selection, filter }: { selection: Selection; filter: string | undefined }) {
  const { role } = useSession();
  const [openDialog, setOpenDialog] = useState<{ action: BulkAction; ids?: string[] }>();
  const refused = refusal(role, "operator");
  if (selection.size === 0 && !openDialog) return null;
  return (
    <>
      <SelectionBar selection={selection}>
        <GatedButton
          variant="default"
          refused={refused}
          onClick={() => setOpenDialog({ action: "retry", ids: selection.ids })}
        >
          {jobText.retryButton}
        </GatedButton>
        <GatedButton
          variant="default"
          refused={refused}
          onClick={() => setOpenDialog({ action: "cancel", ids: selection.ids })}
        >
          {jobText.cancel}
        </GatedButton>
        <GatedButton variant="subtle" refused={refused} onClick={() => setOpenDialog({ action: "retry" })}>
          {jobText.allMatching}
        </GatedButton>
      </SelectionBar>
      {openDialog && (
        <Suspense>
          <BulkDialog
            {...openDialog}
            filter={filter}
            onDone={() => selection.setAll([])}
            onClose={() => setOpenDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
