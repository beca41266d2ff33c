import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { Trigger } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import host from "../host/HostPage.module.css";
import { useMirror } from "../hosts/useMirror";
import table from "../jobs/JobTable.module.css";
import { text } from "../messages";
import { triggerText } from "../messages/triggers";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import { Menu, MenuItem, MenuNote } from "../parts/Menu";
import { Toggle } from "../parts/Toggle";
import { useNow } from "../time/clock";
import { stateOf } from "./state";
import type { TriggerAction } from "./TriggerDialogs";
import { toggleChange, useUndoableChange } from "./useTriggerChange";

const TriggerDialogs = lazy(() => import("./TriggerDialogs"));

export function TriggerActions({ trigger }: { trigger: Trigger }) {
  const { role } = useSession();
  const navigate = useNavigate();
  const change = useUndoableChange();
  const [openDialog, setOpenDialog] = useState<TriggerAction>();
  const state = stateOf(trigger, useNow());
  const mirror = useMirror(trigger.target?.host);
  const readOnlyReason = trigger.is_hosts_own ? triggerText.hostsOwn : mirror;
  const refused = readOnlyReason ?? refusal(role, "admin");
  return (
    <div className={host.actions}>
      <Toggle
        label={triggerText.enable(trigger.label)}
        isOn={trigger.is_enabled}
        refused={refused}
        onToggle={() => change.mutate(toggleChange(trigger))}
      />
      {state === "paused" ? (
        <GatedButton
          variant="default"
          refused={refused}
          onClick={() =>
            change.mutate({
              trigger,
              patch: { paused_until: null },
              undo: { paused_until: trigger.paused_until ?? null },
              doneText: triggerText.resumed(trigger.label),
            })
          }
        >
          {triggerText.resume}
        </GatedButton>
      ) : (
        <GatedButton variant="default" refused={refused} onClick={() => setOpenDialog("pause")}>
          {triggerText.pause}
        </GatedButton>
      )}
      <GatedButton
        variant="default"
        refused={readOnlyReason ?? refusal(role, "operator")}
        leftSection={<Icon name="play" />}
        onClick={() => setOpenDialog("fire")}
      >
        {triggerText.fireNow}
      </GatedButton>
      <GatedButton
        variant="default"
        refused={refused}
        leftSection={<Icon name="edit" />}
        onClick={() => void navigate({ to: "/triggers/$trigger/edit", params: { trigger: trigger.id } })}
      >
        {triggerText.edit}
      </GatedButton>
      <Menu
        label={text.common.actions}
        opener={(props) => (
          <button {...props} type="button" className={table.menu} aria-label={text.common.actions}>
            <Icon name="dots" />
          </button>
        )}
      >
        {refused && <MenuNote>{refused}</MenuNote>}
        {trigger.trigger_type === "schedule" && (
          <MenuItem
            refused={readOnlyReason ?? refusal(role, "operator")}
            onClick={() => setOpenDialog("backfill")}
          >
            {triggerText.backfill}
          </MenuItem>
        )}
        <MenuItem refused={refused} onClick={() => setOpenDialog("remove")}>
          {triggerText.remove}
        </MenuItem>
      </Menu>
      {openDialog && (
        <Suspense>
          <TriggerDialogs action={openDialog} trigger={trigger} onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
