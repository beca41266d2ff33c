import type { HostDetail } from "../api/model";
import { text } from "../messages";
import { hostText } from "../messages/host";
import { DetailList, Panel } from "../parts/Panel";
import { Time } from "../time/Time";

const words = hostText.host;

/** The queues that the host serves, then those that its runner offers and the hub does not allow. */
function queues({ queues: allowed = [], queues_offered: offered = [] }: HostDetail): string {
  const served = offered.filter((queue) => allowed.includes(queue));
  const refused = offered.filter((queue) => !allowed.includes(queue));
  return [served.join(", "), refused.length > 0 ? words.queuesRefused(refused.join(", ")) : ""]
    .filter(Boolean)
    .join("; ");
}

export function MachinePanel({ host }: { host: HostDetail }) {
  const { machine } = host;
  const none = text.common.none;
  const key =
    host.rotation_due && host.key_version_wanted
      ? `${words.keyVersion(host.key_version)}; ${words.keyWanted(host.key_version_wanted)}`
      : words.keyVersion(host.key_version);
  return (
    <Panel title={words.machine}>
      <DetailList
        rows={[
          [words.os, machine.os_version || machine.os || none],
          [words.arch, machine.arch || none],
          [words.cores, machine.cores || none],
          [words.runner, host.runner_version ?? none],
          [words.key, key],
          [words.queues, queues(host) || none],
          [words.joined, <Time key="joined" at={host.created_at} />],
          [
            words.id,
            <span key="id" className="id small dim">
              {host.id}
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}
