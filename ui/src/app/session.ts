import { createContext, useContext } from "react";
import type { OrgApi } from "../api/api";
import type { Me, Membership, Role } from "../api/model";

/** The signed-in user and the current organization. */
export interface BrowserSession {
  me: Me;
  org: Membership;
  role: Role;
  api: OrgApi;
}

export const SessionContext = createContext<BrowserSession | null>(null);

export function useSession(): BrowserSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession must be used inside Frame");
  return session;
}
