import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { Preview } from "../api/model";
import { useSession } from "../app/session";
import { hubNow } from "../time/clock";
import { clockChanges } from "./clock-changes";

const DEBOUNCE_MS = 300;
const DAY_MS = 86_400_000;
/** Number of clock changes checked; two cover a year. */
const CHANGES_MAX = 2;

/** Next runs of an expression, computed by the hub, and the effect of the next clock changes. */
export function usePreview(cron: string, timezone: string) {
  const { org, api } = useSession();
  const [debounced] = useDebouncedValue(cron.trim(), DEBOUNCE_MS);
  return useQuery({
    queryKey: [...keys.triggers(org.slug), "preview", { cron: debounced, timezone }],
    queryFn: async ({ signal }) => {
      const request = { cron_expr: debounced, timezone };
      const preview = await api.previewSchedule({ ...request, count: 10 }, signal);
      return {
        preview,
        changes: await upcomingClockChanges(preview, (after) =>
          api.previewSchedule({ ...request, after, count: 24 }, signal),
        ),
      };
    },
    enabled: debounced !== "",
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
  });
}

async function upcomingClockChanges(
  preview: Preview,
  request: (after: string) => Promise<Preview>,
): Promise<Preview["clock_changes"]> {
  const days = clockChanges(preview.timezone, hubNow()).slice(0, CHANGES_MAX);
  const around = await Promise.all(
    days.map((day) => request(new Date(day - DAY_MS).toISOString()).catch(() => undefined)),
  );
  const found = [preview, ...around].flatMap((each) => each?.clock_changes ?? []);
  return [...new Map(found.map((change) => [change.at, change])).values()];
}
