import "../styles/mantine-forms";
import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { viewDialogText as words } from "../messages/view-dialogs";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { useViews } from "./useViews";
import type { ViewPage } from "./views-api";

export function SaveViewDialog({ page, onClose }: { page: ViewPage; onClose: () => void }) {
  const { api, current, reload } = useViews(page);
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  return (
    <FormDialog
      title={words.saveTitle}
      effect={words.saveEffect}
      submit={words.saveDo}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        const visibility = isShared ? "org" : "private";
        const view = await api.createView({ page, name: name.trim(), query: current, visibility });
        reload();
        toast(words.saved(view.name), () => void api.removeView(view.id).then(reload));
        onClose();
      }}
    >
      <TextInput
        label={words.name}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Checkbox
        label={words.share}
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
