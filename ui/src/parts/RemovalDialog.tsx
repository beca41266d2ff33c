import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { FormDialog } from "./FormDialog";
import { toast } from "./toasts";

/** Texts and request of a removal dialog. */
export interface Removal {
  title: string;
  effect: string;
  submit: string;
  /** Toast after the removal. */
  doneText: string;
  /** Query key of the list. */
  list: QueryKey;
  remove: () => Promise<unknown>;
}

/** Confirmation dialog that removes an item and refetches its list. */
export function RemovalDialog({
  doneText,
  list,
  remove,
  onClose,
  ...texts
}: Removal & { onClose: () => void }) {
  const client = useQueryClient();
  return (
    <FormDialog
      {...texts}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await remove();
        void client.invalidateQueries({ queryKey: list });
        toast(doneText);
        onClose();
      }}
    />
  );
}
