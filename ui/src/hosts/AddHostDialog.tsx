import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { isLoopback } from "../frame/loopback";
import { hostText } from "../messages/host";
import { Dialog } from "../parts/Dialog";
import { ErrorBox } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { Warning } from "../parts/Warning";
import { JoinCommand } from "./JoinCommand";
import { JoinTokenForm } from "./JoinTokenForm";

const words = hostText.add;

/** Shows a join command with the default options; the user can create another one with other options. */
export default function AddHostDialog({ onClose }: { onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const [isChoosing, setChoosing] = useState(false);
  const create = useMutation({
    mutationFn: api.createJoinToken,
    onSuccess: () => {
      setChoosing(false);
      void client.invalidateQueries({ queryKey: keys.joinTokens(org.slug) });
    },
  });
  const { mutate } = create;
  const hasRequested = useRef(false);
  useEffect(() => {
    if (hasRequested.current) return;
    hasRequested.current = true;
    mutate({});
  }, [mutate]);
  return (
    <Dialog title={words.title} onClose={onClose} size={620}>
      <div className={page.form}>
        {isLoopback(location.hostname) && <Warning title={words.loopback}>{words.loopbackHint}</Warning>}
        {create.error && <ErrorBox error={create.error} onRetry={() => mutate({})} />}
        {isChoosing && <JoinTokenForm isBusy={create.isPending} onCreate={mutate} />}
        {!isChoosing && create.data && (
          <JoinCommand token={create.data} onOther={() => setChoosing(true)} onClose={onClose} />
        )}
        {!isChoosing && create.isPending && <Skeleton />}
      </div>
    </Dialog>
  );
}
