import type { Host } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { BulkActions } from "../bulk/BulkActions";
import { bulkText } from "../messages/bulk";
import type { Selection } from "../parts/useSelection";
import { HostsBulkDialog } from "./HostsBulkDialog";

/** Bulk actions on the selected hosts. */
export default function HostsBulk({ hosts, selection }: { hosts: Host[]; selection: Selection }) {
  const { role } = useSession();
  return (
    <BulkActions
      selection={selection}
      rows={hosts}
      actions={bulkText.hosts.actions}
      refused={(action) => refusal(role, action === "label" ? "admin" : "operator")}
      dialog={(props) => <HostsBulkDialog {...props} />}
    />
  );
}
