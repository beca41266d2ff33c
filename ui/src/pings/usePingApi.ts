import { useMemo } from "react";
import { pingApi } from "../api/ping-api";
import { useSession } from "../app/session";

export function usePingApi() {
  const { slug } = useSession().org;
  return useMemo(() => pingApi(slug), [slug]);
}
