import "../styles/mantine-forms";
import { sentence } from "../api/client";
import type { Server } from "../api/model";
import { serversText as words } from "../messages/servers";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { isHostHere } from "./state";
import { stopSteps } from "./stop-steps";
import { useServerAct } from "./useServerAct";

interface Props {
  server: Server;
  act: "stop" | "restart" | "kill";
  onClose: () => void;
}

const TITLES = { stop: words.stopTitle, restart: words.restartTitle, kill: words.killTitle };
const DOS = { stop: words.stopDo, restart: words.restartDo, kill: words.killDo };

/** Confirmation dialog for stop, restart and kill. */
export default function ActDialog({ server, act, onClose }: Props) {
  const { ask, kill } = useServerAct(server);
  return (
    <FormDialog
      title={TITLES[act](server.name)}
      effect={effectOf(server, act)}
      submit={DOS[act]}
      isDangerous={act === "kill"}
      onClose={onClose}
      onSubmit={async () => {
        if (act === "kill") {
          await kill();
          toast(words.killed(server.name));
        } else await ask(act);
        onClose();
      }}
    />
  );
}

function effectOf(server: Server, act: Props["act"]): string {
  if (act === "kill") return words.killEffect;
  const steps = sentence(stopSteps(server.spec).join("; "));
  const after = act === "stop" ? words.stopAfter : words.restartAfter;
  const wait = isHostHere(server) ? "" : ` ${words.waitsForHost(server.host, server.host_status)}`;
  return `${steps} ${after}${wait}`;
}
