import { useMemo } from "react";
import { rulesApi } from "../api/rules-api";
import { useSession } from "../app/session";

export function useRulesApi() {
  const { slug } = useSession().org;
  return useMemo(() => rulesApi(slug), [slug]);
}
