import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { queryOf, searchOf } from "./query";
import { type ViewPage, viewsApi } from "./views-api";

/** Views of a page, and the one that matches the current URL. */
export function useViews(page: ViewPage) {
  const { slug } = useSession().org;
  const api = useMemo(() => viewsApi(slug), [slug]);
  const client = useQueryClient();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const views = useQuery({ queryKey: keys.views(slug), queryFn: api.views, retry: false });
  return {
    api,
    error: views.error,
    views: (views.data ?? []).filter((view) => view.page === page),
    reload: () => void client.invalidateQueries({ queryKey: keys.views(slug) }),
    current: queryOf(search),
    show: (query: string) => void navigate({ to: ".", search: (old) => searchOf(query, old) as never }),
  };
}
