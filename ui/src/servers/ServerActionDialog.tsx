import "../styles/mantine-forms";
import { sentence } from "../api/client";
import type { Server } from "../api/model";
import { serversText as words } from "../messages/servers";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { isHostConnected } from "./state";
import { stopSteps } from "./stop-steps";
import { useServerAction } from "./useServerAction";

interface Props {
  server: Server;
  action: "stop" | "restart" | "kill";
  onClose: () => void;
}

const TITLES = { stop: words.stopTitle, restart: words.restartTitle, kill: words.killTitle };
const SUBMITS = { stop: words.stopDo, restart: words.restartDo, kill: words.killDo };

export default function ServerActionDialog({ server, action, onClose }: Props) {
  const { request, kill } = useServerAction(server);
  return (
    <FormDialog
      title={TITLES[action](server.name)}
      effect={effectOf(server, action)}
      submit={SUBMITS[action]}
      isDangerous={action === "kill"}
      onClose={onClose}
      onSubmit={async () => {
        if (action === "kill") {
          await kill();
          toast(words.killed(server.name));
        } else await request(action);
        onClose();
      }}
    />
  );
}

function effectOf(server: Server, action: Props["action"]): string {
  if (action === "kill") return words.killEffect;
  const steps = sentence(stopSteps(server.spec).join("; "));
  const after = action === "stop" ? words.stopAfter : words.restartAfter;
  const wait = isHostConnected(server) ? "" : ` ${words.hostNotReady(server.host, server.host_status)}`;
  return `${steps} ${after}${wait}`;
}
