import type { Server } from "../api/model";

/** What names a server in addresses: its name, or its id where a host may have used the name too. */
export function addressOf({
  id,
  name,
  is_hosts_own: isHostsOwn,
}: Pick<Server, "id" | "name" | "is_hosts_own">) {
  return isHostsOwn ? id : name;
}
