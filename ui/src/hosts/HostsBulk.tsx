import type { Host } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { BulkActs } from "../bulk/BulkActs";
import { bulkText } from "../messages/bulk";
import type { Selection } from "../parts/useSelection";
import { HostsBulkDialog } from "./HostsBulkDialog";

/** Bulk actions on the selected hosts. */
export default function HostsBulk({ hosts, selection }: { hosts: Host[]; selection: Selection }) {
  const { role } = useSession();
  return (
    <BulkActs
      selection={selection}
      rows={hosts}
      acts={bulkText.hosts.acts}
      refused={(act) => refusal(role, act === "label" ? "admin" : "operator")}
      dialog={(props) => <HostsBulkDialog {...props} />}
    />
  );
}
