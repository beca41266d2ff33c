import "../styles/mantine-forms";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { viewDialogText as words } from "../messages/view-dialogs";
import { Dialog } from "../parts/Dialog";
import { Toggle } from "../parts/Toggle";
import { showError, toast } from "../parts/toasts";
import { useViews } from "./useViews";
import styles from "./Views.module.css";
import type { SavedView, ViewPage, ViewRequest } from "./views-api";

export function ManageViewsDialog({ page, onClose }: { page: ViewPage; onClose: () => void }) {
  const { views } = useViews(page);
  const ownViews = views.filter(({ is_mine }) => is_mine);
  return (
    <Dialog title={words.manageTitle} onClose={onClose} size={560}>
      {ownViews.length === 0 && <p className="dim">{words.none}</p>}
      <ul className={styles.list}>
        {ownViews.map((view) => (
          <Row key={view.id} view={view} />
        ))}
      </ul>
    </Dialog>
  );
}

function Row({ view }: { view: SavedView }) {
  const { api, current, reload } = useViews(view.page);
  const [name, setName] = useState(view.name);
  const change = (patch: Partial<ViewRequest>, doneText: string) =>
    void api.patchView(view.id, patch).then(() => {
      reload();
      toast(doneText);
    }, showError);
  const remove = async () => {
    await api.removeView(view.id);
    reload();
    const { page, query, visibility } = view;
    toast(
      words.removed(view.name),
      () => void api.createView({ page, name: view.name, query, visibility }).then(reload, showError),
    );
  };
  const isShared = view.visibility === "org";
  return (
    <li className={styles.view}>
      <TextInput
        aria-label={words.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={name.trim() === "" || name.trim() === view.name}
        onClick={() => change({ name: name.trim() }, words.changed(name.trim()))}
      >
        {words.rename}
      </Button>
      <span className={styles.share}>
        <Toggle
          label={words.sharing(view.name)}
          isOn={isShared}
          onToggle={() =>
            change(
              { visibility: isShared ? "private" : "org" },
              isShared ? words.unshared(view.name) : words.shared(view.name),
            )
          }
        />
        {words.share}
      </span>
      <span className={styles.buttons}>
        <Button
          variant="subtle"
          disabled={current === view.query}
          onClick={() => change({ query: current }, words.changed(view.name))}
        >
          {words.useCurrent}
        </Button>
        <Button variant="subtle" onClick={() => void remove().catch(showError)}>
          {words.remove}
        </Button>
      </span>
    </li>
  );
}
