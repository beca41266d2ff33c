import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { keys } from "../api/keys";
import { usePaused } from "../api/live-pause";
import { type SeriesAnswer, type SeriesSpan, seriesApi } from "../api/series-api";
import { useSession } from "../app/session";
import { hubNow } from "../time/clock";
import { type ChartRange, spanOf } from "./range";

/** About the interval at which the hub has a new point. */
const EVERY_MS = 30_000;

type Read = (api: ReturnType<typeof seriesApi>, span: SeriesSpan) => Promise<SeriesAnswer>;

/** Loads time series; `of` is the part of the query key that names the subject. */
export function useSeries(of: readonly string[], range: ChartRange, read: Read) {
  const { org } = useSession();
  const api = useMemo(() => seriesApi(org.slug), [org.slug]);
  return useQuery({
    queryKey: [...keys.series(org.slug), ...of, range],
    queryFn: () => read(api, spanOf(range, hubNow())),
    refetchInterval: usePaused() ? false : EVERY_MS,
  });
}
