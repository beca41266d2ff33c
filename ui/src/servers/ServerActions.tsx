import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Server } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { serversText as words } from "../messages/servers";
import { GatedButton } from "../parts/GatedButton";
import { sayError } from "../parts/toasts";
import { canStart, isHostHere } from "./state";
import { useServerAct } from "./useServerAct";

const ActDialog = lazy(() => import("./ActDialog"));

/** Start acts immediately; stop, restart and kill open a dialog. */
export function ServerActions({ server }: { server: Server }) {
  const { role } = useSession();
  const { ask } = useServerAct(server);
  const [asking, setAsking] = useState<"stop" | "restart" | "kill">();
  const refused = refusal(role, "operator");
  const start = useMutation({ mutationFn: () => ask("start"), onError: sayError });
  return (
    <>
      {canStart(server) ? (
        <GatedButton
          variant="default"
          refused={refused}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {words.act.start}
        </GatedButton>
      ) : (
        <>
          <GatedButton variant="default" refused={refused} onClick={() => setAsking("restart")}>
            {words.act.restart}
          </GatedButton>
          <GatedButton variant="default" refused={refused} onClick={() => setAsking("stop")}>
            {words.act.stop}
          </GatedButton>
        </>
      )}
      <GatedButton
        variant="default"
        refused={refused ?? killRefusal(server)}
        onClick={() => setAsking("kill")}
      >
        {words.act.kill}
      </GatedButton>
      {asking && (
        <Suspense>
          <ActDialog server={server} act={asking} onClose={() => setAsking(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/** Why a server cannot be killed now: kill is not a job and needs a connected host. */
function killRefusal(server: Server): string | undefined {
  if (server.state === "stopped" || server.state === "failed") return words.nothingRuns;
  return isHostHere(server) ? undefined : words.hostAway(server.host, server.host_status);
}
