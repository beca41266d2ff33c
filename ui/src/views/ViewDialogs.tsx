import { ManageViewsDialog } from "./ManageViewsDialog";
import { SaveViewDialog } from "./SaveViewDialog";
import type { ViewPage } from "./views-api";

interface Props {
  kind: "save" | "manage";
  page: ViewPage;
  onClose: () => void;
}

export default function ViewDialogs({ kind, ...rest }: Props) {
  return kind === "save" ? <SaveViewDialog {...rest} /> : <ManageViewsDialog {...rest} />;
}
