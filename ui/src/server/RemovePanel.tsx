import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Server } from "../api/model";
import { useSession } from "../app/session";
import host from "../host/HostPage.module.css";
import { formText as words } from "../messages/server-form";
import { GatedButton } from "../parts/GatedButton";
import { Panel } from "../parts/Panel";
import { TypedDialog } from "../parts/TypedDialog";
import { toast } from "../parts/toasts";
import { useServerApi } from "../servers/useServers";

interface Props {
  server: Server;
  refused: string | undefined;
}

export function RemovePanel({ server, refused }: Props) {
  const { org } = useSession();
  const api = useServerApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isDialogOpen, setDialogOpen] = useState(false);
  return (
    <Panel title={words.removePanel}>
      <div className={host.dangerRow}>
        <span className="dim">{words.removeNote}</span>
        <GatedButton variant="default" refused={refused} onClick={() => setDialogOpen(true)}>
          {words.remove}
        </GatedButton>
      </div>
      {isDialogOpen && (
        <TypedDialog
          title={words.removeTitle(server.name)}
          effect={words.removeEffect}
          submit={words.removeDo}
          expected={server.name}
          label={words.removeType(server.name)}
          onClose={() => setDialogOpen(false)}
          onSubmit={async () => {
            await api.remove(server.id);
            toast(words.removed(server.name));
            await navigate({ to: "/servers" });
            client.removeQueries({ queryKey: keys.server(org.slug, server.name) });
            void client.invalidateQueries({ queryKey: keys.servers(org.slug) });
          }}
        />
      )}
    </Panel>
  );
}
