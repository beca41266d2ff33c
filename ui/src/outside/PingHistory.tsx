import { useQuery } from "@tanstack/react-query";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import { FaceMark } from "../jobs/JobMark";
import type { JobFace } from "../jobs/job-status";
import { outsideText } from "../messages/outside";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { Time } from "../time/Time";
import { useOutsideApi } from "./useOutsideApi";

const words = outsideText.ping;
const FACES: Record<string, JobFace> = {
  success: "succeeded",
  start: "running",
  fail: "failed",
  log: "queued",
};

/** Received pings, newest first. Their bodies are rendered as text. */
export function PingHistory({ ping }: { ping: string }) {
  const { org } = useSession();
  const api = useOutsideApi();
  const history = useQuery({
    queryKey: [...keys.pings(org.slug), ping],
    queryFn: () => api.pingHistory(ping),
    refetchInterval: usePollInterval(),
  });
  return (
    <QueryState query={history}>
      {({ items }) =>
        items.length === 0 ? (
          <p className={page.empty}>{words.silent}</p>
        ) : (
          <DataTable
            rows={items.map((said, place) => ({ ...said, key: `${said.at} ${items.length - place}` }))}
            keyOf={({ key }) => key}
            columns={[
              { head: words.time, cell: ({ at }) => <Time at={at} exact />, isTight: true },
              {
                head: words.word,
                cell: ({ word, exit_code }) => (
                  <>
                    <FaceMark face={FACES[word] ?? "queued"} word={words.words[word] ?? word} />
                    {typeof exit_code === "number" && <span className="faint"> {words.exit(exit_code)}</span>}
                  </>
                ),
              },
              { head: words.from, cell: ({ address }) => <span className="dim">{address}</span> },
              { head: words.body, cell: ({ body }) => body && <code>{body}</code>, isLong: true },
            ]}
          />
        )
      }
    </QueryState>
  );
}
