import { QueryState } from "../admin/QueryState";
import { serversText } from "../messages/servers";
import page from "../parts/Page.module.css";
import table from "../parts/Table.module.css";
import { NewServerButton } from "../servers/NewServerButton";
import { ServerTable } from "../servers/ServerTable";
import { useServers } from "../servers/useServers";

export default function HostServers({ name }: { name: string }) {
  const servers = useServers();
  return (
    <QueryState query={servers}>
      {(all) => {
        const here = all.filter(({ host }) => host === name);
        return (
          <>
            {here.length === 0 && <p className={page.empty}>{serversText.hostNone}</p>}
            {here.length > 0 && <ServerTable servers={here} isOfHost />}
            <div className={table.more}>
              <NewServerButton host={name} isQuiet />
            </div>
          </>
        );
      }}
    </QueryState>
  );
}
