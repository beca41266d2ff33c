import type { HostDetail } from "../api/model";
import { useSession } from "../app/session";
import { hostText } from "../messages/host";
import { FormDialog } from "../parts/FormDialog";
import { useMark } from "./MarkFields";
import { useHostChange } from "./useHostChange";

const words = hostText.host;

interface Props {
  host: HostDetail;
  mark: "pause" | "markDegraded";
  onClose: () => void;
}

export function MarkDialog({ host, mark, onClose }: Props) {
  const { api } = useSession();
  const apply = useHostChange();
  const { fields, request } = useMark();
  const isPause = mark === "pause";
  return (
    <FormDialog
      title={isPause ? words.pauseTitle(host.name) : words.markDegradedTitle(host.name)}
      effect={isPause ? words.pauseEffect : words.markDegradedEffect}
      submit={isPause ? words.pauseDo : words.markDegradedDo}
      onClose={onClose}
      onSubmit={async () => {
        const set = isPause ? api.pauseHost : api.markHostDegraded;
        apply(await set(host.id, request()));
        onClose();
      }}
    >
      {fields}
    </FormDialog>
  );
}
