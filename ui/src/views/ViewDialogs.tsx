import { ManageViewsDialog } from "./ManageViewsDialog";
import { SaveViewDialog } from "./SaveViewDialog";
import type { ViewPage } from "./views-api";

interface Props {
  asked: "save" | "manage";
  page: ViewPage;
  onClose: () => void;
}

export default function ViewDialogs({ asked, ...rest }: Props) {
  return asked === "save" ? <SaveViewDialog {...rest} /> : <ManageViewsDialog {...rest} />;
}
