import { QueryState } from "../admin/QueryState";
import { serversText } from "../messages/servers";
import page from "../parts/Page.module.css";
import { ServerTable } from "../servers/ServerTable";
import { useServers } from "../servers/useServers";

/** The servers of one host. */
export default function HostServers({ name }: { name: string }) {
  const servers = useServers();
  return (
    <QueryState query={servers}>
      {(all) => {
        const here = all.filter(({ host }) => host === name);
        if (here.length === 0) return <p className={page.empty}>{serversText.hostNone}</p>;
        return <ServerTable servers={here} isOfHost />;
      }}
    </QueryState>
  );
}
