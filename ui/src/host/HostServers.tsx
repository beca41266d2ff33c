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
        const onHost = all.filter(({ host }) => host === name);
        return (
          <>
            {onHost.length === 0 && <p className={page.empty}>{serversText.hostNone}</p>}
            {onHost.length > 0 && <ServerTable servers={onHost} isOfHost />}
            <div className={table.more}>
              <NewServerButton host={name} isSecondary />
            </div>
          </>
        );
      }}
    </QueryState>
  );
}
