import { outsideText } from "../messages/outside";
import { Tabs } from "../parts/Tabs";

/** What makes jobs by itself, and what is heard from outside. */
export function OutsideTabs() {
  return (
    <Tabs
      label={outsideText.tabs}
      items={[
        { to: "/triggers", label: outsideText.triggers },
        { to: "/triggers/pings", label: outsideText.pings },
        { to: "/triggers/hooks", label: outsideText.hooks },
      ]}
    />
  );
}
