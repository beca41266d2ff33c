import { Menu } from "@mantine/core";
import { useSession } from "../app/session";
import { viewDialogText } from "../messages/view-dialogs";
import { viewText } from "../messages/views";
import { Icon } from "../parts/Icon";
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
    <Menu.Item
      key={key}
      rightSection={query === present ? <Icon name="check" /> : undefined}
      onClick={() => show(query)}
    >
      {name}
      {by && <span className="faint"> {viewDialogText.by(by)}</span>}
    </Menu.Item>
  );
  const group = (title: string, found: SavedView[], hasMaker = false) =>
    found.length > 0 && (
      <>
        <Menu.Label>{title}</Menu.Label>
        {found.map((view) => item(view.id, view.name, view.query, hasMaker ? view.created_by : undefined))}
      </>
    );
  return (
    <>
      <Menu.Label>{viewText.system}</Menu.Label>
      {systemViews(page, me.email ?? me.name).map(([name, query]) => item(name, name, query))}
      {group(
        viewText.org,
        views.filter(({ is_mine, visibility }) => !is_mine && visibility === "org"),
        true,
      )}
      {group(viewText.mine, own)}
      <Menu.Divider />
      {error ? (
        <Menu.Label>{viewDialogText.unavailable(error.message)}</Menu.Label>
      ) : (
        <>
          <Menu.Item onClick={() => onAsk("save")}>{viewDialogText.save}</Menu.Item>
          {own.length > 0 && <Menu.Item onClick={() => onAsk("manage")}>{viewDialogText.manage}</Menu.Item>}
        </>
      )}
    </>
  );
}
