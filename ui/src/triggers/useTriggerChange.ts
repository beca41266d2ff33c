import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { Trigger, TriggerRequest } from "../api/model";
import { useSession } from "../app/session";
import { triggerText } from "../messages/triggers";
import { showError, toast } from "../parts/toasts";

/** Updates the cache after a trigger was changed. */
export function useTriggerChange() {
  const { org } = useSession();
  const client = useQueryClient();
  return (trigger: Trigger) => {
    client.setQueryData(keys.trigger(org.slug, trigger.id), trigger);
    void client.invalidateQueries({ queryKey: keys.triggers(org.slug) });
  };
}

interface UndoableChange {
  trigger: Trigger;
  patch: TriggerRequest;
  doneText: string;
  undo: TriggerRequest;
}

/** Applies a change immediately and offers undo. */
export function useUndoableChange() {
  const { api } = useSession();
  const apply = useTriggerChange();
  return useMutation({
    mutationFn: ({ trigger, patch }: UndoableChange) => api.patchTrigger(trigger.id, patch),
    onSuccess: (changed, { undo, doneText }) => {
      apply(changed);
      toast(doneText, () => void api.patchTrigger(changed.id, undo).then(apply, showError));
    },
    onError: showError,
  });
}

export function toggleChange(trigger: Trigger): UndoableChange {
  const is_enabled = !trigger.is_enabled;
  return {
    trigger,
    patch: { is_enabled },
    undo: { is_enabled: !is_enabled },
    doneText: is_enabled ? triggerText.enabled(trigger.label) : triggerText.disabled(trigger.label),
  };
}
