import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DetailList, Panel } from "../parts/Panel";
import { Time } from "../time/Time";

const words = adminText.org;

/** Host count, runner versions and creation time of the organization. */
export function SummaryPanel({ createdAt }: { createdAt: string }) {
  const { org, api } = useSession();
  const { data } = useQuery({ queryKey: keys.status(org.slug), queryFn: api.status });
  if (!data) return null;
  const versions = Object.entries(data.runner_versions)
    .map(([version, count]) => words.versionHosts(version, count))
    .join(", ");
  return (
    <Panel title={words.summary}>
      <DetailList
        rows={[
          [text.hosts.title, Object.values(data.hosts).reduce((sum, n) => sum + n, 0)],
          [words.runners, versions || text.common.none],
          [words.database, data.database],
          [words.monitoringSince, <Time key="watching" at={data.watching_since} />],
          [words.created, <Time key="made" at={createdAt} />],
        ]}
      />
    </Panel>
  );
}
