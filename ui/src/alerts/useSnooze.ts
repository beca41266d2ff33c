import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { alertText } from "../messages/alerts";
import { showError, toast } from "../parts/toasts";
import { hubNow } from "../time/clock";

/** Snoozes an alert, with undo. */
export function useSnooze(alert: string) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const until = (seconds: number) =>
    api.snoozeAlert(alert, new Date(hubNow() + seconds * 1000).toISOString());
  const reload = () => void client.invalidateQueries({ queryKey: keys.alerts(org.slug) });
  return useMutation({
    mutationFn: ([seconds]: [number, string]) => until(seconds),
    onSuccess: (_, [, label]) => {
      reload();
      // A time in the past ends the snooze.
      toast(alertText.snoozed(label), () => void until(0).then(reload, showError));
    },
    onError: showError,
  });
}
