import { useMemo } from "react";
import { outsideApi } from "../api/outside-api";
import { useSession } from "../app/session";

export function useOutsideApi() {
  const { slug } = useSession().org;
  return useMemo(() => outsideApi(slug), [slug]);
}
