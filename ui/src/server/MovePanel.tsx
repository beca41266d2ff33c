import { useState } from "react";
import type { Server } from "../api/model";
import host from "../host/HostPage.module.css";
import { formText as words } from "../messages/server-form";
import { serversText } from "../messages/servers";
import { FormDialog } from "../parts/FormDialog";
import { GatedButton } from "../parts/GatedButton";
import { Panel } from "../parts/Panel";
import { toast } from "../parts/toasts";
import { HostChoice } from "../run/TargetField";
import { isHostConnected } from "../servers/state";
import { useServerApi, useServerChange } from "../servers/useServers";

interface Props {
  server: Server;
  refused: string | undefined;
}

export function MovePanel({ server, refused }: Props) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  return (
    <Panel title={words.move}>
      <div className={host.dangerRow}>
        <span className="dim">{words.moveNote(server.host)}</span>
        <GatedButton variant="default" refused={refused} onClick={() => setDialogOpen(true)}>
          {words.moveButton}
        </GatedButton>
      </div>
      {isDialogOpen && <MoveDialog server={server} onClose={() => setDialogOpen(false)} />}
    </Panel>
  );
}

function MoveDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const api = useServerApi();
  const apply = useServerChange();
  const [to, setTo] = useState("");
  const offlineNote = isHostConnected(server)
    ? ""
    : ` ${words.moveHostDisconnected(server.host, server.host_status)}`;
  return (
    <FormDialog
      title={words.moveTitle(server.name)}
      effect={words.moveNote(server.host) + offlineNote}
      submit={words.moveDo}
      isReady={to !== "" && to !== server.host}
      onClose={onClose}
      onSubmit={async () => {
        apply(await api.patch(server.id, { host: to }));
        toast(words.moved(server.name, to));
        onClose();
      }}
    >
      <HostChoice label={words.moveTo} note={serversText.hostNotReady} value={to} onChange={setTo} />
    </FormDialog>
  );
}
