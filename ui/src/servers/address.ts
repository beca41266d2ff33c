import type { Server } from "../api/model";

/** URL segment of a server: its name, or its ID if a host may have its own server of that name. */
export function addressOf({
  id,
  name,
  is_hosts_own: isHostsOwn,
}: Pick<Server, "id" | "name" | "is_hosts_own">) {
  return isHostsOwn ? id : name;
}
