import { createContext, useContext } from "react";
import type { OrgApi } from "../api/api";
import type { Me, Membership, Role } from "../api/model";

/** Who is signed in, and in which org they are. */
export interface Session {
  me: Me;
  org: Membership;
  role: Role;
  api: OrgApi;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("there is no session outside the frame");
  return session;
}
