import { useSession } from "../app/session";
import { viewDialogText } from "../messages/view-dialogs";
import { viewText } from "../messages/views";
import { MenuDivider, MenuGroup, MenuItem, MenuNote, MenuTicked } from "../parts/Menu";
import { systemViews } from "./system";
import { useViews } from "./useViews";
import type { SavedView, ViewPage } from "./views-api";

interface Props {
  page: ViewPage;
  onAsk: (what: "save" | "manage") => void;
}

export default function ViewsList({ page, onAsk }: Props) {
  const { me } = useSession();
  const { views, error, present, show } = useViews(page);
  const own = views.filter(({ is_mine }) => is_mine);
  const item = (key: string, name: string, query: string, by?: string) => (
    <MenuTicked key={key} kind="radio" isTicked={query === present} onClick={() => show(query)}>
      {name}
      {by && <span className="faint"> {viewDialogText.by(by)}</span>}
    </MenuTicked>
  );
  const group = (title: string, found: SavedView[], hasMaker = false) =>
    found.length > 0 && (
      <MenuGroup label={title}>
        {found.map((view) => item(view.id, view.name, view.query, hasMaker ? view.created_by : undefined))}
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
      {group(viewText.mine, own)}
      <MenuDivider />
      {error ? (
        <MenuNote>{viewDialogText.unavailable(error.message)}</MenuNote>
      ) : (
        <>
          <MenuItem onClick={() => onAsk("save")}>{viewDialogText.save}</MenuItem>
          {own.length > 0 && <MenuItem onClick={() => onAsk("manage")}>{viewDialogText.manage}</MenuItem>}
        </>
      )}
    </>
  );
}
