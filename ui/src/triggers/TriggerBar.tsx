import { getRouteApi } from "@tanstack/react-router";
import { calendarText } from "../messages/calendar";
import { triggerText } from "../messages/triggers";
import page from "../parts/Page.module.css";
import { Segments } from "../parts/Segments";
import { ViewsMenu } from "../views/ViewsMenu";

const route = getRouteApi("/frame/triggers");
/** Filter by type and switch between list and calendar, kept in the URL. */
export function TriggerBar() {
  const { kind, view } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <search className={page.bar}>
      <Segments
        label={calendarText.view}
        value={view ?? "list"}
        onChange={(next) =>
          void navigate({
            search: ({ view: _, ...old }) => (next === "list" ? old : { ...old, view: next }),
            replace: true,
          })
        }
        choices={[
          { value: "list", label: calendarText.list },
          { value: "day", label: calendarText.day },
          { value: "week", label: calendarText.week },
        ]}
      />
      {!view && (
        <Segments
          label={triggerText.kinds}
          value={kind ?? "all"}
          onChange={(next) =>
            void navigate({
              search: ({ kind: _, ...old }) => (next === "all" ? old : { ...old, kind: next }),
              replace: true,
            })
          }
          choices={[
            { value: "all", label: triggerText.all },
            { value: "schedule", label: triggerText.schedules },
            { value: "event", label: triggerText.events },
          ]}
        />
      )}
      <ViewsMenu page="triggers" />
    </search>
  );
}
