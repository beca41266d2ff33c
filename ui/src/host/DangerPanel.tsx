import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keys } from "../api/keys";
import type { HostDetail } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { hostText } from "../messages/host";
import { FormDialog } from "../parts/FormDialog";
import { GatedButton } from "../parts/GatedButton";
import { Panel } from "../parts/Panel";
import { TypedDialog } from "../parts/TypedDialog";
import { toast } from "../parts/toasts";
import styles from "./HostPage.module.css";
import { useHostChange } from "./useHostChange";

const words = hostText.host;
type Action = "rotate" | "revoke" | "remove";

export function DangerPanel({ host }: { host: HostDetail }) {
  const { role } = useSession();
  const [openDialog, setOpenDialog] = useState<Action>();
  const refused = refusal(role, "admin");
  const isRevoked = host.status === "revoked" ? words.alreadyRevoked : undefined;
  const rows: [Action, string, string, string | undefined][] = [
    ["rotate", words.rotate, words.rotateNote, refused ?? isRevoked],
    ["revoke", words.revoke, words.revokeNote, refused ?? isRevoked],
    ["remove", words.remove, words.removeNote, refused],
  ];
  const close = () => setOpenDialog(undefined);
  return (
    <Panel title={words.danger}>
      <div className={styles.danger}>
        {rows.map(([action, label, note, why]) => (
          <div key={action} className={styles.dangerRow}>
            <span className="dim">{note}</span>
            <GatedButton variant="default" refused={why} onClick={() => setOpenDialog(action)}>
              {label}
            </GatedButton>
          </div>
        ))}
      </div>
      {openDialog === "remove" && <RemoveDialog host={host} onClose={close} />}
      {(openDialog === "rotate" || openDialog === "revoke") && (
        <KeyDialog host={host} action={openDialog} onClose={close} />
      )}
    </Panel>
  );
}

function KeyDialog({
  host,
  action,
  onClose,
}: {
  host: HostDetail;
  action: "rotate" | "revoke";
  onClose: () => void;
}) {
  const { api } = useSession();
  const apply = useHostChange();
  const isRevoke = action === "revoke";
  return (
    <FormDialog
      title={isRevoke ? words.revokeTitle(host.name) : words.rotateTitle(host.name)}
      effect={isRevoke ? words.revokeEffect : words.rotateEffect}
      submit={isRevoke ? words.revokeDo : words.rotateDo}
      isDangerous={isRevoke}
      onClose={onClose}
      onSubmit={async () => {
        apply(await (isRevoke ? api.revokeHost(host.id) : api.rotateKey(host.id)));
        toast(isRevoke ? words.revoked(host.name) : words.rotated(host.name));
        onClose();
      }}
    />
  );
}

function RemoveDialog({ host, onClose }: { host: HostDetail; onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <TypedDialog
      title={words.removeTitle(host.name)}
      effect={words.removeEffect}
      submit={words.removeDo}
      expected={host.name}
      label={words.removeType(host.name)}
      onClose={onClose}
      onSubmit={async () => {
        await api.removeHost(host.id);
        toast(words.removed(host.name));
        await navigate({ to: "/hosts" });
        client.removeQueries({ queryKey: keys.host(org.slug, host.name) });
        void client.invalidateQueries({ queryKey: keys.org(org.slug) });
      }}
    />
  );
}
