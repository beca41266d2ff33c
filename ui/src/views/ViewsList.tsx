import { useSession } from "../app/session";
import { viewDialogText } from "../messages/view-dialogs";
import { viewText } from "../messages/views";
import { MenuCheckItem, MenuDivider, MenuGroup, MenuItem, MenuNote } from "../parts/Menu";
import { systemViews } from "./system";
import { useViews } from "./useViews";
import type { SavedView, ViewPage } from "./views-api";

interface Props {
  page: ViewPage;
  onOpen: (dialog: "save" | "manage") => void;
}

export default function ViewsList({ page, onOpen }: Props) {
  const { me } = useSession();
  const { views, error, current, show } = useViews(page);
  const ownViews = views.filter(({ is_mine }) => is_mine);
  const item = (key: string, name: string, query: string, by?: string) => (
    <MenuCheckItem key={key} kind="radio" isChecked={query === current} onClick={() => show(query)}>
      {name}
      {by && <span className="faint"> {viewDialogText.by(by)}</span>}
    </MenuCheckItem>
  );
  const group = (title: string, found: SavedView[], hasCreator = false) =>
    found.length > 0 && (
      <MenuGroup label={title}>
        {found.map((view) => item(view.id, view.name, view.query, hasCreator ? view.created_by : undefined))}
      </MenuGroup>
    );
  return (
    <>
      <MenuGroup label={viewText.system}>
        {systemViews(page, me.email ?? me.name).map(([name, query]) => item(name, name, query))}
      </MenuGroup>
      {group(
        viewText.org,
        views.filter(({ is_mine, visibility }) => !is_mine && visibility === "org"),
        true,
      )}
      {group(viewText.mine, ownViews)}
      <MenuDivider />
      {error ? (
        <MenuNote>{viewDialogText.unavailable(error.message)}</MenuNote>
      ) : (
        <>
          <MenuItem onClick={() => onOpen("save")}>{viewDialogText.save}</MenuItem>
          {ownViews.length > 0 && (
            <MenuItem onClick={() => onOpen("manage")}>{viewDialogText.manage}</MenuItem>
          )}
        </>
      )}
    </>
  );
}
