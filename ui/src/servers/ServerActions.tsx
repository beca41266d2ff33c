import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Server } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { serversText as words } from "../messages/servers";
import { GatedButton } from "../parts/GatedButton";
import { showError } from "../parts/toasts";
import { canStart, isHostConnected } from "./state";
import { useServerAction } from "./useServerAction";

const ServerActionDialog = lazy(() => import("./ServerActionDialog"));

/** Start acts immediately; stop, restart and kill open a dialog. */
export function ServerActions({ server }: { server: Server }) {
  const { role } = useSession();
  const { request } = useServerAction(server);
  const [openDialog, setOpenDialog] = useState<"stop" | "restart" | "kill">();
  const refused = refusal(role, "operator");
  const start = useMutation({ mutationFn: () => request("start"), onError: showError });
  return (
    <>
      {canStart(server) ? (
        <GatedButton
          variant="default"
          refused={refused}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {words.actions.start}
        </GatedButton>
      ) : (
        <>
          <GatedButton variant="default" refused={refused} onClick={() => setOpenDialog("restart")}>
            {words.actions.restart}
          </GatedButton>
          <GatedButton variant="default" refused={refused} onClick={() => setOpenDialog("stop")}>
            {words.actions.stop}
          </GatedButton>
        </>
      )}
      <GatedButton
        variant="default"
        refused={refused ?? killRefusal(server)}
        onClick={() => setOpenDialog("kill")}
      >
        {words.actions.kill}
      </GatedButton>
      {openDialog && (
        <Suspense>
          <ServerActionDialog server={server} action={openDialog} onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/** Why a server cannot be killed now: kill is not a job and needs a connected host. */
function killRefusal(server: Server): string | undefined {
  if (server.state === "stopped" || server.state === "failed") return words.notRunning;
  return isHostConnected(server) ? undefined : words.hostDisconnected(server.host, server.host_status);
}
