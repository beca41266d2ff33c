import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { HostDetail, HostMark } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { hostText } from "../messages/host";
import { hostTabText } from "../messages/host-tabs";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import { showError, toast } from "../parts/toasts";
import styles from "./HostPage.module.css";
import { MarkDialog } from "./MarkDialog";
import { useHostChange } from "./useHostChange";

const words = hostText.host;

/** Pausing and marking open a dialog; resuming and unmarking act immediately with undo. */
export function HostActions({ host }: { host: HostDetail }) {
  const { role, api } = useSession();
  const apply = useHostChange();
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<"pause" | "markDegraded">();
  const refused =
    refusal(role, "operator") ??
    (host.status === "revoked" ? words.alreadyRevoked : undefined) ??
    (host.primary_hub ? words.mirrored(host.primary_hub) : undefined);

  const undo = useMutation({
    mutationFn: ({ action }: { action: "resume" | "unmark"; mark: HostMark; doneText: string }) =>
      action === "resume" ? api.resumeHost(host.id) : api.unmarkHost(host.id),
    onSuccess: (changed, { action, mark, doneText }) => {
      apply(changed);
      toast(doneText, () => {
        const redo = action === "resume" ? api.pauseHost : api.markHostDegraded;
        redo(host.id, mark).then(apply, showError);
      });
    },
    onError: showError,
  });

  return (
    <div className={styles.actions}>
      <GatedButton
        variant="default"
        refused={refused}
        leftSection={<Icon name="play" />}
        onClick={() => void navigate({ to: "/run", search: { on: host.name } })}
      >
        {hostTabText.run}
      </GatedButton>
      {host.degraded_mark ? (
        <GatedButton
          variant="default"
          refused={refused}
          loading={undo.isPending}
          onClick={() =>
            host.degraded_mark &&
            undo.mutate({ action: "unmark", mark: host.degraded_mark, doneText: words.unmarked(host.name) })
          }
        >
          {words.unmark}
        </GatedButton>
      ) : (
        <GatedButton variant="default" refused={refused} onClick={() => setOpenDialog("markDegraded")}>
          {words.markDegraded}
        </GatedButton>
      )}
      {host.pause ? (
        <GatedButton
          refused={refused}
          loading={undo.isPending}
          onClick={() =>
            host.pause &&
            undo.mutate({ action: "resume", mark: host.pause, doneText: words.resumed(host.name) })
          }
        >
          {words.resume}
        </GatedButton>
      ) : (
        <GatedButton variant="default" refused={refused} onClick={() => setOpenDialog("pause")}>
          {words.pause}
        </GatedButton>
      )}
      {openDialog && <MarkDialog host={host} mark={openDialog} onClose={() => setOpenDialog(undefined)} />}
    </div>
  );
}
