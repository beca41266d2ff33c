import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { FormDialog } from "./FormDialog";
import { toast } from "./toasts";

/** What is asked before something goes for good. */
export interface Removal {
  title: string;
  effect: string;
  submit: string;
  /** Said when it is done. */
  said: string;
  /** The list it was on. */
  list: QueryKey;
  remove: () => Promise<unknown>;
}

/** Asks before something goes for good, and takes it from its list. */
export function RemovalDialog({ said, list, remove, onClose, ...asked }: Removal & { onClose: () => void }) {
  const client = useQueryClient();
  return (
    <FormDialog
      {...asked}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await remove();
        void client.invalidateQueries({ queryKey: list });
        toast(said);
        onClose();
      }}
    />
  );
}
