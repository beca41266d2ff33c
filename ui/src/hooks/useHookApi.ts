import { useMemo } from "react";
import { hookApi } from "../api/hook-api";
import { useSession } from "../app/session";

export function useHookApi() {
  const { slug } = useSession().org;
  return useMemo(() => hookApi(slug), [slug]);
}
